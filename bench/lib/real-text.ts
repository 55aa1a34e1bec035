import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rng } from '../corpus/rng.ts';

const ROOT = join(import.meta.dirname, '..', '..', 'node_modules');
/** Packages whose documentation and code serve as text that people and programs wrote. */
const PACKAGES = ['yaml', 'commander', 'zod', 'chokidar', 'mocha', 'ajv', 'winston'];
/** Shorter files are mostly re-exports that repeat each other. */
const MIN_FILE_CHARS = 10_000;
const MAX_FILE_CHARS = 200_000;

/** Real prose and code: made-up text compresses two to three times too well. */
export function realText(): (rng: Rng, chars: number) => string {
  const texts = PACKAGES.flatMap((name) => textsBelow(join(ROOT, name)));
  if (texts.length === 0) throw new Error('no text found; run npm ci first');
  return (rng, chars) => {
    const text = rng.pick(texts);
    const start = rng.int(0, Math.max(0, text.length - chars));
    return text.slice(start, start + chars);
  };
}

function textsBelow(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(md|ts|js)$/.test(path) && !/\.min\.|[\\/]locales[\\/]/.test(path))
    .sort()
    .map((path) => readFileSync(join(dir, path), 'utf8').slice(0, MAX_FILE_CHARS))
    .filter((text) => text.length >= MIN_FILE_CHARS);
}
