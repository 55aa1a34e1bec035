import { batchIdOf } from '../../agent/contract/batch.ts';
import type { Lane, Row } from '../../agent/contract/row.ts';
import { rowIdOf } from '../../agent/contract/row-id.ts';
import type { OutboxBatch } from '../../agent/contract/store.ts';

/** A whole row as it goes over the wire; its id comes from its text. */
export function rowOf(text: string, seq: number, changes: Partial<Row> = {}): Row {
  const identity = { agent: 'gemini-cli', sessionKey: 'c0de0001', record: text, part: 'text', content: text };
  return {
    seq,
    row_id: rowIdOf(identity),
    schema: 1,
    agent: 'gemini-cli',
    timestamp_utc: '2026-10-01T09:00:01.000Z',
    timestamp_source: 'record',
    session_id: 'c0de0001',
    project_path: '/home/alice/proj',
    git_branch: null,
    turn_type: 'user',
    model: null,
    tool_name: null,
    tool_use_id: null,
    text,
    event: null,
    attributes: {},
    source_file: '.gemini/tmp/proj/chats/session-x.jsonl',
    source_line: 1,
    role: 'primary',
    recovered: false,
    backfill: false,
    masked: {},
    host_id: 'host-1',
    host_name: 'alice-laptop',
    os_user: 'alice',
    labels: {},
    observed_at: '2026-10-01T09:00:02.000Z',
    ...changes,
  };
}

/** Rows as a batch; `upTo` is the number of its last row. */
export function batchOf(rows: readonly Row[], lane: Lane = 'live'): OutboxBatch {
  const rowIds = rows.map((row) => row.row_id);
  return {
    id: batchIdOf(rowIds),
    lane,
    rows: rows.length,
    firstSeq: rows.at(0)?.seq ?? 0,
    lastSeq: rows.at(-1)?.seq ?? 0,
    ndjson: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
    rowIds,
    upTo: rows.at(-1)?.seq ?? 0,
  };
}

/** `count` rows "row 1", "row 2", ... numbered from `first`. */
export function rowsOf(count: number, first = 1): Row[] {
  return Array.from({ length: count }, (_, index) => rowOf(`row ${first + index}`, first + index));
}

/** The texts of the rows of a body, in order. */
export function textsOf(ndjson: Buffer | string): string[] {
  return ndjson
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as Row).text);
}
