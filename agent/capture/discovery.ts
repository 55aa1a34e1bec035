import { lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Cursor } from '../contract/commit.ts';
import type { NamedFile, SmallFiles, Source } from '../contract/source.ts';
import { inHome, isBelow, type Layout, type Root, type SourcePlaces } from './layout.ts';
import { isOfNetwork, type Reach } from './reach.ts';

export interface DiscoveryDeps {
  readonly home: string;
  readonly sources: readonly SourcePlaces[];
  readonly layout: Layout;
  /** The home is a copy: projects are only looked for in it, since paths of this machine are other projects. */
  readonly isCopy: boolean;
  readonly smallFiles: (root: Root) => SmallFiles;
  readonly reach: Reach;
  readonly onRoot: (root: Root) => void;
}

/** Projects of one source whose settings are observed. */
const MAX_PROJECTS = 200;

/** Names of projects that are remembered; further ones are not looked for. */
const MAX_NAMES = 5_000;

/**
 * asked: whether it is there will be known in a moment. missing: it may be on a disk that is not there now, and is asked
 * for again. elsewhere: a path of another machine, or none. passed over: there are too many.
 */
type ProjectState = 'asked' | 'observed' | 'missing' | 'elsewhere' | 'passed over';

interface FoundProject {
  readonly source: Source;
  readonly recorded: string;
  /** Where it lies here. */
  readonly project: string;
}

/** Stores beside the usual ones that settings may name. */
const MAX_STORES = 8;

/** Names of single files that are looked for, the latest of them, and files that are found by them. */
const MAX_FILE_NAMES = 32;
const MAX_FILES = 500;

/** Where a user's home lies, as the coding agent recorded it on the machine that the home was copied from. */
const HOMES = /^(?:\/(?:home|users|var\/home)\/[^/]+\/|\/root\/|[a-z]:[\\/]users[\\/][^\\/]+[\\/])(.+)$/i;

/** Learns which projects and further stores there are, and adds their directories to what is observed. */
export class Discovery {
  readonly #deps: DiscoveryDeps;
  readonly #projects = new Map<Source, Map<string, ProjectState>>();
  readonly #stores = new Map<Source, number>();
  readonly #observed = new Map<Source, FoundProject[]>();
  #files = 0;

  constructor(deps: DiscoveryDeps) {
    this.#deps = deps;
  }

  /** Projects that files read in earlier runs named. */
  load(cursors: readonly (readonly [string, Cursor])[]): void {
    for (const [, { source: id, tally }] of cursors) {
      const source = this.#deps.sources.find((one) => one.source.id === id)?.source;
      if (source && typeof tally?.project === 'string') this.project(source, tally.project);
    }
  }

  /** Asks the stores' own registries, and again for projects that were not there; for before everything is looked at. */
  look(): void {
    for (const [source, states] of this.#projects)
      for (const [project, state] of states) if (state === 'missing') this.#ask(source, project, states);
    for (const root of [...this.#deps.layout.roots])
      if (root.place === 'store' && root.only === undefined) this.#askStore(root);
  }

  #askStore(root: Root): void {
    const { source } = root;
    const small = this.#deps.smallFiles(root);
    for (const dir of source.storesIn?.(small) ?? []) this.#addStore(source, dir);
    for (const project of source.projectsIn?.(small) ?? []) this.project(source, project);
    const files = [...(source.filesIn?.(small) ?? [])];
    for (const file of files.slice(-MAX_FILE_NAMES)) this.#findFile(source, file);
  }

  /** A source's row or registry names a project; called for every row, so what is known costs nothing. */
  project(source: Source, recorded: string): void {
    if (source.projectDirectory === undefined) return;
    const states = this.#projects.get(source) ?? new Map<string, ProjectState>();
    this.#projects.set(source, states);
    if (!states.has(recorded) && states.size < MAX_NAMES) this.#ask(source, recorded, states);
  }

  #ask(source: Source, recorded: string, states: Map<string, ProjectState>): void {
    const { home, isCopy, reach } = this.#deps;
    const project = isCopy ? inCopy(home, recorded) : recorded;
    if (project === undefined || !isAbsolute(project)) {
      states.set(recorded, 'elsewhere');
      return;
    }
    const found = () => this.#observe({ source, recorded, project }, states);
    const missing = () => void states.set(recorded, 'missing');
    states.set(recorded, 'asked');
    if (!isBelow(project, home)) reach.ask(project, found, missing);
    else if (isDirectory(project)) found();
    else missing();
  }

  #observe({ source, recorded, project }: FoundProject, states: Map<string, ProjectState>): void {
    const { layout, onRoot } = this.#deps;
    if (countOf(states, 'observed') >= MAX_PROJECTS) {
      states.set(recorded, 'passed over');
      return;
    }
    states.set(recorded, 'observed');
    this.#observed.set(source, [...(this.#observed.get(source) ?? []), { source, recorded, project }]);
    const dir = join(project, source.projectDirectory ?? '');
    const root = layout.add({ source, dir, place: 'project', project: recorded });
    if (root) onRoot(root);
  }

