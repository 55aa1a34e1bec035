import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { errnoOf } from '../../contract/errors.ts';
import { syncDirectory } from './writer.ts';

/** Makes room for a new file: rows.jsonl becomes rows.1.jsonl, that becomes rows.2.jsonl, and so on. */
export async function rotate(path: string, keep: number): Promise<void> {
  await removeBeyond(path, keep - 1);
  for (let number = keep - 1; number >= 0; number--) {
    await renameIfThere(rotatedPath(path, number), rotatedPath(path, number + 1));
  }
  await syncDirectory(dirname(path));
}

export function rotatedPath(path: string, number: number): string {
  if (number === 0) return path;
  const extension = extname(path);
  return join(dirname(path), `${basename(path, extension)}.${number}${extension}`);
}

/** Also removes what an earlier, larger setting left behind. */
async function removeBeyond(path: string, number: number): Promise<void> {
  const extension = extname(path);
  const stem = `${basename(path, extension)}.`;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(stem) || !name.endsWith(extension)) continue;
    const digits = name.slice(stem.length, name.length - extension.length);
    if (/^[1-9]\d*$/.test(digits) && Number(digits) > number)
      await rm(join(dirname(path), name), { force: true });
  }
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
