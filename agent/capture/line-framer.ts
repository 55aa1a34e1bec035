import { createHash, type Hash } from 'node:crypto';

const LINE_FEED = 0x0a;

export interface OversizeLine {
  readonly line: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface LineListener {
  onLine(bytes: Buffer, line: number): void;
  /** A line over the limit, which was hashed and not kept. */
  onOversize(line: OversizeLine): void;
}

/**
 * Cuts a byte stream into lines at 0x0A only: U+2028 and its like are text, and no decoder ever sees half
 * a character. Holds the bytes of one unfinished line, up to the limit; a longer one is only hashed.
 */
export class LineFramer {
  /** Complete lines so far, and the offset behind the last of them. */
  line: number;
  offset: number;
  readonly #maxLineBytes: number;
  readonly #listener: LineListener;
  #parts: Buffer[] = [];
  #partBytes = 0;
  #discarding: Hash | undefined;

  constructor(start: { line: number; offset: number }, maxLineBytes: number, listener: LineListener) {
    this.line = start.line;
    this.offset = start.offset;
    this.#maxLineBytes = maxLineBytes;
    this.#listener = listener;
  }

  /** Where the next byte to push stands in the file. */
  get position(): number {
    return this.offset + this.#partBytes;
  }

  /** Bytes of the unfinished last line, or undefined when it is over the limit. */
  get rest(): Buffer | undefined {
    return this.#discarding ? undefined : Buffer.concat(this.#parts, this.#partBytes);
  }

  /** The unfinished last line as far as it was pushed, when it is over the limit. */
  get oversizeRest(): OversizeLine | undefined {
    if (!this.#discarding) return undefined;
    return { line: this.line + 1, bytes: this.#partBytes, sha256: this.#discarding.copy().digest('hex') };
  }

  get restBytes(): number {
    return this.#partBytes;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  /** Forgets the unfinished line, so that it is read again from the file. A line being skipped is kept. */
  dropRest(): void {
    if (this.#discarding) return;
    this.#parts = [];
    this.#partBytes = 0;
  }

  #keep(bytes: Buffer): void {
    this.#partBytes += bytes.length;
    if (this.#discarding) {
      this.#discarding.update(bytes);
      return;
    }
    this.#parts.push(Buffer.from(bytes));
    if (this.#partBytes > this.#maxLineBytes) this.#startDiscarding();
  }

  #startDiscarding(): void {
    this.#discarding = createHash('sha256');
    for (const part of this.#parts) this.#discarding.update(part);
    this.#parts = [];
  }

  #finish(end: Buffer): void {
    const bytes = this.#partBytes + end.length;
    if (!this.#discarding && bytes > this.#maxLineBytes) this.#startDiscarding();
    const whole = this.#discarding || this.#parts.length === 0 ? end : Buffer.concat([...this.#parts, end]);
    const oversize = this.#discarding?.update(end).digest('hex');
    this.#parts = [];
    this.#partBytes = 0;
    this.#discarding = undefined;
    this.offset += bytes + 1;
    this.line++;
    if (oversize === undefined) this.#listener.onLine(whole, this.line);
    else this.#listener.onOversize({ line: this.line, bytes, sha256: oversize });
  }
}
