/** A document without the byte order mark at its start: with one it says the same. */
export function withoutMark(bytes: Buffer): Buffer {
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return isMarked ? bytes.subarray(3) : bytes;
}

/**
 * A document as UTF-8 without a mark. People repair files with tools that write UTF-16 (Windows PowerShell 5 does for
 * `>`); its mark tells.
 */
export function plainUtf8(bytes: Buffer): Buffer {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return Buffer.from(bytes.subarray(2).toString('utf16le'));
  if (bytes[0] !== 0xfe || bytes[1] !== 0xff) return withoutMark(bytes);
  const pairs = Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)));
  return Buffer.from(pairs.swap16().toString('utf16le'));
}

/** A line without the carriage return at its end: with one it says the same. */
export function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === 0x0d ? bytes.subarray(0, -1) : bytes;
}
