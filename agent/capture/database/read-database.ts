import { type Clock, isoTime } from '../../contract/clock.ts';
import type { RecordNote } from '../../contract/commit.ts';
import type { Retention } from '../../contract/lifecycle.ts';
import type { DraftRow } from '../../contract/row.ts';
import type { DatabaseSpec, GoneRecord, ParseContext, RecordMemory } from '../../contract/source.ts';
import { isSameFile } from '../fingerprint.ts';
import { brokenRow } from '../live-log.ts';
import type { FileFacts, OpenedFile } from '../open-file.ts';
import type { Outlet } from '../outlet.ts';
import { wholeCursor } from '../read-whole.ts';
import type { Track } from '../track.ts';
import { type ChangedRecord, cellsOf, type Listing, listTable, wantedBytes } from './listing.ts';
import { Malformed, noting } from './malformed.ts';
import type { DatabaseMemory } from './memory.ts';
import { digest, type Note, noteOf } from './note.ts';
import { tailBytesOf, wholePayload } from './payload.ts';
import { createProblems, type Problems, problemRow } from './problems.ts';
import { readSchema } from './schema.ts';
import { besideOf } from './side-files.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

export interface ReadDatabaseDeps {
  readonly outlet: Outlet;
  readonly clock: Clock;
  readonly ownerUid: number | null;
  readonly settleMs: number;
  /** Largest value that is read. */
  readonly maxValueBytes: number;
  readonly context: (track: Track) => ParseContext;
  readonly retention: (track: Track) => Retention;
}

/** settle: something in it is malformed and may be whole in a moment. moving: it is being written right now. */
export type DatabaseOutcome = 'done' | 'more' | 'settle' | 'moving';

/** Longest stretch of reading before others get their turn, and longest look at the leaves of all tables. */
const SLICE_MS = 40;
const LIST_MS = 1_500;
/** Records that are found and then read before the leaves are gone through again. */
const MOST_AT_ONCE = 200;

/** One look: finds the records that changed, reads each in one short go, tells which are gone. */
export function readDatabase(
  track: Track,
  spec: DatabaseSpec,
  file: OpenedFile,
  deps: ReadDatabaseDeps,
): DatabaseOutcome {
  const { clock, ownerUid, settleMs } = deps;
  const { path } = track.ref;
  const start = clock.monotonic();
  const look: Look = {
    track,
    spec,
    deps,
    memory: track.database,
    facts: { ...file.facts, beside: besideOf(path) },
    problems: createProblems(),
    notes: [],
    complaints: 0,
    isOver: () => clock.monotonic() - start > SLICE_MS,
    isTooLong: () => clock.monotonic() - start > LIST_MS,
  };
  const result = takeSnapshot(file, look.memory, { path, ownerUid, clock, settleMs, until: look.isOver });
  if (result.kind === 'more') return 'more';
  if (result.kind === 'moving') return moving(look);
  if (result.kind === 'unreadable') look.problems.onBad(new Malformed(result.reason, 0));
  if (result.kind !== 'open') return finish(look, result.kind === 'empty' ? [] : undefined);
  using snapshot = result.snapshot;
  return readSnapshot(look, snapshot);
}

interface Look {
  readonly track: Track;
  readonly spec: DatabaseSpec;
  readonly deps: ReadDatabaseDeps;
  readonly memory: DatabaseMemory;
  readonly facts: FileFacts;
  readonly problems: Problems;
  /** Notes on records of which rows were emitted since the last commit. */
  notes: RecordNote[];
  /** Parsers could not make sense of a record. */
  complaints: number;
  readonly isOver: () => boolean;
  readonly isTooLong: () => boolean;
}

function readSnapshot(look: Look, snapshot: Snapshot): DatabaseOutcome {
  const listings = noting(look.problems, () => list(look, snapshot));
  if (!snapshot.isIntact()) return moving(look);
  for (const record of listings?.flatMap(({ changed }) => changed) ?? []) {
    if (look.isOver()) return handOn(look, 'more');
    const read = noting(look.problems, () => wholeRecord(look, snapshot, record));
    if (!snapshot.isIntact()) return moving(look);
    if (read) tell(look, record, read);
    if (look.deps.outlet.isFull()) handOn(look, 'more');
  }
  return listings?.some(({ more }) => more) ? handOn(look, 'more') : finish(look, listings);
}

