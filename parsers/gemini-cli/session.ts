import type { Emit } from '../../agent/contract/row.ts';
import type { LogParser, ParseContext } from '../../agent/contract/source.ts';
import { type DecodedLine, decodeLine } from '../shared/jsonl.ts';
import { emitBad, type Place, readRecord } from './reader.ts';
import { createSession } from './state.ts';

/** Parser of a session file, `chats/**.jsonl`. Format: docs/formats/gemini-cli.md. */
export function openSession(context: ParseContext): LogParser {
  const session = createSession(context);
  /** Records of the last line that were read before it had its line feed. */
  const early = { line: 0, records: 0 };
  return {
    line(bytes, line, emit) {
      if (isTouch(bytes)) return;
      const decoded = decodeLine(bytes, line);
      const place = { session, line, emit };
      readRecords(place, decoded, early.line === line ? early.records : 0);
      if (decoded.bad) emitBad(place, decoded.bad);
    },
    unfinished(bytes, line, emit: Emit) {
      const decoded = decodeLine(bytes, line);
      const place = { session, line, emit };
      readRecords(place, decoded, early.line === line ? early.records : 0);
      early.line = line;
      early.records = decoded.bad ? 0 : decoded.records.length;
      if (decoded.bad)
        emitBad(place, { bytes: decoded.bad.bytes, reason: unfinishedReason(decoded.bad.reason) });
    },
    session: () => session.id ?? (session.name.isPrefix ? undefined : session.name.id),
  };
}

function readRecords(place: Place, { records }: DecodedLine, from: number): void {
  for (let index = from; index < records.length; index++) {
    const record = records[index];
    if (record) readRecord(place, record);
  }
}

function unfinishedReason(reason: string): string {
  return reason === 'not valid JSON' ? 'cut off' : reason;
}

const TOUCH_HEAD = Buffer.from('{"$set":{"lastUpdated":"');
const TOUCH_TAIL = Buffer.from('"}}');
/** Characters of a time as the program writes it. */
const TIME_CHARS = 24;
const TOUCH_BYTES = TOUCH_HEAD.length + TIME_CHARS + TOUCH_TAIL.length;

/**
 * Whether the line is `{"$set":{"lastUpdated":"<time>"}}`, to the byte. About half of all lines are, and
 * they say nothing, so they are not even decoded.
 */
function isTouch(bytes: Buffer): boolean {
  if (bytes.length !== TOUCH_BYTES || bytes[2] !== TOUCH_HEAD[2]) return false;
  if (TOUCH_HEAD.compare(bytes, 0, TOUCH_HEAD.length) !== 0) return false;
  if (TOUCH_TAIL.compare(bytes, TOUCH_BYTES - TOUCH_TAIL.length) !== 0) return false;
  for (let i = TOUCH_HEAD.length; i < TOUCH_BYTES - TOUCH_TAIL.length; i++)
    if (!isTimeByte(bytes[i])) return false;
  return true;
}

/** Digits and `-:.TZ`. */
function isTimeByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (byte >= 0x2d && byte <= 0x3a && byte !== 0x2f) || byte === 0x54 || byte === 0x5a;
}
