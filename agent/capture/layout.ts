import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FileSpec, Place, Source } from '../contract/source.ts';
import { mainPathOf } from './database/side-files.ts';

/** A directory that one source reads for one home. */
export interface Root {
  readonly source: Source;
  readonly dir: string;
  readonly place: Place;
  /** The directory as rows name it: relative to the home, or absolute when it lies elsewhere. */
  readonly key: string;
  /** The project, as its coding agent records it, whose settings these are. */
  readonly project?: string;
  /** The only file that counts here, by its name and the name of its spec. */
  readonly only?: { readonly file: string; readonly spec: string };
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
  /** Grows while projects and stores become known. */
  readonly roots: readonly Root[];
  /** Another root; undefined when its directory is one already. */
  add(root: Omit<Root, 'key'>): Root | undefined;
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

/** A source, and where else it is read. */
export interface SourcePlaces {
  readonly source: Source;
  /** Stores beside the usual ones: absolute, or relative to the home. */
  readonly extraRoots: readonly string[];
  /** Directories with settings of the machine. */
  readonly systemRoots?: readonly string[];
  /** Single files elsewhere, by the name of their spec. */
  readonly extraFiles?: readonly ExtraFile[];
}

export interface ExtraFile {
  readonly spec: string;
  readonly path: string;
}

export interface LayoutOptions {
  readonly home: string;
  readonly sources: readonly SourcePlaces[];
}

export function createLayout({ home, sources }: LayoutOptions): Layout {
  const roots: Root[] = [];
  const aliases = new Map<string, string>();

  function add(root: Omit<Root, 'key'>): Root | undefined {
    const isKnown = roots.some(
      ({ dir, source, only }) => dir === root.dir && source === root.source && only?.file === root.only?.file,
    );
    if (isKnown) return undefined;
    const keyed = { ...root, key: keyOf(home, root.dir) };
    roots.push(keyed);
    return keyed;
  }

  function logical(path: string): string {
    for (const [real, name] of aliases) if (isBelow(path, real)) return name + path.slice(real.length);
    return path;
  }

  function* places(path: string): Generator<PlaceInRoot> {
    const named = logical(path);
    for (const root of roots) {
      if (named === root.dir) yield { root, relative: '' };
      else if (isBelow(named, root.dir) && mayHold(root, named))
        yield { root, relative: relativeTo(root.dir, named) };
    }
  }

  for (const places of sources) for (const root of rootsOf(home, places)) add(root);
  return {
    roots,
    add,
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
        const prefix = keyPrefix(root);
        const ref = key.startsWith(prefix) && fileIn(root, key.slice(prefix.length));
        if (ref) return ref;
      }
      return undefined;
    },
    alias: (real, name) => void aliases.set(real, name),
  };
}

/** A root for a single file leaves everything else in its directory to other roots. */
function mayHold({ only, dir }: Root, path: string): boolean {
  return only === undefined || path === join(dir, only.file);
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
    key: keyPrefix(root) + relativePath,
  };
}

/** A root that is the home itself has an empty key. */
function keyPrefix({ key }: Root): string {
  return key === '' ? '' : `${key}/`;
}

function specOf(root: Root, relativePath: string): FileSpec | undefined {
  return root.source.files.find((spec) => isSpecOf(root, spec, relativePath));
}

/** A journal or log of a database is that database: what changes it changes the database. */
function databaseBeside(root: Root, relativePath: string): FileSpec | undefined {
  const main = mainPathOf(relativePath);
  const spec = main === relativePath ? undefined : specOf(root, main);
  return spec?.kind === 'database' ? spec : undefined;
}

const STORE_ONLY: readonly Place[] = ['store'];

function isSpecOf({ place, only }: Root, spec: FileSpec, relativePath: string): boolean {
  if (only !== undefined) return only.spec === spec.name && only.file === relativePath;
  return (spec.places ?? STORE_ONLY).includes(place) && spec.matches(relativePath);
}

function* rootsOf(home: string, places: SourcePlaces): Generator<Omit<Root, 'key'>> {
  const { source, extraRoots, systemRoots = [], extraFiles = [] } = places;
  for (const { path } of source.roots) yield { source, dir: join(home, path), place: 'store' };
  for (const dir of extraRoots) yield { source, dir: inHome(home, dir), place: 'store' };
  for (const dir of systemRoots) yield { source, dir: resolve(dir), place: 'system' };
  for (const { spec, path } of extraFiles) {
    const file = inHome(home, path);
    const place = source.files.find(({ name }) => name === spec)?.places?.at(0) ?? 'store';
    yield { source, dir: dirname(file), place, only: { file: basename(file), spec } };
  }
}

/** Absolute as it is, or relative to the home. */
export function inHome(home: string, path: string): string {
  return isAbsolute(path) ? resolve(path) : join(home, path);
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

/** Whether a directory below a root is not entered; one file elsewhere is no reason to look around there. */
export function isSkipped({ source, place, only }: Root, relativePath: string): boolean {
  return only === undefined ? source.skipDirectory(relativePath, place) : relativePath !== '';
}

/** What is watched for a root: its directory, or the only file in it that counts. */
export function watchedPath({ dir, only }: Root): string {
  return only === undefined ? dir : join(dir, only.file);
}

/** Whose files count below a root: the home's owner's, but settings of the machine belong to whoever administers it. */
export function ownerBelow({ place }: Root, ownerUid: number | null): number | null {
  return place === 'system' ? null : ownerUid;
}

function slashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
