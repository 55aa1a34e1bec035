import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { errnoOf } from '../agent/contract/errors.ts';

/** Larger than any configuration; a bound for what is read into memory. */
export const MAX_CONFIG_BYTES = 1024 * 1024;

export interface Access {
  /** POSIX permission bits. */
  readonly mode: number;
  readonly uid: number;
}

export interface ConfigFile extends Access {
  /** At most one byte more than MAX_CONFIG_BYTES. */
  readonly bytes: Uint8Array;
}

export interface ConfigFolder extends Access {
  readonly names: readonly string[];
}

/** The disk as loading sees it. Both answer undefined for what does not exist and throw system errors. */
export interface ConfigFiles {
  read(path: string): ConfigFile | undefined;
  list(folder: string): ConfigFolder | undefined;
}

export const diskFiles: ConfigFiles = {
  read: (path) => unlessMissing(() => readBounded(path)),
  list: (folder) =>
    unlessMissing(() => {
      const { mode, uid } = statSync(folder);
      return { names: readdirSync(folder), mode: mode & 0o7777, uid };
    }),
};

/** Owner and bits come from the opened file, so that they belong to the bytes. */
function readBounded(path: string): ConfigFile {
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw Object.assign(new Error('not a regular file'), { code: 'EINVAL' });
    return { bytes: readUpTo(fd, MAX_CONFIG_BYTES + 1), mode: stat.mode & 0o7777, uid: stat.uid };
  } finally {
    closeSync(fd);
  }
}

function readUpTo(fd: number, limit: number): Uint8Array {
  const buffer = Buffer.alloc(limit);
  let length = 0;
  while (length < limit) {
    const read = readSync(fd, buffer, length, limit - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}

function unlessMissing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