  /** A relative name was typed in a directory that nobody knows: it may be a file of any project. */
  #findFile(source: Source, { spec, path }: NamedFile): void {
    const { home, isCopy, reach } = this.#deps;
    if (isRelative(path)) {
      for (const { project, recorded } of this.#observed.get(source) ?? [])
        this.#addFile(source, { spec, path: join(project, path), recorded });
      return;
    }
    const named = path.startsWith('~/') ? join(home, path.slice(2)) : path;
    const here = isCopy && isElsewhere(named) ? inCopy(home, named) : named;
    if (here === undefined || isOfNetwork(here)) return;
    const add = () => this.#addFile(source, { spec, path: here });
    if (isBelow(here, home)) add();
    else reach.ask(dirname(here), add, () => {});
  }

  #addFile(source: Source, { spec, path, recorded }: NamedFile & { readonly recorded?: string }): void {
    if (this.#files >= MAX_FILES || !isFile(path)) return;
    const root = this.#deps.layout.add({
      source,
      dir: dirname(path),
      only: { file: basename(path), spec },
      ...(recorded === undefined ? { place: 'store' } : { place: 'project', project: recorded }),
    });
    if (!root) return;
    this.#files++;
    this.#deps.onRoot(root);
  }

  /** What is not observed, for health. */
  problems(): string[] {
    const stuck = this.#deps.reach.stuck();
    const tooMany = [...this.#projects].flatMap(([{ title }, states]) => {
      const count = countOf(states, 'passed over');
      if (count === 0) return [];
      return [`${title}: settings of ${count} projects beyond the first ${MAX_PROJECTS} are not observed`];
    });
    return stuck === undefined ? tooMany : [...tooMany, `${stuck}: does not answer`];
  }

  #addStore(source: Source, named: string): void {
    const { home, layout, isCopy, onRoot } = this.#deps;
    const count = this.#stores.get(source) ?? 0;
    const path = isCopy && isElsewhere(named) ? inCopy(home, named) : named;
    if (path === undefined || count >= MAX_STORES || isOfNetwork(path)) return;
    const root = layout.add({ source, dir: inHome(home, path), place: 'store' });
    if (!root) return;
    this.#stores.set(source, count + 1);
    onRoot(root);
  }
}

function countOf(states: ReadonlyMap<string, ProjectState>, wanted: ProjectState): number {
  let count = 0;
  for (const state of states.values()) if (state === wanted) count++;
  return count;
}

function isRelative(path: string): boolean {
  return !path.startsWith('~/') && !isElsewhere(path) && !isAbsolute(path);
}

function isElsewhere(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:/.test(path);
}

/** The place in a copied home of a path below it, or below the home that it was copied from. */
function inCopy(home: string, recorded: string): string | undefined {
  if (/(?:^|[\\/])\.\.(?:[\\/]|$)/.test(recorded)) return undefined;
  if (isBelow(recorded, home)) return recorded;
  const parts = HOMES.exec(recorded)?.[1]?.split(/[\\/]/);
  if (parts === undefined) return undefined;
  return recorded.startsWith('/') ? join(home, ...parts) : withoutCase(home, parts);
}

/** Windows knows no case, and programs record paths in small letters; the copy may lie on a disk that does. */
function withoutCase(home: string, parts: readonly string[]): string {
  return parts.reduce(
    (dir, part) => join(dir, namesIn(dir).find((name) => isSameName(name, part)) ?? part),
    home,
  );
}

function isSameName(name: string, part: string): boolean {
  return name.toLowerCase() === part.toLowerCase();
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

/** Whether a plain file is there, without following a link. */
function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}

/** Whether a project of the home is there. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
