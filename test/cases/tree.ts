import { hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../../agent/contract/errors.ts';

/** What can be seen of one entry from outside. */
interface Entry {
  readonly kind: string;
  readonly inode: string;
  readonly owner: string;
  readonly mode: string;
  readonly time: string;
  readonly content: string;
}

export type Tree = ReadonlyMap<string, Entry>;

/** Every entry of a folder by its relative path, the folder itself under ".". Links are not followed. */
export function readTree(root: string): Tree {
  const tree = new Map<string, Entry>();
  add(tree, root, '');
  return tree;
}

function add(tree: Map<string, Entry>, root: string, relative: string): void {
  const path = join(root, relative);
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (!stat) return;
  tree.set(relative === '' ? '.' : relative, {
    kind: stat.isDirectory() ? 'directory' : stat.isSymbolicLink() ? 'link' : 'file',
    inode: `${stat.dev}:${stat.ino}`,
    owner: `${stat.uid}:${stat.gid}`,
    mode: stat.mode.toString(8),
    time: String(stat.mtimeNs),
    content: stat.isDirectory() ? '' : contentOf(path, stat.isSymbolicLink()),
  });
  if (!stat.isDirectory()) return;
  for (const name of readdirSync(path).sort())
    add(tree, root, relative === '' ? name : `${relative}/${name}`);
}

function contentOf(path: string, isLink: boolean): string {
  try {
    return isLink ? readlinkSync(path) : hash('sha256', readFileSync(path), 'hex');
  } catch (error) {
    return errnoOf(error) ?? 'unreadable';
  }
}

/** What became of the entries that nobody was to touch, in words. */
export function changesIn(
  before: Tree,
  after: Tree,
  mayChange: (path: string) => boolean = () => false,
): string[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths
    .filter((path) => !mayChange(path))
    .flatMap((path) => {
      const [old, now] = [before.get(path), after.get(path)];
      if (!old) return [`${path} was made`];
      if (!now) return [`${path} went away`];
      const changed = (Object.keys(old) as (keyof Entry)[]).filter((key) => old[key] !== now[key]);
      return changed.length === 0 ? [] : [`${path} changed: ${changed.join(', ')}`];
    });
}
