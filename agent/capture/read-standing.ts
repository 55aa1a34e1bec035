import { isoTime } from '../contract/clock.ts';
import type { DraftRow } from '../contract/row.ts';
import type { StandingEntry, StandingResult, StandingSpec } from '../contract/source.ts';
import { brokenRow } from './live-log.ts';
import type { FileFacts, OpenedFile } from './open-file.ts';
import type { Outlet } from './outlet.ts';
import type { ReadWholeDeps } from './read-document.ts';
import { markTorn, readWhole, wholeCursor } from './read-whole.ts';
import type { Track } from './track.ts';

type Entries = Readonly<Record<string, StandingEntry>>;
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
  const after = byKey(result.entries);
  tellDifferences(track, { before, after }, { facts, outlet });
  return after;
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
    const known = before?.[key];
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
    record: `${entry.label} ${entry.key}`,
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

function byKey(entries: readonly StandingEntry[]): Entries {
  return Object.fromEntries(entries.map((entry) => [entry.key, entry]));
}
