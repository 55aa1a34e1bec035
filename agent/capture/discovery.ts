import { readdirSync, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Cursor } from '../contract/commit.ts';
import type { SmallFiles, Source } from '../contract/source.ts';
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

/** Stores beside the usual ones that settings may name. */
const MAX_STORES = 8;

/** Where a user's home lies, as the coding agent recorded it on the machine that the home was copied from. */
const HOMES = /^(?:\/(?:home|users|var\/home)\/[^/]+\/|\/root\/|[a-z]:[\\/]users[\\/][^\\/]+[\\/])(.+)$/i;

/** Learns which projects and further stores there are, and adds their directories to what is observed. */
export class Discovery {
  readonly #deps: DiscoveryDeps;
  readonly #projects = new Map<Source, Set<string>>();
  readonly #stores = new Map<Source, number>();
  readonly #missing = new Map<Source, Set<string>>();
  readonly #passedOver = new Map<Source, Set<string>>();

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
    for (const [source, missed] of this.#missing)
      for (const project of [...missed]) this.project(source, project);
    for (const root of [...this.#deps.layout.roots]) {
      if (root.place !== 'store' || root.only !== undefined) continue;
      const small = this.#deps.smallFiles(root);
      for (const dir of root.source.storesIn?.(small) ?? []) this.#addStore(root.source, dir);
      for (const project of root.source.projectsIn?.(small) ?? []) this.project(root.source, project);
    }
  }

  /** A source's row or registry names a project. */
  project(source: Source, recorded: string): void {
    const { home, isCopy, reach } = this.#deps;
    if (source.projectDirectory === undefined || this.#projects.get(source)?.has(recorded)) return;
    const project = isCopy ? inCopy(home, recorded) : recorded;
    if (project === undefined || !isAbsolute(project)) return;
    const found = () => this.#observe(source, recorded, project);
    const missing = () => this.#miss(source, recorded);
    if (!isBelow(project, home)) reach.ask(project, found, missing);
    else if (isDirectory(project)) found();
    else missing();
  }

  #observe(source: Source, recorded: string, project: string): void {
    const { layout, onRoot } = this.#deps;
    this.#missing.get(source)?.delete(recorded);
    const known = this.#projects.get(source) ?? new Set();
    this.#projects.set(source, known);
    if (known.has(recorded)) return;
    if (known.size >= MAX_PROJECTS) {
      this.#passOver(source, recorded);
      return;
    }
    known.add(recorded);
    const dir = join(project, source.projectDirectory ?? '');
    const root = layout.add({ source, dir, place: 'project', project: recorded });
    if (root) onRoot(root);
  }

  /** What is not observed, for health. */
  problems(): string[] {
    const stuck = this.#deps.reach.stuck();
    const tooMany = [...this.#passedOver].map(
      ([{ title }, projects]) =>
        `${title}: settings of ${projects.size} projects beyond the first ${MAX_PROJECTS} are not observed`,
    );
    return stuck === undefined ? tooMany : [...tooMany, `${stuck}: does not answer`];
  }

  /** It may be on a disk that is not there now. */
  #miss(source: Source, project: string): void {
    const missing = this.#missing.get(source) ?? new Set();
    if (missing.size < MAX_PROJECTS) missing.add(project);
    this.#missing.set(source, missing);
  }

  #passOver(source: Source, project: string): void {
    const passed = this.#passedOver.get(source) ?? new Set();
    if (passed.size < MAX_PROJECTS * 10) passed.add(project);
    this.#passedOver.set(source, passed);
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

/** Whether a project of the home is there. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
