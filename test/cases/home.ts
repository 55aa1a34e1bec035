import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { databaseFrom } from '../support/database.ts';
import type { Case } from './case.ts';

/** Whom the home of a case belongs to when the runner is root and the case wants an ordinary user. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Every file of a fresh home has this time, whatever the checkout made of it. */
const STABLE_TIME = new Date('2026-01-01T00:00:00Z');

/** A private copy of the case's home with stable times, modes and links. */
export function makeHome(
  caseOf: Pick<Case, 'dir' | 'symlinks' | 'databases'>,
  home: string,
  owner?: Owner,
): void {
  const original = join(caseOf.dir, 'home');
  if (existsSync(original)) cpSync(original, home, { recursive: true });
  mkdirSync(home, { recursive: true });
  for (const [path, sql] of Object.entries(caseOf.databases)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), databaseFrom(readFileSync(join(caseOf.dir, sql), 'utf8')));
  }
  for (const [link, target] of Object.entries(caseOf.symlinks)) {
    mkdirSync(dirname(join(home, link)), { recursive: true });
    symlinkSync(isAbsolute(target) ? target : join(home, target), join(home, link));
  }
  steady(home, owner);
}

/** Entries first: changing them changes the time of their folder. */
function steady(path: string, owner: Owner | undefined): void {
  const stat = lstatSync(path);
  if (stat.isDirectory()) {
    chmodSync(path, 0o755);
    for (const name of readdirSync(path)) steady(join(path, name), owner);
  } else if (stat.isFile()) chmodSync(path, 0o644);
  own(path, owner);
  lutimesSync(path, STABLE_TIME, STABLE_TIME);
}

/** Gives a path to the case's user. */
export function own(path: string, owner: Owner | undefined): void {
  if (owner) lchownSync(path, owner.uid, owner.gid);
}

/** The same for everything below it. */
export function ownAll(path: string, owner: Owner | undefined): void {
  if (!owner || !existsSync(path)) return;
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) ownAll(join(path, name), owner);
  own(path, owner);
}

/** Removes a work folder, also where a case took the right to write away. */
export function removeAll(path: string): void {
  unlock(path);
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

function unlock(path: string): void {
  chmodSync(path, 0o755);
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) unlock(join(path, entry.name));
}
