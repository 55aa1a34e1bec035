import { win32 } from 'node:path';
import { z } from 'zod';
import { expecting } from './key.ts';

/** Bounds of the kinds of value that several keys share. A path is at most this long on Linux. */
const MAX_PATH = 4096;

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;

/** Rules between keys look at whatever was given, so that they speak up beside other problems. */
export const ALWAYS = { when: () => true };

export function whole(min: number, max: number): z.ZodInt {
  return z.int().min(min).max(max);
}

/** Absolute on any platform: a configuration can be checked on another machine than it is for. */
export function absolutePath() {
  return expecting(
    'an absolute path',
    pathText().refine(isAbsolutePath, { error: 'must be an absolute path' }),
  );
}

export function homePath() {
  const text = 'a path, absolute or relative to the home';
  return expecting(
    text,
    pathText().refine(staysInHome, { error: `must be ${text}, without '..' and without '~'` }),
  );
}

/** Upper case only, so that a secret pasted here by mistake is refused rather than looked up. */
export function variableName() {
  return expecting(
    'the name of an environment variable, in upper case',
    z.string().regex(/^[A-Z_][A-Z0-9_]{0,127}$/),
  );
}

/** Names that end up in metrics, file names and URLs. */
export function shortName() {
  return expecting(
    'a name of lower-case letters, digits, _ and - (at most 64)',
    z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/),
  );
}

function isAbsolutePath(path: string): boolean {
  return win32.isAbsolute(path);
}

function pathText() {
  return z
    .string()
    .min(1)
    .max(MAX_PATH)
    .refine((path) => !path.includes('\0'), { error: 'must not hold a zero byte' });
}

function staysInHome(path: string): boolean {
  if (isAbsolutePath(path)) return true;
  return !path.startsWith('~') && !path.split(/[/\\]/).includes('..');
}
