import type { Clock } from '../contract/clock.ts';
import type { Retention } from '../contract/lifecycle.ts';
import type { Source, StandingEntry } from '../contract/source.ts';
import { expiryRow } from './gone.ts';
import type { Outlet } from './outlet.ts';
import type { Track } from './track.ts';
import type { Tracks } from './tracks.ts';

/** How long the coding agent keeps a file, by the settings that its standing files hold now. */
export interface RetentionInForce {
  of(track: Track): Retention;
  /** A standing file was read: what it said before counts no more. */
  changed(): void;
}

const DAY_MS = 86_400_000;

const FOR_EVER: Retention = { days: null, count: null };

export function createRetentionInForce(
  tracks: Tracks,
  projectOf: (track: Track) => string | undefined,
): RetentionInForce {
  let known = new Map<Source, readonly StandingEntry[]>();

  function settingsOf(source: Source): readonly StandingEntry[] {
    const settings = known.get(source) ?? retentionSettings(tracks, source);
    known.set(source, settings);
    return settings;
  }

  return {
    of(track) {
      const { source } = track.ref.root;
      if (!source.retention) return FOR_EVER;
      const all = settingsOf(source);
      const project = all.some((entry) => entry.project !== undefined) ? projectOf(track) : undefined;
      const settings = all.filter((entry) => entry.project === undefined || entry.project === project);
      return source.retention({ path: track.ref.relative, settings });
    },
    changed() {
      known = new Map();
    },
  };
}

/** A session that nobody touched for a day is read for the first time: says how long it would still be kept. */
export function tellDaysLeft(
  track: Track,
  { retention, outlet, clock }: { retention: RetentionInForce; outlet: Outlet; clock: Clock },
): void {
  const { days } = retention.of(track);
  const ageDays = ageDaysOf(track, clock.now());
  if (days === null || ageDays < 1 || track.tally.rows === 0) return;
  outlet.emit(track, expiryRow(track, days - ageDays, days));
  outlet.flush(track, undefined);
}

/** Days until the coding agent may delete the first of these session files; null when it never does. */
export function soonestExpiry(
  waiting: readonly Track[],
  retention: RetentionInForce,
  now: number,
): number | null {
  let soonest: number | null = null;
  for (const track of waiting) {
    const { days } = track.ref.spec.role === 'primary' ? retention.of(track) : { days: null };
    const left = days === null ? null : days - ageDaysOf(track, now);
    if (left !== null && (soonest === null || left < soonest)) soonest = left;
  }
  return soonest;
}

/** Days since the last record of a file, or since its last change when no record had a time. Never negative. */
export function ageDaysOf(track: Track, now: number): number {
  const recorded = Date.parse(track.tally.last ?? '');
  const since = Number.isFinite(recorded) ? recorded : changedAt(track);
  return since === undefined ? 0 : Math.max(0, now - since) / DAY_MS;
}

function changedAt({ foundMs, seen, cursor }: Track): number | undefined {
  if (foundMs !== undefined) return foundMs;
  if (seen) return seen.mtimeMs;
  // A log that was not read to its end keeps no time.
  const mtimeNs = cursor?.mtimeNs ?? '0';
  return mtimeNs === '0' ? undefined : Number(BigInt(mtimeNs) / 1_000_000n);
}

function retentionSettings(tracks: Tracks, source: Source): StandingEntry[] {
  const entries: StandingEntry[] = [];
  for (const { ref, cursor } of tracks.all()) {
    if (ref.root.source !== source || cursor?.standing === undefined) continue;
    for (const entry of Object.values(cursor.standing))
      if (entry.event === 'retention.setting') entries.push(entry);
  }
  return entries;
}
