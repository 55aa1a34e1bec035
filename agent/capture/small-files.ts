import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../contract/clock.ts';
import type { SmallFiles } from '../contract/source.ts';
import { openSourceFile } from './open-file.ts';

/** Larger ones are no registry, whatever their name says. */
const MAX_BYTES = 1024 * 1024;

/** How long an answer is believed, so that a burst of sessions asks once. */
const FRESH_MS = 1_000;

interface Answer<T> {
  readonly at: number;
  readonly value: T;
}

/** Small files and listings below a root, for questions such as which project a session belongs to. */
export function createSmallFiles(dir: string, ownerUid: number | null, clock: Clock): SmallFiles {
  const texts = new Map<string, Answer<string | undefined>>();
  const lists = new Map<string, Answer<readonly string[]>>();

  function fresh<T>(cache: Map<string, Answer<T>>, key: string, read: () => T): T {
    const now = clock.monotonic();
    const known = cache.get(key);
    if (known && now - known.at < FRESH_MS) return known.value;
    if (cache.size > 2_000) cache.clear();
    const value = read();
    cache.set(key, { at: now, value });
    return value;
  }

  return {
    text: (relative) => fresh(texts, relative, () => readText(join(dir, relative), ownerUid)),
    list: (relative) => fresh(lists, relative, () => readNames(join(dir, relative))),
  };
}

function readText(path: string, ownerUid: number | null): string | undefined {
  const result = openSourceFile(path, ownerUid);
  if (result.kind !== 'open') return undefined;
  using file = result.file;
  return file.facts.size > MAX_BYTES ? undefined : file.read(0, file.facts.size).toString('utf8');
}

function readNames(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
