import { realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { changesIn, readTree, type Tree } from './tree.ts';

/** Holds the agent to leaving the home alone: whatever changes beside the steps, the agent did. */
export interface HomeGuard {
  /** Looks before a step, and at the end: nothing may have changed since the last look. */
  check(): void;
  /** Looks after a step that wrote these home-relative paths: nothing else may have changed. */
  accept(paths: readonly string[]): void;
  /** Paths that something goes on writing beside the steps, until `release`. */
  busy(paths: readonly string[]): void;
  release(paths: readonly string[]): void;
  problems(): readonly string[];
}

/** Files that SQLite keeps beside a database while it is open. */
const SIDE_FILE = /-(journal|wal|shm)$/;

export function createHomeGuard(home: string): HomeGuard {
  let tree: Tree = readTree(home);
  const busy = new Set<string>();
  const problems = new Set<string>();

  function look(paths: readonly string[]): void {
    const now = readTree(home);
    const touched = [...paths, ...busy].flatMap((path) => [path, realPlace(home, path)]);
    for (const change of changesIn(tree, now, (path) => touched.some((other) => isTouched(path, other))))
      problems.add(`the agent changed the home: ${change}`);
    tree = now;
  }

  return {
    check: () => look([]),
    accept: look,
    busy(paths) {
      for (const path of paths) busy.add(path);
    },
    release(paths) {
      look(paths);
      for (const path of paths) busy.delete(path);
    },
    problems: () => [...problems],
  };
}

/** A touched path itself, what lies below it, and the folders that lead to it. */
function isTouched(path: string, touched: string): boolean {
  if (path === '.' || path === touched) return true;
  if (path.startsWith(`${touched}/`) || touched.startsWith(`${path}/`)) return true;
  return SIDE_FILE.test(path) && path.replace(SIDE_FILE, '') === touched;
}

/** Where a path lies when a folder on its way is a link. */
function realPlace(home: string, path: string): string {
  const full = join(home, path);
  for (let folder = dirname(full); folder.startsWith(home); folder = dirname(folder)) {
    try {
      const real = realpathSync(folder) + full.slice(folder.length);
      return relative(realpathSync(home), real).replaceAll(sep, '/');
    } catch {
      // This folder is gone too; the next one up may be there.
    }
  }
  return path;
}
