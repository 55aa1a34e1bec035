import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FileSpec, Place, Source } from '../contract/source.ts';

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
  /** Every root that holds a path: several sources may read one directory, each its own files. */
  places(path: string): Iterable<PlaceInRoot>;
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

  function* places(path: string): Generator<PlaceInRoot> {
    const named = logical(path);
    for (const root of roots) {
      if (named === root.dir) yield { root, relative: '' };
      else if (isBelow(named, root.dir)) yield { root, relative: relativeTo(root.dir, named) };
    }
  }

  return {
    roots,
    place: (path) => places(path).next().value ?? undefined,
    places,
    file(path) {
      for (const { root, relative } of places(path)) {
        const found = fileIn(root, relative);
        if (found) return found;
      }
      return undefined;
    },
    fileIn,
    byKey(key) {
      for (const root of roots) {
        const found = key.startsWith(`${root.key}/`) && fileIn(root, key.slice(root.key.length + 1));
        if (found) return found;
      }
      return undefined;
    },
    alias: (real, name) => void aliases.set(real, name),
  };
}

function fileIn(root: Root, relativePath: string): FileRef | undefined {
  const spec = root.source.files.find(
    (candidate) => isSpecOf(root, candidate) && candidate.matches(relativePath),
  );
  if (!spec) return undefined;
  return {
    root,
    spec,
    relative: relativePath,
    path: join(root.dir, relativePath),
    key: `${root.key}/${relativePath}`,
  };
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
