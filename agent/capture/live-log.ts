import { hash } from 'node:crypto';
import type { Cursor } from '../contract/commit.ts';
import type { DraftRow, Emit } from '../contract/row.ts';
import type { LogParser } from '../contract/source.ts';
import { anchorsAt } from './fingerprint.ts';
import { LineFramer, type OversizeLine } from './line-framer.ts';
import type { OpenedFile } from './open-file.ts';

/** One read of a log; lines may span reads. Shared, since reads never overlap. */
const CHUNK = Buffer.allocUnsafeSlow(256 * 1024);

/** An unfinished line up to this size is simply read again; a longer one is kept, so as not to read it n times. */
const KEEP_REST_BYTES = 1024 * 1024;

export interface LiveLogOptions {
  readonly parser: LogParser;
  readonly maxLineBytes: number;
  /** Rows of lines up to this offset are known to be durable: they are parsed for the parser's state only. */
  readonly silentUntil: number;
  /** Where a line begins that was told to be over the limit before it had an end (see Cursor.restTold). */
  readonly restToldAt: number | undefined;
  readonly emit: Emit;
  /** The parser broke its promise and threw; the line is lost to it, and said so in a row. */
  readonly onParserError: (error: unknown, line: number) => void;
}

/** A log that is being followed: its parser, and where reading stands. */
export class LiveLog {
  readonly #options: LiveLogOptions;
  readonly #framer: LineFramer;
  #restToldAt: number | undefined;

  constructor(options: LiveLogOptions) {
    this.#options = options;
    this.#restToldAt = options.restToldAt;
    this.#framer = new LineFramer({ line: 0, offset: 0 }, options.maxLineBytes, {
      onLine: (bytes, line) => this.#parse({ bytes, line, whole: true }),
      onOversize: (line) => this.#onOversize(line),
    });
  }

  /** Bytes up to the end of the last complete line. */
  get offset(): number {
    return this.#framer.offset;
  }

  get session(): string | undefined {
    return this.#options.parser.session();
  }

  /**
   * Reads up to `budget` bytes further, at most to the size the file had when it was looked at; says
   * whether more is there. `onChunk` may hand rows on in between.
   */
  advance(file: OpenedFile, budget: number, onChunk: () => void): boolean {
    const end = Math.min(file.facts.size, this.#framer.position + budget);
    while (this.#framer.position < end) {
      const wanted = CHUNK.subarray(0, Math.min(CHUNK.length, end - this.#framer.position));
      const count = file.readInto(wanted, this.#framer.position);
      if (count === 0) break;
      this.#framer.push(wanted.subarray(0, count));
      onChunk();
    }
    if (end < file.facts.size) return true;
    if (this.#framer.restBytes <= KEEP_REST_BYTES) this.#framer.dropRest();
    return false;
  }

  /** Bytes that stand behind the last line feed. */
  restOf(file: OpenedFile): number {
    return Math.max(0, file.facts.size - this.#framer.offset);
  }

  /** The last line has had no line feed for a while: takes it as it is, without moving on. */
  finishRest(file: OpenedFile): void {
    const length = this.restOf(file);
    const line = this.#framer.line + 1;
    if (length === 0) return;
    if (length > this.#options.maxLineBytes) this.#tellOversizeRest(length);
    else this.#parse({ bytes: file.read(this.#framer.offset, length), line, whole: false });
  }

  cursor(file: OpenedFile, source: Pick<Cursor, 'source' | 'version'>): Cursor {
    const { facts } = file;
    const { offset, line } = this.#framer;
    const atEnd = facts.size === offset;
    return {
      ...source,
      dev: facts.dev,
      ino: facts.ino,
      birthNs: facts.birthNs,
      size: atEnd ? facts.size : offset,
      mtimeNs: atEnd ? facts.mtimeNs : '0',
      offset,
      line,
      ...anchorsAt(file, offset),
      session: this.session ?? null,
      ...(this.#restToldAt === offset ? { restTold: true } : {}),
    };
  }

  #onOversize(line: OversizeLine): void {
    const start = this.#framer.offset - line.bytes - 1;
    if (start !== this.#restToldAt) this.#emit(oversizeRow(line, this.session));
  }

  /** What was appended since the last read is told with the read that its event brings. */
  #tellOversizeRest(length: number): void {
    const { offset, oversizeRest } = this.#framer;
    if (oversizeRest?.bytes !== length || offset === this.#restToldAt) return;
    this.#options.emit(oversizeRow(oversizeRest, this.session));
    this.#restToldAt = offset;
  }

  #parse({ bytes, line, whole }: { bytes: Buffer; line: number; whole: boolean }): void {
    const { parser, onParserError, emit } = this.#options;
    const pass = whole ? (draft: DraftRow) => this.#emit(draft) : emit;
    try {
      if (whole) parser.line(bytes, line, pass);
      else parser.unfinished(bytes, line, pass);
    } catch (error) {
      onParserError(error, line);
      pass(brokenRow({ error, bytes, line }, this.session ?? null));
    }
  }

  #emit(draft: DraftRow): void {
    if (this.#framer.offset > this.#options.silentUntil) this.#options.emit(draft);
  }
}

function oversizeRow({ line, bytes, sha256 }: OversizeLine, session: string | undefined): DraftRow {
  return {
    record: `oversize:${sha256}`,
    part: 'parser.error',
    turn_type: 'system',
    event: 'parser.error',
    session_id: session ?? null,
    text: `parser: line of ${bytes} bytes not read: over the limit (sha256 ${sha256})`,
    attributes: { reason: 'oversize', bytes, sha256 },
    source_line: line,
  };
}

/** The row for bytes on which a parser threw, which no parser may. */
export function brokenRow(
  what: { error: unknown; bytes: Buffer; line: number | null },
  session: string | null,
): DraftRow {
  const reason = what.error instanceof Error ? what.error.name : 'error';
  const sha256 = hash('sha256', what.bytes, 'hex');
  return {
    record: `broken:${sha256}`,
    part: 'parser.error',
    turn_type: 'system',
    event: 'parser.error',
    session_id: session,
    text: `parser: ${what.bytes.length} bytes not read: ${reason} (sha256 ${sha256})`,
    attributes: { reason: 'parser_bug', bytes: what.bytes.length, sha256 },
    source_line: what.line,
  };
}
