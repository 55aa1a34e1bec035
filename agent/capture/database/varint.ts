/** A variable-length integer: its value, as far as a number holds it, and the place behind it. */
export interface Varint {
  readonly value: number;
  readonly next: number;
}

/** One to nine bytes, the high bits first (file format, section 1.6). Undefined when the buffer ends before it. */
export function readVarint(bytes: Buffer, at: number): Varint | undefined {
  let value = 0;
  for (let length = 0; length < 8; length++) {
    const byte = bytes[at + length];
    if (byte === undefined) return undefined;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, next: at + length + 1 };
  }
  const last = bytes[at + 8];
  return last === undefined ? undefined : { value: signed(value, last), next: at + 9 };
}

/** Nine bytes hold 64 bits, of which the first one is the sign; what a double rounds is no size of anything. */
function signed(high: number, last: number): number {
  return Number(BigInt.asIntN(64, BigInt(high) * 256n + BigInt(last)));
}