/** What was found stays found: the next look begins behind it. */
function handOn<T>(look: Look, outcome: T): T {
  if (look.notes.length > 0) look.deps.outlet.flush(look.track, undefined, look.notes);
  look.notes = [];
  return outcome;
}

function moving(look: Look): DatabaseOutcome {
  look.track.seen = undefined;
  return handOn(look, 'moving');
}

function list({ spec, memory, problems, track, isTooLong }: Look, { pages }: Snapshot): Listing[] {
  const check = () => {
    if (isTooLong()) throw new Malformed('it takes too long to go through', 0);
  };
  if (pages.count === 0) return [];
  const walk = { pages, onBad: problems.onBad, check };
  const schema = readSchema(spec, walk);
  for (const name of schema.refused) problems.onBad(new Malformed(`${name} is no plain table`, 0));
  const options = { notes: memory.notes, version: track.ref.root.source.version };
  let most = MOST_AT_ONCE;
  return spec.tables.flatMap((table) => {
    const info = schema.tables.get(table.name);
    if (!info) {
      const isMissed = table.required === true && schema.count > 0 && !schema.refused.includes(table.name);
      if (isMissed) problems.onBad(new Malformed(`no table ${table.name}`, 0));
      return [];
    }
    const listing = listTable({ table, info }, walk, { ...options, most });
    most -= listing.changed.length;
    return [listing];
  });
}

interface ReadRecord {
  readonly payload: Buffer;
  readonly cells: ReturnType<typeof cellsOf>;
  readonly tailPage: number;
  readonly tail: string;
}

/** Undefined for a record that holds more than is read; a row says so. */
function wholeRecord(
  { deps, track }: Look,
  { pages }: Snapshot,
  record: ChangedRecord,
): ReadRecord | undefined {
  const bytes = wantedBytes(record);
  const { cell, table } = record;
  if (bytes > deps.maxValueBytes) {
    deps.outlet.emit(
      track,
      problemRow('a value over the limit', { table: table.name, rowid: cell.rowid, bytes }),
    );
    return undefined;
  }
  const { payload, lastPage } = wholePayload(pages, cell);
  return {
    payload,
    cells: cellsOf(record, { payload, pages }),
    tailPage: lastPage,
    tail: digest(payload.subarray(payload.length - tailBytesOf(pages, cell))),
  };
}

/** Hands a record to its parser. Nothing of the database is waited for or held meanwhile. */
function tell(look: Look, record: ChangedRecord, { payload, cells, tailPage, tail }: ReadRecord): void {
  const { track, memory, deps } = look;
  const { table, name, key, stamp, cell } = record;
  const { version } = track.ref.root.source;
  const known = memory.notes.get(name);
  const remembered = known?.version === version ? known.memory : undefined;
  let next: string | undefined;
  try {
    const beside = () => besideIn(memory, { table: table.name, name, version });
    const given = { key, cells, rowid: cell.rowid, memory: remembered, beside };
    next = table.parse(given, deps.context(track), (draft) => {
      if (draft.event === 'parser.error') look.complaints++;
      deps.outlet.emit(track, draft);
    });
  } catch (error) {
    look.complaints++;
    deps.outlet.emit(track, brokenRow({ error, bytes: payload, line: null }, null));
  }
  keep(look, name, noteOf({ version, table: table.name, key, stamp, tailPage, tail }, next));
}

/** What is kept of the other records of a table. */
function* besideIn(
  { notes }: DatabaseMemory,
  of: { readonly table: string; readonly name: string; readonly version: number },
): Generator<RecordMemory> {
  for (const [name, { key, memory, table, version }] of notes)
    if (table === of.table && version === of.version && name !== of.name && memory !== undefined)
      yield { key, memory };
}

