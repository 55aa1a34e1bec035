import { type Batch, originOf } from '../../contract/sink.ts';
import { wireRowsOf } from '../wire-rows.ts';
import { type DocumentOptions, ecsJsonOf } from './document.ts';

export interface BulkOptions extends DocumentOptions {
  /** Index or data stream. */
  readonly index: string;
}

const END = Buffer.from('}\n');

/**
 * The body of a bulk request: for every row an action and a document, a line each. `create` is the one action
 * that data streams take, and with the row id as document id it finds out what is there already.
 */
export function bulkOf(batch: Batch, { index: name, origin, ...rest }: BulkOptions): Buffer {
  const index = JSON.stringify(name);
  const options = { ...rest, origin: originOf(batch, origin) };
  const pieces: Buffer[] = [];
  for (const { row, line } of wireRowsOf(batch)) {
    const action = `{"create":{"_index":${index},"_id":${JSON.stringify(row.row_id)}}}\n`;
    pieces.push(Buffer.from(`${action}${ecsJsonOf(row, options)},"holdfast":`), line, END);
  }
  return Buffer.concat(pieces);
}
