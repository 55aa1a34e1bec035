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
 */
export function rowIdOf(identity: RowIdentity): string {
  return rowIdFromBytes(rowIdBytesOf(identity));
}

/** The same id as its 16 bytes. The lengths in front keep two field lists from joining to one string. */
export function rowIdBytesOf({ agent, sessionKey, record, part, content }: RowIdentity): Buffer {
  const lengths = `${agent.length},${sessionKey.length},${record.length},${part.length}`;
  return sha256(`${lengths}\0${agent}${sessionKey}${record}${part}${content}`).subarray(0, ROW_ID_BYTES);
}

/** Bytes are hashed faster than a string is; a buffer of our own spares making one for every row. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

function sha256(text: string): Buffer {
  if (text.length * 3 > scratch.length) return hash('sha256', text, 'buffer');
  return hash('sha256', scratch.subarray(0, scratch.write(text)), 'buffer');
}

/** The 16 bytes behind a row id; undefined when it is not a row id of this version. */
export function rowIdBytes(rowId: string): Buffer | undefined {
  return isRowId(rowId) ? Buffer.from(rowId.slice(PREFIX.length), 'hex') : undefined;
}

export function rowIdFromBytes(bytes: Buffer): string {
  return PREFIX + bytes.toString('hex');
}

export function isRowId(value: unknown): value is string {
  return typeof value === 'string' && /^hf1_[0-9a-f]{32}$/.test(value);
}
