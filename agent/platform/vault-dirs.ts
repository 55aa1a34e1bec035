import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Home } from './homes.ts';

/** The vault of one home: a directory that only the home's owner may enter. */
export interface VaultDir {
  readonly home: string;
  readonly dir: string;
}

/**
 * Makes the directory for the pins of a home, with the home in its name. Our own lies in the state directory. A service's
 * capture processes run as the owners of the homes and may not enter that: theirs lie beside it. Throws what the system
 * says when it cannot be made, or when something else stands there.
 */
export function makeVaultDir(stateDir: string, home: Home): string {
  const isOthers = belongsToOther(home);
  const dir = vaultDirOf(stateDir, home);
  const top = dirname(dir);
  mkdirSync(top, { recursive: true, mode: 0o700 });
  if (isOthers) chmodSync(top, 0o711);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const stat = lstatSync(dir);
  if (!stat.isDirectory()) throw new Error(`${dir} is not a directory`);
  const { uid = stat.uid, gid = uid } = home;
  if (stat.uid !== uid) chownSync(dir, uid, gid);
  return dir;
}

/** Where the pins of a home lie, if it has any. */
export function vaultDirOf(stateDir: string, home: Home): string {
  const top = belongsToOther(home) ? besideState(stateDir) : inState(stateDir);
  return join(top, encodeURIComponent(home.path));
}

function belongsToOther({ uid }: Home): boolean {
  return uid !== undefined && uid !== process.getuid?.();
}

/** Vaults of all homes that have had one. */
export function vaultDirs(stateDir: string): VaultDir[] {
  return [inState(stateDir), besideState(stateDir)].flatMap((top) =>
    namesIn(top).map((name) => ({ home: decodeURIComponent(name), dir: join(top, name) })),
  );
}

/**
 * Removes vaults with all that is in them. One that belongs to a user is first moved to where the user cannot reach it,
 * so that nothing can be put in the place of what is being removed.
 */
export function removeVaults(stateDir: string): void {
  for (const [at, { dir }] of vaultDirs(stateDir).entries()) {
    const aside = join(stateDir, `released-${at}`);
    renameSync(dir, aside);
    rmSync(aside, { recursive: true, force: true });
  }
  for (const top of [inState(stateDir), besideState(stateDir)]) rmSync(top, { recursive: true, force: true });
}

function inState(stateDir: string): string {
  return join(stateDir, 'vault');
}

function besideState(stateDir: string): string {
  return `${stateDir}-vault`;
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
