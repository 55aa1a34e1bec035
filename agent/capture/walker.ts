import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../contract/errors.ts';
import type { FileRef, Layout, Root } from './layout.ts';
import { type FileFacts, factsOf } from './open-file.ts';

export interface WalkListener {
  onFile(ref: FileRef, facts: FileFacts): void;
  /** A directory that is a symbolic link to another place of the same owner; it needs a watch of its own. */
  onLinkedDirectory(real: string): void;
}

export interface WalkerOptions {
  readonly home: string;
  readonly layout: Layout;
  readonly ownerUid: number | null;
  readonly listener: WalkListener;
}

/** A store is a few levels deep; a deeper tree is a loop or was made to keep us busy. */
const MAX_DEPTH = 12;

interface KnownDir {
  readonly root: Root;
  readonly relative: string;
  mtimeNs: bigint;
}

/**
 * Finds the source files of a home by looking, which is what guarantees: watch events only make it faster.
 * Walks yield after every directory, so that the caller can give way to other work.
 */
export class Walker {
  /** Directories that could not be listed, with the reason. */
  readonly unreadable = new Map<string, string>();
  readonly #options: WalkerOptions;
  readonly #dirs = new Map<string, KnownDir>();

  constructor(options: WalkerOptions) {
    this.#options = options;
  }

  isPresent(root: Root): boolean {
    return this.#dirs.has(root.dir);
  }

  /** Every directory and file below every root. */
  *full(): Generator<void> {
    this.unreadable.clear();
    for (const root of this.#options.layout.roots) yield* this.#enter(root, '', 0);
  }

  /** Only directories whose entries changed since they were last listed: finds what came, went or was renamed. */
  *quick(): Generator<void> {
    for (const root of this.#options.layout.roots)
      if (!this.#dirs.has(root.dir)) yield* this.#enter(root, '', 0);
    for (const [path, dir] of [...this.#dirs]) {
      const mtimeNs = this.#mtime(path);
      if (mtimeNs === undefined) this.#dirs.delete(path);
      else if (mtimeNs !== dir.mtimeNs) yield* this.#enter(dir.root, dir.relative, depthOf(dir.relative));
    }
  }

  /** One directory and what is below it, for a watch event that named it. */
  *below(root: Root, relative: string): Generator<void> {
    yield* this.#enter(root, relative, depthOf(relative));
  }

  *#enter(root: Root, relative: string, depth: number): Generator<void> {
    const path = relative === '' ? root.dir : join(root.dir, relative);
    const known = this.#mtime(path);
    const entries = known === undefined ? undefined : this.#list(path);
    if (known === undefined || !entries) {
      this.#dirs.delete(path);
      return;
    }
    const isNew = !this.#dirs.has(path);
    this.#dirs.set(path, { root, relative, mtimeNs: known });
    if (isNew && relative === '') this.#noteLink(path);
    yield;
    for (const entry of entries) {
      const below = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.isFile()) this.#file(root, below);
      else if (depth < MAX_DEPTH && this.#isDirectory(entry, root, below))
        yield* this.#enter(root, below, depth + 1);
    }
  }

  /** Looks at one file; says whether there is one. */
  lookAt(ref: FileRef): boolean {
    const stat = lstatSync(ref.path, { bigint: true, throwIfNoEntry: false });
    if (!stat?.isFile()) return false;
    this.#options.listener.onFile(ref, factsOf(stat));
    return true;
  }

  #file(root: Root, relative: string): void {
    const ref = this.#options.layout.fileIn(root, relative);
    if (ref) this.lookAt(ref);
  }

  #isDirectory(entry: Dirent, root: Root, relative: string): boolean {
    if (root.source.skipDirectory(relative)) return false;
    if (entry.isDirectory()) return true;
    return entry.isSymbolicLink() && this.#noteLink(join(root.dir, relative));
  }

  /**
   * People move a store to another disk and leave a link. It is followed when its target is a directory of
   * the same owner inside the home, and reported otherwise.
   */
  #noteLink(path: string): boolean {
    const { home, layout, ownerUid, listener } = this.#options;
    try {
      if (!lstatSync(path).isSymbolicLink()) return false;
      const real = realpathSync(path);
      const stat = statSync(real);
      if (!stat.isDirectory()) return false;
      const isOurs =
        (ownerUid === null || stat.uid === ownerUid) && real.startsWith(`${realpathSync(home)}/`);
      if (!isOurs) {
        this.unreadable.set(path, 'link to a directory outside the home');
        return false;
      }
      layout.alias(real, path);
      listener.onLinkedDirectory(real);
      return true;
    } catch {
      return false;
    }
  }

  #mtime(path: string): bigint | undefined {
    return statSync(path, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
  }

  #list(path: string): Dirent[] | undefined {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (error) {
      const code = errnoOf(error) ?? 'EIO';
      if (code !== 'ENOENT' && code !== 'ENOTDIR') this.unreadable.set(path, code);
      return undefined;
    }
  }
}

function depthOf(relative: string): number {
  return relative === '' ? 0 : relative.split('/').length;
}
