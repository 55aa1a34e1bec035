import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isAbsolute } from 'node:path/posix';
import type { DraftRow, Role } from '../../agent/contract/row.ts';
import { rowIdOf } from '../../agent/contract/row-id.ts';
import type {
  FileSpec,
  LogSpec,
  NamedFile,
  ParseContext,
  Place,
  SmallFiles,
  Source,
  StandingSpec,
} from '../../agent/contract/source.ts';
import { databaseFrom, parseDatabase } from '../support/database.ts';

/** Modification time that every file has in parser tests. */
export const FILE_TIME = '2026-12-01T00:00:00.000Z';

export interface FakeContext extends ParseContext {
  /** How often each code was noted. */
  readonly notes: Map<string, number>;
}

export function fakeContext(path: string, given: Partial<ParseContext> = {}): FakeContext {
  const notes = new Map<string, number>();
  return {
    path,
    root: '.gemini',
    notes,
    fileTime: () => FILE_TIME,
    project: () => undefined,
    knownSession: () => undefined,
    small: { text: () => undefined, list: () => [] },
    isRunning: () => undefined,
    note: (code) => void notes.set(code, (notes.get(code) ?? 0) + 1),
    ...given,
  };
}

/** Feeds a whole log line by line, as capture does: split at 0x0A, the last line unfinished. */
export function parseLog(spec: LogSpec, bytes: Buffer, context: ParseContext): DraftRow[] {
  const rows: DraftRow[] = [];
  const parser = spec.open(context);
  const emit = (row: DraftRow) => void rows.push(row);
  let start = 0;
  let line = 1;
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start), line++) {
    parser.line(Buffer.from(bytes.subarray(start, end)), line, emit);
    start = end + 1;
  }
  if (start < bytes.length) parser.unfinished(Buffer.from(bytes.subarray(start)), line, emit);
  return rows;
}

/** Parses any file the way its kind asks for. */
export function parseFile(spec: FileSpec, bytes: Buffer, context: ParseContext): DraftRow[] {
  if (spec.kind === 'log') return parseLog(spec, bytes, context);
  if (spec.kind === 'standing') return standingRows(spec, bytes, context);
  if (spec.kind === 'database') return parseDatabase(spec, bytes, context);
  const rows: DraftRow[] = [];
  spec.parse({ bytes, settled: true }, context, (row) => void rows.push(row));
  return rows;
}

/** Entries of a standing file as the rows of a first look at it. */
function standingRows(spec: StandingSpec, bytes: Buffer, context: ParseContext): DraftRow[] {
  const result = spec.read({ bytes, settled: true }, context);
  if (result.kind === 'torn') return [];
  if (result.kind === 'unreadable') return [...result.rows];
  return result.entries.map(({ label, key, value, subject, event, project, session, attributes }) => ({
    record: `${label} ${key}`,
    part: 'set',
    content: value,
    turn_type: 'system',
    text: `${label}: ${subject}`,
    event,
    timestamp_utc: FILE_TIME,
    timestamp_source: 'file',
    session_id: session ?? null,
    project_path: project ?? null,
    source_line: 1,
    attributes: { ...attributes, change: 'baseline', key, value },
  }));
}

export function draftId(source: Source, row: DraftRow): string {
  return rowIdOf({
    agent: source.id,
    sessionKey: row.sessionKey ?? row.session_id ?? '',
    record: row.record,
    part: row.part,
    content: row.content ?? row.text,
  });
}

export interface HomeRow extends DraftRow {
  readonly row_id: string;
  readonly source_file: string;
  readonly role: Role;
}

/**
 * All rows of a home as a single scan gives them: file after file in path order, each id once, standing files as
 * they are at first sight, and at the end those copies whose record nobody has.
 */
export function parseHome(source: Source, home: string): HomeRow[] {
  const all = fixtureRoots(source, home).flatMap((root) => rootRows(source, root));
  const seen = new Map<string, HomeRow>();
  for (const row of all) if (row.copyOf === undefined && !seen.has(row.row_id)) seen.set(row.row_id, row);
  for (const row of releasedCopies(all)) if (!seen.has(row.row_id)) seen.set(row.row_id, row);
  return [...seen.values()];
}

interface FixtureRoot {
  readonly place: Place;
  readonly dir: string;
  readonly key: string;
  readonly project?: string;
  /** The only file that counts here, and its spec. */
  readonly only?: NamedFile;
}

/**
 * What of a fixture a source reads: its stores in the home, settings in folders of the home that count as projects, and
 * settings of the machine, which lie in a folder `system` beside the home.
 */
export function fixtureRoots(source: Source, home: string): FixtureRoot[] {
  const { projectDirectory, systemDirectories } = source;
  const stores = source.roots.map(({ path }) => ({
    place: 'store' as const,
    dir: join(home, path),
    key: path,
  }));
  const projects = (projectDirectory === undefined ? [] : entriesOf(home)).map(({ name }) => ({
    place: 'project' as const,
    dir: join(home, name, projectDirectory ?? ''),
    key: `${name}/${projectDirectory}`,
    project: `/home/alice/${name}`,
  }));
  const system = (systemDirectories?.['linux'] ?? []).map((key) => ({
    place: 'system' as const,
    dir: join(home, '..', 'system'),
    key,
  }));
  const named = stores.flatMap(({ dir }) => [...(source.filesIn?.(smallFiles(dir)) ?? [])]);
  return [...stores, ...projects, ...system, ...named.flatMap((file) => namedRoots(home, file))];
}

