import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAbsolute } from 'node:path/posix';
import type { DraftRow, Role } from '../../agent/contract/row.ts';
import { rowIdOf } from '../../agent/contract/row-id.ts';
import type {
  FileSpec,
  LogSpec,
  ParseContext,
  SmallFiles,
  Source,
  StandingSpec,
} from '../../agent/contract/source.ts';

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
    notes,
    fileTime: () => FILE_TIME,
    project: () => undefined,
    knownSession: () => undefined,
    small: { text: () => undefined, list: () => [] },
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
  const all = source.roots.flatMap((root) => rootRows(source, home, root.path));
  const seen = new Map<string, HomeRow>();
  for (const row of all) if (row.copyOf === undefined && !seen.has(row.row_id)) seen.set(row.row_id, row);
  for (const row of releasedCopies(all)) if (!seen.has(row.row_id)) seen.set(row.row_id, row);
  return [...seen.values()];
}

function rootRows(source: Source, home: string, root: string): HomeRow[] {
  const dir = join(home, root);
  return sourcePaths(source, dir, '').flatMap((path) => {
    const spec = source.files.find((file) => file.matches(path));
    if (!spec) return [];
    const source_file = `${root}/${path}`;
    const rows = parseFile(spec, readFileSync(join(dir, path)), homeContext(source, dir, path));
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

function homeContext(source: Source, dir: string, path: string): FakeContext {
  const small = smallFiles(dir);
  return fakeContext(path, {
    project: (recorded) => source.projectOf?.({ path, recorded }, small),
    knownSession: (prefix) => source.sessionOf?.({ path, prefix }, small),
    small,
  });
}

/** Paths of the files below a root that a walk reaches, sorted. */
export function sourcePaths(source: Source, dir: string, relative: string): string[] {
  if (source.skipDirectory(relative, 'store')) return [];
  const paths: string[] = [];
  for (const entry of entriesOf(join(dir, relative))) {
    const path = relative === '' ? entry.name : `${relative}/${entry.name}`;
    if (entry.isDirectory()) paths.push(...sourcePaths(source, dir, path));
    else if (entry.isFile()) paths.push(path);
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
