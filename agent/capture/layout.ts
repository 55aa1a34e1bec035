import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FileSpec, Place, Source } from '../contract/source.ts';
import { mainPathOf } from './database/side-files.ts';

/** A directory of one home that one source reads. */
export interface Root {
  readonly source: Source;
  readonly dir: string;
  readonly place: Place;
  /** The directory as rows name it: relative to the home, or absolute when it lies elsewhere. */
  readonly key: string;
}

/** A source file, known by its place. */
export interface FileRef {
  readonly root: Root;
  readonly spec: FileSpec;
  readonly path: string;
  /** Root-relative, forward slashes. */
  readonly relative: string;
  /** Home-relative, forward slashes; the name of the file in rows and cursors. */
  readonly key: string;
}

export interface PlaceInRoot {
  readonly root: Root;
  readonly relative: string;
}

/** Where the sources of one home lie, and what a path in it is. */
export interface Layout {
  readonly roots: readonly Root[];
  /** The root that holds a path; the path of a root itself has the relative place "". */
  place(path: string): PlaceInRoot | undefined;
  file(path: string): FileRef | undefined;
  fileIn(root: Root, relativePath: string): FileRef | undefined;
  /** The file that rows and cursors name so. */
  byKey(key: string): FileRef | undefined;
  /** Says that the files below `real` are also reached as `logical`, which names them from now on. */
  alias(real: string, logical: string): void;
}

export interface LayoutOptions {
  readonly home: string;
  readonly sources: readonly { readonly source: Source; readonly extraRoots: readonly string[] }[];
}

export function createLayout({ home, sources }: LayoutOptions): Layout {
  const roots = sources.flatMap(({ source, extraRoots }) => rootsOf(home, source, extraRoots));
  const aliases = new Map<string, string>();

  function logical(path: string): string {
    for (const [real, name] of aliases) if (isBelow(path, real)) return name + path.slice(real.length);
    return path;
  }

  function place(path: string): PlaceInRoot | undefined {
    const named = logical(path);
    for (const root of roots) {
      if (named === root.dir) return { root, relative: '' };
      if (isBelow(named, root.dir)) return { root, relative: relativeTo(root.dir, named) };
    }
    return undefined;
  }

  return {
    roots,
    place,
    file(path) {
      const found = place(path);
      return found && fileIn(found.root, found.relative);
    },
    fileIn,
    byKey(key) {
      const root = roots.find((candidate) => key.startsWith(`${candidate.key}/`));
      return root && fileIn(root, key.slice(root.key.length + 1));
    },
    alias: (real, name) => void aliases.set(real, name),
  };
}

function fileIn(root: Root, path: string): FileRef | undefined {
  const spec = specOf(root, path) ?? databaseBeside(root, path);
  if (!spec) return undefined;
  const relativePath = spec.kind === 'database' ? mainPathOf(path) : path;
  return {
    root,
    spec,
    relative: relativePath,
    path: join(root.dir, relativePath),
    key: `${root.key}/${relativePath}`,
  };
}

function specOf(root: Root, relativePath: string): FileSpec | undefined {
  return root.source.files.find((spec) => isSpecOf(root, spec) && spec.matches(relativePath));
}

/** A journal or log of a database is that database: what changes it changes the database. */
function databaseBeside(root: Root, relativePath: string): FileSpec | undefined {
  const main = mainPathOf(relativePath);
  const spec = main === relativePath ? undefined : specOf(root, main);
  return spec?.kind === 'database' ? spec : undefined;
}

const STORE_ONLY: readonly Place[] = ['store'];

function isSpecOf({ place }: Root, { places = STORE_ONLY }: FileSpec): boolean {
  return places.includes(place);
}

function rootsOf(home: string, source: Source, extraRoots: readonly string[]): Root[] {
  const own = source.roots.map(({ path }) => join(home, path));
  const extra = extraRoots.map((dir) => (isAbsolute(dir) ? resolve(dir) : join(home, dir)));
  return [...new Set([...own, ...extra])].map((dir) => ({
    source,
    dir,
    place: 'store',
    key: keyOf(home, dir),
  }));
}

function keyOf(home: string, dir: string): string {
  const inside = relative(home, dir);
  return inside.startsWith('..') || isAbsolute(inside) ? slashes(dir) : slashes(inside);
}

/** A path below a directory as named from there, with forward slashes; the directory itself is "". */
export function relativeTo(dir: string, path: string): string {
  return slashes(path.slice(dir.length + 1));
}

/** Whether a path is a directory or lies below it. */
export function isBelow(path: string, dir: string): boolean {
  return path.startsWith(dir) && (path.length === dir.length || path[dir.length] === sep);
}

function slashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
