import { isoTime } from '../contract/clock.ts';
import type { DraftRow } from '../contract/row.ts';
import type { StandingEntry, StandingResult, StandingSpec } from '../contract/source.ts';
import type { Root } from './layout.ts';
import { brokenRow } from './live-log.ts';
import type { FileFacts, OpenedFile } from './open-file.ts';
import type { Outlet } from './outlet.ts';
import type { ReadWholeDeps } from './read-document.ts';
import { markTorn, readWhole, wholeCursor } from './read-whole.ts';
import type { Track } from './track.ts';

type Entries = Readonly<Record<string, StandingEntry>>;
/** More settings and grants than any file of a person; the rest is told as left out. */
const MAX_ENTRIES = 5_000;

type Change = 'baseline' | 'added' | 'changed' | 'removed';

/** Reads settings or grants and tells what was added, changed and removed since they were last read. */
export function readStanding(
  track: Track,
  spec: StandingSpec,
  file: OpenedFile,
  deps: ReadWholeDeps,
): 'parsed' | 'retry' {
  const { outlet } = deps;
  const whole = readWhole(track, file, deps.maxDocumentBytes);
  if (whole.kind === 'moving') return 'retry';
  const result = whole.kind === 'too_large' ? unreadable(whole.row) : parse(track, { spec, ...whole }, deps);
  if (result.kind === 'torn') {
    markTorn(track, file);
    return 'retry';
  }
  track.tornAt = undefined;
  const standing = tell(track, result, { facts: file.facts, outlet });
  track.cursor = { ...wholeCursor(track, file.facts), ...(standing === undefined ? {} : { standing }) };
  outlet.flush(track, track.cursor);
  return 'parsed';
}

/** Tells what the file says; gives what holds from now on. A file that says nothing takes nothing back. */
function tell(
  track: Track,
  result: Exclude<StandingResult, { kind: 'torn' }>,
  { facts, outlet }: { facts: FileFacts; outlet: Outlet },
): Entries | undefined {
  const before = track.cursor?.standing;
  if (result.kind === 'unreadable') {
    for (const row of result.rows) outlet.emit(track, row);
    return before;
  }
  const { entries } = result;
  if (entries.length > MAX_ENTRIES) outlet.emit(track, leftOutRow(entries.length));
  const after = byKey(entries.slice(0, MAX_ENTRIES));
  tellDifferences(track, { before, after }, { facts, outlet });
  return after;
}

function leftOutRow(count: number): DraftRow {
  return {
    record: 'standing:left-out',
    part: 'parser.error',
    content: String(count),
    turn_type: 'system',
    event: 'parser.error',
    text: `parser: ${count - MAX_ENTRIES} of ${count} settings left out: over the limit`,
    attributes: { reason: 'oversize', entries: count },
  };
}

/** The file is gone, and with it everything that it granted. */
export function tellStandingGone(track: Track, facts: Pick<FileFacts, 'mtimeNs'>, outlet: Outlet): void {
  for (const entry of Object.values(track.cursor?.standing ?? {}))
    outlet.emit(track, changeRow(track, entry, 'removed', facts));
}

function parse(
  track: Track,
  { spec, bytes, settled }: { spec: StandingSpec; bytes: Buffer; settled: boolean },
  { context }: ReadWholeDeps,
): StandingResult {
  try {
    return spec.read({ bytes, settled }, context(track));
  } catch (error) {
    return unreadable(brokenRow({ error, bytes, line: null }, null));
  }
}

function unreadable(row: DraftRow): StandingResult & { readonly kind: 'unreadable' } {
  return { kind: 'unreadable', rows: [row] };
}

function tellDifferences(
  track: Track,
  { before, after }: { before: Entries | undefined; after: Entries },
  { facts, outlet }: { facts: FileFacts; outlet: Outlet },
): void {
  for (const [key, entry] of Object.entries(after)) {
    const known = before && Object.hasOwn(before, key) ? before[key] : undefined;
    if (known?.value === entry.value) continue;
    const change = known ? 'changed' : before === undefined && track.backfill ? 'baseline' : 'added';
    outlet.emit(track, changeRow(track, entry, change, facts, known));
  }
  for (const [key, entry] of Object.entries(before ?? {})) {
    if (!Object.hasOwn(after, key)) outlet.emit(track, changeRow(track, entry, 'removed', facts));
  }
}

/**
 * The same grant given, taken and given again is three events, told apart by the time of the file. Whether it
 * was there before we looked is no part of its identity: another first look gives the same id.
 */
function changeRow(
  track: Track,
  entry: StandingEntry,
  change: Change,
  facts: Pick<FileFacts, 'mtimeNs'>,
  known?: StandingEntry,
): DraftRow {
  const removed = change === 'removed';
  return {
    record: `${prefixOf(track.ref.root)}${entry.label} ${entry.key}`,
    part: removed ? 'removed' : 'set',
    content: `${entry.value} ${facts.mtimeNs}`,
    turn_type: 'system',
    event: entry.event,
    text: `${entry.label}${removed ? ' removed' : ''}: ${entry.subject} (from ${track.ref.key}, file mtime)`,
    timestamp_utc: isoTime(Number(BigInt(facts.mtimeNs) / 1_000_000n)),
    timestamp_source: 'file',
    session_id: entry.session ?? null,
    project_path: entry.project ?? null,
    source_line: 1,
    attributes: {
      ...entry.attributes,
      change,
      key: entry.key,
      value: entry.value,
      ...(known ? { was: known.value } : {}),
    },
  };
}

/** The same setting in a project and in the home is two, even of one value and one time. */
function prefixOf({ place, project }: Root): string {
  return place === 'store' ? '' : `${place} ${project ?? ''} `;
}

function byKey(entries: readonly StandingEntry[]): Entries {
  return Object.fromEntries(entries.map((entry) => [entry.key, entry]));
}