function keep(look: Look, name: string, note: Note | undefined): void {
  if (note) look.memory.notes.set(name, note);
  else look.memory.notes.delete(name);
  look.notes.push([name, note ? JSON.stringify(note) : null]);
}

/**
 * Without listings nothing is known of what is gone. A record that is missed may be back in a moment, and the settings
 * that explain its end may be read by then.
 */
function finish(look: Look, listings: readonly Listing[] | undefined): DatabaseOutcome {
  const { track, spec, problems, facts, deps } = look;
  const state = `${facts.ino} ${facts.size} ${facts.mtimeNs} ${facts.beside}`;
  const isSettled = track.tornAt === state || deps.clock.now() - facts.mtimeMs >= deps.settleMs;
  const missing = listings && problems.count === 0 ? missingNotes(look.memory, listings) : [];
  if (problems.count + missing.length > 0 && !isSettled) {
    track.tornAt = state;
    return handOn(look, 'settle');
  }
  track.tornAt = undefined;
  if (track.cursor && !isSameFile(facts, track.cursor)) deps.outlet.emit(track, replacedRow(look));
  for (const row of problems.rows()) deps.outlet.emit(track, row);
  tellGone(track, spec, deps, { notes: missing.map(([, note]) => note), cause: 'record' });
  for (const [name] of missing) keep(look, name, undefined);
  // Its tables may hold nothing that is a row, and are understood all the same.
  if (problems.count + look.complaints === 0) track.productive = true;
  look.memory.wasRead = true;
  track.seen = facts;
  track.cursor = wholeCursor(track, facts);
  deps.outlet.flush(track, track.cursor, look.notes);
  return 'done';
}

function missingNotes({ notes }: DatabaseMemory, listings: readonly Listing[]): [string, Note][] {
  return [...notes].filter(([name]) => !listings.some(({ names }) => names.has(name)));
}

/** The database itself went away, and every record that it held with it. */
export function tellDatabaseGone(track: Track, spec: DatabaseSpec, deps: TellDeps): void {
  const { notes } = track.database;
  tellGone(track, spec, deps, { notes: [...notes.values()], cause: 'file' });
  if (notes.size > 0) deps.outlet.emit(track, goneRow(track, notes.size));
}

type TellDeps = Pick<ReadDatabaseDeps, 'outlet' | 'context' | 'retention' | 'clock'>;

interface Gone {
  readonly notes: readonly Note[];
  readonly cause: GoneRecord['cause'];
}

function tellGone(track: Track, spec: DatabaseSpec, deps: TellDeps, { notes, cause }: Gone): void {
  if (notes.length === 0) return;
  const shared = {
    cause,
    missedMs: deps.clock.now(),
    together: notes.length,
    retention: deps.retention(track),
    whileStopped: !track.database.wasRead,
  };
  for (const { table, key, memory } of notes) {
    const { gone } = spec.tables.find(({ name }) => name === table) ?? {};
    try {
      gone?.({ key, memory, ...shared }, deps.context(track), (draft) => deps.outlet.emit(track, draft));
    } catch (error) {
      deps.outlet.emit(track, brokenRow({ error, bytes: Buffer.from(memory ?? ''), line: null }, null));
    }
  }
}

function replacedRow({ track, facts, memory }: Look): DraftRow {
  return {
    record: `changed:${track.cursor?.birthNs}`,
    part: 'source.changed',
    content: `replaced ${facts.birthNs}`,
    turn_type: 'system',
    event: 'source.changed',
    timestamp_utc: isoTime(facts.mtimeMs),
    timestamp_source: 'file',
    text: `database replaced by another: ${memory.notes.size} records had been read`,
    attributes: { change: 'replaced', records_read: memory.notes.size, bytes_now: facts.size },
  };
}

function goneRow(track: Track, records: number): DraftRow {
  return {
    record: `gone:${track.cursor?.birthNs}`,
    part: 'source.changed',
    content: 'deleted',
    turn_type: 'system',
    event: 'source.changed',
    text: `database deleted: ${records} records had been read`,
    attributes: { change: 'deleted', records_read: records },
  };
}
