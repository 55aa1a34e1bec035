import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../contract/clock.ts';
import type { SmallFiles } from '../contract/source.ts';
import { ownerBelow, type Root } from './layout.ts';
import { openSourceFile } from './open-file.ts';

/** Larger ones are no registry, whatever their name says. */
const MAX_BYTES = 1024 * 1024;

/** How long an answer is believed, so that a burst of sessions asks once. */
const FRESH_MS = 1_000;

/** Answers kept at once, and characters in them: a store of many large registries must not fill our memory. */
const MAX_ANSWERS = 2_000;
const MAX_CHARS = 8 * 1024 * 1024;

/** The small files of each root, made when they are first asked for. */
export function createSmallFilesOf(ownerUid: number | null, clock: Clock): (root: Root) => SmallFiles {
  const known = new Map<Root, SmallFiles>();
  return (root) => {
    const small = known.get(root) ?? createSmallFiles(root.dir, ownerBelow(root, ownerUid), clock);
    known.set(root, small);
    return small;
  };
}

/** Small files and listings below a root, for questions such as which project a session belongs to. */
export function createSmallFiles(dir: string, ownerUid: number | null, clock: Clock): SmallFiles {
  return {
    text: remembered(clock, (relative, firstBytes) => readText(join(dir, relative), ownerUid, firstBytes)),
    list: remembered(clock, (relative) => readNames(join(dir, relative))),
  };
}

function remembered<T extends string | readonly string[] | undefined>(
  clock: Clock,
  read: (relative: string, firstBytes?: number) => T,
): (relative: string, firstBytes?: number) => T {
  const answers = new Map<string, { readonly at: number; readonly value: T }>();
  let chars = 0;
  return (relative, firstBytes) => {
    const now = clock.monotonic();
    const key = firstBytes === undefined ? relative : `${firstBytes} ${relative}`;
    const known = answers.get(key);
    if (known && now - known.at < FRESH_MS) return known.value;
    const value = read(relative, firstBytes);
    chars += typeof value === 'string' ? value.length : 0;
    if (answers.size >= MAX_ANSWERS || chars > MAX_CHARS) {
      answers.clear();
      chars = 0;
    }
    answers.set(key, { at: now, value });
    return value;
  };
}

/** What cannot be read, for whatever reason, is an answer too: parsers know no errors of a file system. */
function readText(path: string, ownerUid: number | null, firstBytes?: number): string | undefined {
  const result = openSourceFile(path, ownerUid);
  if (result.kind !== 'open') return undefined;
  using file = result.file;
  const size = Math.min(file.facts.size, firstBytes ?? file.facts.size);
  if (size > MAX_BYTES) return undefined;
  try {
    return file.read(0, size).toString('utf8');
  } catch {
    return undefined;
  }
}

function readNames(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