/** A file that a store names: below `~/`, or in any folder of the home, which counts as a project. */
function namedRoots(home: string, { spec, path }: NamedFile): FixtureRoot[] {
  const places = path.startsWith('~/')
    ? [{ folder: '', path: path.slice(2) }]
    : entriesOf(home).map(({ name }) => ({ folder: name, path }));
  return places.flatMap(({ folder, path: file }): FixtureRoot[] => {
    const full = join(home, folder, file);
    if (!existsSync(full)) return [];
    const only = { spec, path: basename(full) };
    const root = { dir: dirname(full), key: relative(home, dirname(full)), only };
    if (folder === '') return [{ ...root, place: 'store' }];
    return [{ ...root, place: 'project', project: `/home/alice/${folder}` }];
  });
}

/** Files of a root that the source reads, each with its spec. */
export function filesIn(
  source: Source,
  { dir, place, only }: FixtureRoot,
): { path: string; spec: FileSpec }[] {
  const specOf = (path: string) =>
    only === undefined
      ? source.files.find((file) => isSpecIn(place, file) && file.matches(path))
      : source.files.find(({ name }) => name === only.spec);
  const paths = only === undefined ? sourcePaths(source, dir, '', place) : [only.path];
  return paths.flatMap((path) => {
    const spec = specOf(path);
    return spec ? [{ path, spec }] : [];
  });
}

function isSpecIn(place: Place, { places = ['store'] }: FileSpec): boolean {
  return places.includes(place);
}

function rootRows(source: Source, root: FixtureRoot): HomeRow[] {
  const { dir, key, project } = root;
  return filesIn(source, root).flatMap(({ path, spec }) => {
    const source_file = `${key}/${path}`;
    const context = homeContext(source, { root: key, dir, path, project });
    const rows = parseFile(spec, fixtureBytes(join(dir, path)), context);
    return rows.map((row) => {
      const text = spec.kind === 'standing' ? withFile(row, source_file) : row.text;
      return { row_id: draftId(source, row), source_file, role: spec.role, ...row, text };
    });
  });
}

/** A copy is a row when no record claims its name, and no better copy, which is one that claims a name itself. */
export function releasedCopies<Row extends DraftRow & { readonly row_id: string }>(
  rows: readonly Row[],
): Row[] {
  const claimed = new Set(rows.flatMap(({ copyOf, claims = [] }) => (copyOf === undefined ? claims : [])));
  const copies = new Map(rows.filter(({ copyOf }) => copyOf !== undefined).map((row) => [row.row_id, row]));
  const better = [...copies.values()].sort((a, b) => (b.claims?.length ?? 0) - (a.claims?.length ?? 0));
  return better.flatMap((row) => {
    if (claimed.has(row.copyOf ?? '')) return [];
    const [claim] = row.claims ?? [];
    if (claim !== undefined) claimed.add(claim);
    return [{ ...row, recovered: true }];
  });
}

/** A standing row names its file; capture adds that to what the parser gives. */
function withFile({ event, text }: DraftRow, file: string): string {
  return event === 'parser.error' ? text : `${text} (from ${file}, file mtime)`;
}

function homeContext(
  source: Source,
  { root, dir, path, project }: { root: string; dir: string; path: string; project: string | undefined },
): FakeContext {
  const small = smallFiles(dir);
  return fakeContext(path, {
    root,
    project: (recorded) => project ?? source.projectOf?.({ path, recorded }, small),
    knownSession: (prefix) => source.sessionOf?.({ path, prefix }, small),
    small,
  });
}

/** A fixture's file; a database stands there as the SQL text that makes it. */
export function fixtureBytes(path: string): Buffer {
  const sql = `${path}.sql`;
  return existsSync(sql) ? databaseFrom(readFileSync(sql, 'utf8')) : readFileSync(path);
}

/** Paths of the files below a root that a walk reaches, sorted; `x.sql` stands for the database x. */
export function sourcePaths(source: Source, dir: string, relative: string, place: Place = 'store'): string[] {
  if (source.skipDirectory(relative, place)) return [];
  const paths: string[] = [];
  for (const entry of entriesOf(join(dir, relative))) {
    const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
    if (entry.isDirectory()) paths.push(...sourcePaths(source, dir, path, place));
    else if (entry.isFile()) paths.push(path.replace(/\.sql$/, ''));
  }
  return paths;
}

export function smallFiles(dir: string): SmallFiles {
  return {
    text(relative, firstBytes) {
      if (isAbsolute(relative)) throw new Error('small files are named below the root');
      try {
        return readFileSync(join(dir, relative)).toString('utf8', 0, firstBytes);
      } catch {
        return undefined;
      }
    },
    list: (relative) => entriesOf(join(dir, relative)).map(({ name }) => name),
  };
}

function entriesOf(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
