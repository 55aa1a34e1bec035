/** The bytes of one line as UTF-8. */
export type LineDecoder = (bytes: Buffer, line: number) => Buffer;

/**
 * Lines of a log that a person repaired with a tool that writes UTF-16, as Windows PowerShell 5 does for `>`: the mark
 * at its start tells. Lines are cut at the byte 0x0A, so the other half of each line feed stands at the next line's
 * beginning, or at the end of its own. Everything else passes as it is.
 */
export function createLineDecoder(): LineDecoder {
  let form: 'utf8' | 'little' | 'big' = 'utf8';
  return (bytes, line) => {
    if (line === 1) form = formOf(bytes);
    if (form === 'utf8') return bytes;
    const start = line === 1 ? 2 : form === 'little' && bytes[0] === 0 ? 1 : 0;
    const even = bytes.subarray(start, bytes.length - ((bytes.length - start) % 2));
    const pairs = form === 'little' ? even : Buffer.from(even).swap16();
    return Buffer.from(pairs.toString('utf16le'));
  };
}

function formOf(bytes: Buffer): 'utf8' | 'little' | 'big' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'little';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'big' : 'utf8';
}
