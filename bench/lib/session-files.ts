import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** Every JSONL file below the chats folders of a home's `.gemini/tmp`, in the order of their paths. */
export function sessionFiles(home: string): string[] {
  const root = join(home, '.gemini', 'tmp');
  return listing(root)
    .filter((path) => /[\\/]chats[\\/].*\.jsonl$/.test(path))
    .sort()
    .map((path) => join(root, path));
}

/** Calls back with each line of a file, without its line feed. The bytes are valid during the call only. */
export function eachLine(file: string, onLine: (line: Buffer) => void): number {
  const descriptor = openSync(file, 'r');
  let rest: Buffer | undefined;
  let total = 0;
  for (let count = fill(descriptor); count > 0; count = fill(descriptor)) {
    total += count;
    const chunk = CHUNK.subarray(0, count);
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      const line = chunk.subarray(start, end);
      onLine(rest ? Buffer.concat([rest, line]) : line);
      rest = undefined;
      start = end + 1;
    }
    if (start < count) rest = Buffer.concat([rest ?? EMPTY, chunk.subarray(start)]);
  }
  closeSync(descriptor);
  return total;
}

const LINE_FEED = 0x0a;
const EMPTY = Buffer.alloc(0);
const CHUNK = Buffer.allocUnsafeSlow(1 << 20);

function fill(descriptor: number): number {
  return readSync(descriptor, CHUNK, 0, CHUNK.length, null);
}

function listing(root: string): string[] {
  try {
    return readdirSync(root, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
