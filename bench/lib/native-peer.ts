import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = '@google/gemini-cli-core';
const VERSION = '0.61.0';

/** Beside the project's own dependencies, which it must not become one of. */
const DIR = join(import.meta.dirname, '..', '..', '.cache', 'bench-peers');

export interface NativePeer {
  /** Folder of the package; undefined when it is not there. */
  readonly dir: string | undefined;
  readonly notes: readonly string[];
}

/** The reader that Gemini CLI itself ships, installed on first use. Without a registry the bench goes on without it. */
export function findNativePeer(): NativePeer {
  const dir = join(DIR, 'node_modules', ...PACKAGE.split('/'));
  if (versionIn(dir) !== VERSION) install();
  if (versionIn(dir) === VERSION) return { dir, notes: [] };
  const note = `${PACKAGE}@${VERSION} COULD NOT BE INSTALLED: the comparison with the coding agent's own reader is left out`;
  console.error(`\n!!! ${note} !!!\n`);
  return { dir: undefined, notes: [note] };
}

function install(): void {
  mkdirSync(DIR, { recursive: true });
  if (!existsSync(join(DIR, 'package.json')))
    writeFileSync(join(DIR, 'package.json'), '{ "private": true }\n');
  console.error(`installing ${PACKAGE}@${VERSION} into .cache/bench-peers (once)`);
  const flags = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  spawnSync('npm', ['install', ...flags, `${PACKAGE}@${VERSION}`], {
    cwd: DIR,
    stdio: 'inherit',
    timeout: 300_000,
    shell: process.platform === 'win32',
  });
}

function versionIn(dir: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as { version?: string }).version;
  } catch {
    return undefined;
  }
}
