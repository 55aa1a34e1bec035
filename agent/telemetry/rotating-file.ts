import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Clock, sleep } from '../contract/clock.ts';
import { type LogTarget, MAX_PENDING_BYTES } from './log-target.ts';

export interface RotatingFileOptions {
  readonly path: string;
  /** Size that no file exceeds, except for a single longer line. */
  readonly maxBytes: number;
  /** Files kept, the current one included: path, path.1, path.2 and so on, older by number. */
  readonly maxFiles: number;
  readonly clock: Clock;
  /** Called with the first error after the file worked, or at the start. */
  troubled(error: unknown): void;
}

interface Waiting {
  readonly line: string;
  readonly failed: (line: string) => void;
}

/** How long a file that failed is left alone. */
const RETRY_MS = 30_000;

/** How long closing waits for a disk that does not answer. */
const CLOSE_MS = 2000;

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0);

/**
 * A log file with rotation that cannot hurt: writes are asynchronous, what waits is bounded, every error
 * is answered. (winston's own File transport swallows a full disk and then stops taking lines.)
 */
export function createRotatingFile(options: RotatingFileOptions): LogTarget {
  const { clock } = options;
  const file = fileWriter(options);
  const queue: Waiting[] = [];
  let pendingBytes = 0;
  let retryAt = Number.NEGATIVE_INFINITY;
  let draining: Promise<void> | undefined;

  return {
    write(line, failed) {
      if (clock.monotonic() < retryAt || pendingBytes > MAX_PENDING_BYTES) return failed(line);
      queue.push({ line, failed });
      pendingBytes += line.length;
      draining ??= drain();
    },
    async close() {
      await Promise.race([draining, sleep(clock, CLOSE_MS)]);
      await Promise.race([file.close(), sleep(clock, CLOSE_MS)]);
    },
  };

  async function drain(): Promise<void> {
    while (queue.length > 0) {
      const taken = queue.splice(0);
      pendingBytes = 0;
      await writeAll(taken);
    }
    draining = undefined;
  }

  async function writeAll(taken: readonly Waiting[]): Promise<void> {
    for (const [index, { line }] of taken.entries()) {
      try {
        await file.append(`${line}\n`);
      } catch (error) {
        fail(error, taken.slice(index));
        return;
      }
    }
  }

  function fail(error: unknown, lines: readonly Waiting[]): void {
    retryAt = clock.monotonic() + RETRY_MS;
    options.troubled(error);
    for (const { line, failed } of [...lines, ...queue.splice(0)]) failed(line);
    pendingBytes = 0;
  }
}

function fileWriter({ path, maxBytes, maxFiles }: RotatingFileOptions) {
  let handle: FileHandle | undefined;
  let size = 0;
  // A failed write may have left part of a line.
  let torn = false;

  return { append, close };

  async function append(text: string): Promise<void> {
    const bytes = Buffer.from(torn ? `\n${text}` : text);
    try {
      handle ??= await reopen();
      if (size > 0 && size + bytes.length > maxBytes) {
        await close();
        await shift(path, maxFiles);
        handle = await reopen();
      }
      await handle.appendFile(bytes);
      size += bytes.length;
      torn = false;
    } catch (error) {
      torn = true;
      await close().catch(() => undefined);
      throw error;
    }
  }

  async function reopen(): Promise<FileHandle> {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const opened = await open(path, FLAGS, 0o600);
    size = (await opened.stat()).size;
    return opened;
  }

  async function close(): Promise<void> {
    const closing = handle;
    handle = undefined;
    await closing?.close();
  }
}

/** path.1 becomes path.2 and so on; the last one is written over. With one file only, it starts anew. */
async function shift(path: string, maxFiles: number): Promise<void> {
  for (let number = maxFiles - 1; number > 0; number--) {
    const from = number === 1 ? path : `${path}.${number - 1}`;
    if (await exists(from)) await rename(from, `${path}.${number}`);
  }
  if (maxFiles === 1) await (await open(path, 'w', 0o600)).close();
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
