import type { Emit } from '../../agent/contract/row.ts';
import type { LogParser } from '../../agent/contract/source.ts';
import { type BadPart, type DecodedLine, decodeLine, type LineRecord } from './jsonl.ts';
import { createLineDecoder } from './utf16-lines.ts';

/** Where a record or its remains stand, and where its rows go. */
export interface LinePlace {
  readonly line: number;
  readonly emit: Emit;
}

/** What a log of JSON records does with each of them. */
export interface RecordReader {
  record(place: LinePlace, record: LineRecord): void;
  /** Told before the records of a line of which something could not be read. */
  damaged?(): void;
  /** Bytes of a line that could not be read; told after its records. */
  bad(place: LinePlace, part: BadPart): void;
  session(): string | undefined;
}

/**
 * Parser of a log with one JSON record a line: recovers glued records and reads a last line before it has its line
 * feed. When that line comes again whole, only what was not read of it yet is read.
 */
export function createRecordLog(reader: RecordReader): LogParser {
  /** Records of the last line that were read before it had its line feed. */
  const early = { line: 0, records: 0 };
  const plain = createLineDecoder();

  function read(decoded: DecodedLine, place: LinePlace): void {
    const from = early.line === place.line ? early.records : 0;
    if (decoded.bad) reader.damaged?.();
    for (let index = from; index < decoded.records.length; index++) {
      const record = decoded.records[index];
      if (record) reader.record(place, record);
    }
  }

  return {
    line(bytes, line, emit) {
      const decoded = decodeLine(plain(bytes, line), line);
      const place = { line, emit };
      read(decoded, place);
      if (decoded.bad) reader.bad(place, decoded.bad);
    },
    unfinished(bytes, line, emit) {
      const decoded = decodeLine(plain(bytes, line), line);
      const place = { line, emit };
      read(decoded, place);
      early.line = line;
      early.records = decoded.bad ? 0 : decoded.records.length;
      if (decoded.bad) reader.bad(place, unfinished(decoded.bad));
    },
    session: () => reader.session(),
  };
}

function unfinished({ bytes, reason }: BadPart): BadPart {
  return { bytes, reason: reason === 'not valid JSON' ? 'cut off' : reason };
}
