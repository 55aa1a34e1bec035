/** Room that is made at once; most commits fit. */
const FIRST_BYTES = 256 * 1024;

/** Lines as UTF-8, written once into one block instead of being joined and encoded later. */
export class LineBuffer {
  #block = Buffer.allocUnsafe(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(line: string): void {
    this.#reserve(line.length * 3);
    this.#length += this.#block.write(line, this.#length);
  }

  /** Hands out the bytes and starts anew. */
  take(): Buffer {
    const bytes = this.#block.subarray(0, this.#length);
    this.#block = Buffer.allocUnsafe(0);
    this.#length = 0;
    return bytes;
  }

  /** A UTF-16 unit takes three bytes at most. */
  #reserve(bytes: number): void {
    if (this.#block.length - this.#length >= bytes) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, this.#block.length * 2, this.#length + bytes));
    this.#block.copy(grown, 0, 0, this.#length);
    this.#block = grown;
  }
}
