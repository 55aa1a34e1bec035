import { type BigIntStats, type Dirent, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '../contract/errors.ts';
import { besideOf } from './database/side-files.ts';
import {
  type FileRef,
  isBelow,
  isSkipped,
  type Layout,
  ownerBelow,
  type Root,
  relativeTo,
} from './layout.ts';
import { type FileFacts, factsOf } from './open-file.ts';

export interface WalkListener {
  onFile(ref: FileRef, facts: FileFacts): void;
  /** A directory that is a symbolic link to another place of the same owner; it needs a watch of its own. */
  onLinkedDirectory(real: string): void;
  /** Another directory stands in the place of a root: the watch on the old one tells nothing of it. */
  onReplacedRoot(): void;
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
  readonly mtimeNs: bigint;
  readonly ino: bigint;
}

/** What decoding puts in place of bytes of a name that are not UTF-8; such a name cannot be given back. */
const NOT_UTF8 = '\ufffd';

/**
 * Finds the source files of a home by looking, which is what guarantees: watch events only make it faster.
 * Walks yield after every directory, so that the caller can give way to other work.
 */
export class Walker {
  /** Directories that could not be listed, with the reason. */
  readonly unreadable = new Map<string, string>();
  readonly #options: WalkerOptions;
  /** By source and path: a directory that two sources read has two lists of what they enter in it. */
  readonly #dirs = new Map<string, KnownDir>();
  /** Links that are followed, by the directory they lead to: each is followed under one name only. */
  readonly #links = new Map<string, string>();

  constructor(options: WalkerOptions) {
    this.#options = options;
  }

  isPresent(root: Root): boolean {
    return this.#dirs.has(dirKey(root, ''));
  }

  /** Every directory and file below every root. */
  *full(): Generator<void> {
    this.unreadable.clear();
    this.#links.clear();
    for (const root of this.#options.layout.roots) yield* this.#enter(root, '', true);
  }

  /** Only directories whose entries changed since they were last listed: finds what came, went or was renamed. */
  *quick(): Generator<void> {
    for (const root of this.#options.layout.roots)
      if (!this.isPresent(root)) yield* this.#enter(root, '', true);
    for (const [key, dir] of [...this.#dirs]) {
      const path = join(dir.root.dir, dir.relative);
      const stat = this.#look(statSync, path, path);
      if (stat === undefined) this.#dirs.delete(key);
      else if (stat.mtimeNs !== dir.mtimeNs || stat.ino !== dir.ino)
        yield* this.#enter(dir.root, dir.relative, false);
    }
  }

  /** One directory and what is below it, for a watch event that named it. */
  *below(root: Root, relative: string): Generator<void> {
    if (this.#mayEnter(root, relative)) yield* this.#enter(root, relative, true);
  }

  /** `again`: also into directories that are known, which otherwise are looked at when they change themselves. */
  *#enter(root: Root, relative: string, again: boolean): Generator<void> {
    const entries = this.#open(root, relative);
    if (!entries) return;
    yield;
    for (const entry of entries) {
      const below = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (entry.isFile()) this.#file(root, below);
      else if (!this.#isDirectory(entry, root, below)) this.#noteOther(root, below, entry);
      else if (again || !this.#dirs.has(dirKey(root, below))) yield* this.#enter(root, below, again);
    }
  }

  /** The entries of a directory, which is known from then on; undefined when it is not there or not to be entered. */
  #open(root: Root, relative: string): Dirent[] | undefined {
    const path = join(root.dir, relative);
    const key = dirKey(root, relative);
    const stat = this.#look(statSync, path, path);
    const entries = stat && this.#list(path);
    if (!stat || !entries || (relative === '' && !this.#mayEnter(root, ''))) {
      if (!stat && relative.includes(NOT_UTF8)) this.#noteName(path);
      this.#dirs.delete(key);
      return undefined;
    }
    const known = this.#dirs.get(key);
    this.#dirs.set(key, { root, relative, mtimeNs: stat.mtimeNs, ino: stat.ino });
    if (relative === '' && known && known.ino !== stat.ino) this.#options.listener.onReplacedRoot();
    return entries;
  }

  /** Looks at one file; says whether there is one. One that may not be looked at is not gone. */
  lookAt(ref: FileRef): boolean {
    const dir = dirname(ref.path);
    const stat = this.#look(lstatSync, ref.path, dir);
    if (stat === undefined) return this.unreadable.has(dir);
    if (!stat.isFile()) return false;
    const facts = factsOf(stat);
    const isDatabase = ref.spec.kind === 'database';
    this.#options.listener.onFile(ref, isDatabase ? { ...facts, beside: besideOf(ref.path) } : facts);
    return true;
  }

  #file(root: Root, relative: string): void {
    const ref = this.#options.layout.fileIn(root, relative);
    if (ref && !this.lookAt(ref) && relative.includes(NOT_UTF8)) this.#noteName(ref.path);
  }

  /** A link, a pipe or a device in the place of a file that would be read. */
  #noteOther(root: Root, relative: string, entry: Dirent): void {
    if (entry.isDirectory() || !this.#options.layout.fileIn(root, relative)) return;
    const reason = entry.isSymbolicLink() ? 'symbolic link' : 'not a plain file';
    this.unreadable.set(join(root.dir, relative), reason);
  }

  #noteName(path: string): void {
    this.unreadable.set(path, 'its name is not valid UTF-8');
  }

  #isDirectory(entry: Dirent, root: Root, relative: string): boolean {
    if (isSkipped(root, relative) || relative.split('/').length > MAX_DEPTH) return false;
    if (entry.isDirectory()) return true;
    return entry.isSymbolicLink() && this.#mayFollow(root, relative);
  }

  #mayEnter(root: Root, relative: string): boolean {
    const path = join(root.dir, relative);
    return !this.#look(lstatSync, path, path)?.isSymbolicLink() || this.#mayFollow(root, relative);
  }

  /**
   * People move a store to another disk and leave a link. A linked store is followed when its target is a
   * directory of the same owner, a link inside a store only when the target lies in the home as well. What is in a
   * project came from anywhere: a link there leads no further than the project and the home.
   */
  #mayFollow(root: Root, relative: string): boolean {
    const { home, layout, ownerUid, listener } = this.#options;
    const path = join(root.dir, relative);
    try {
      const real = realpathSync(path);
      const stat = statSync(real);
      if (!stat.isDirectory() || this.#isReached(root, path, real)) return false;
      const own = root.place === 'project' ? [home, dirname(root.dir)] : [home];
      const isInside = own.some((dir) => isBelow(real, realpathSync(dir)));
      const owner = ownerBelow(root, ownerUid);
      const isOwn = ownerUid === null ? isInside : owner === null || stat.uid === owner;
      const mayLeave = relative === '' && root.place !== 'project';
      if (!isOwn || !(isInside || mayLeave)) {
        this.unreadable.set(path, 'link to a directory outside the home');
        return false;
      }
      this.#links.set(real, path);
      layout.alias(real, path);
      listener.onLinkedDirectory(real);
      return true;
    } catch {
      return false;
    }
  }

  /** Whether a link leads back up, or to what is walked under another name anyway. */
  #isReached({ source }: Root, path: string, real: string): boolean {
    if (isBelow(realpathSync(dirname(path)), real)) return true;
    for (const [known, name] of this.#links) if (name !== path && isBelow(real, known)) return true;
    return this.#options.layout.roots.some(
      (root) => root.source === source && root.dir !== path && this.isPresent(root) && isWalked(root, real),
    );
  }

  /** Undefined for what is not there, and for what may not be looked at, which is noted under `dir`. */
  #look(stat: typeof lstatSync | typeof statSync, path: string, dir: string): BigIntStats | undefined {
    try {
      return stat(path, { bigint: true, throwIfNoEntry: false });
    } catch (error) {
      this.unreadable.set(dir, errnoOf(error) ?? 'EIO');
      return undefined;
    }
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

function dirKey({ source, dir }: Root, relative: string): string {
  return `${source.id} ${join(dir, relative)}`;
}

/** Whether a walk of the root comes to the directory under its own name. */
function isWalked(root: Root, real: string): boolean {
  const dir = realpathSync(root.dir);
  if (!isBelow(real, dir)) return false;
  const parts = relativeTo(dir, real).split('/');
  return !parts.some((_, index) => isSkipped(root, parts.slice(0, index + 1).join('/')));
}
