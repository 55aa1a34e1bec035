import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const DIRECTORY_MODE = 0o700;
const FILE_MODE = 0o600;
const LINE_FEED = Buffer.from('\n');

/** Absent on Windows, where a link in this place needs a privilege that a user has not. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_RDWR | NO_FOLLOW;

/** Opens the file for appending, with its directory; a line that a crash cut is ended. */
export async function openForAppend(
  path: string,
): Promise<{ readonly handle: FileHandle; readonly bytes: number }> {
  await mkdir(dirname(path), { recursive: true, mode: DIRECTORY_MODE });
  const handle = await open(path, APPEND, FILE_MODE);
  try {
    const stat = await handle.stat();
    if (!stat.isFile()) throw Object.assign(new Error('not a regular file'), { code: 'not a regular file' });
    const { size } = stat;
    if (size === 0) await syncDirectory(dirname(path));
    return { handle, bytes: size + (await endLine(handle, size)) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Appends all bytes and makes them durable; takes back what was written when it fails in between. */
export async function appendDurably(handle: FileHandle, bytes: number, body: Buffer): Promise<void> {
  try {
    await handle.writeFile(body);
    await handle.sync();
  } catch (error) {
    await handle.truncate(bytes).catch(() => undefined);
    throw error;
  }
}

/** Makes names in a directory durable, where the platform can open one. */
export async function syncDirectory(path: string): Promise<void> {
  if (constants.O_DIRECTORY === undefined) return;
  await using handle = await open(path, 'r');
  await handle.sync();
}

async function endLine(handle: FileHandle, size: number): Promise<number> {
  if (size === 0) return 0;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer.equals(LINE_FEED)) return 0;
  await handle.writeFile(LINE_FEED);
  return LINE_FEED.length;
}
