import { hash } from 'node:crypto';

/** Bytes of a row id that are kept: 128 bits of a SHA-256. */
export const ROW_ID_BYTES = 16;

/** Version of the identity function below. Another function gets another prefix. */
const PREFIX = 'hf1_';

export interface RowIdentity {
  readonly agent: string;
  readonly sessionKey: string;
  readonly record: string;
  readonly part: string;
  readonly content: string;
}

/**
 * The id of a row: a pure function of what happened, never of path, line, offset, run or time of
 * reading, so that reading again, migrated copies and restored backups give the same ids.
 * The lengths in front keep two different field lists from joining to the same string.
 */
export function rowIdOf(identity: RowIdentity): string {
  const { agent, sessionKey, record, part, content } = identity;
  const fields = `${agent.length},${sessionKey.length},${record.length},${part.length}\0${agent}${sessionKey}${record}${part}${content}`;
  return PREFIX + hash('sha256', fields, 'hex').slice(0, ROW_ID_BYTES * 2);
}

/** The 16 bytes that the store keeps of a row id; undefined when it is not a row id of this version. */
export function rowIdBytes(rowId: string): Buffer | undefined {
  if (!isRowId(rowId)) return undefined;
  return Buffer.from(rowId.slice(PREFIX.length), 'hex');
}

export function rowIdFromBytes(bytes: Uint8Array): string {
  return PREFIX + Buffer.from(bytes).toString('hex');
}

export function isRowId(value: unknown): value is string {
  return typeof value === 'string' && /^hf1_[0-9a-f]{32}$/.test(value);
}
