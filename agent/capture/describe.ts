import type { Discovery } from './discovery.ts';
import type { Layout } from './layout.ts';
import type { CaptureState } from './protocol.ts';
import type { Sweeper } from './sweeper.ts';
import type { Track } from './track.ts';
import type { Tracks } from './tracks.ts';

/** Examples are enough: a whole tree may be unreadable. */
const MAX_UNREADABLE = 100;

interface CaptureParts {
  readonly layout: Layout;
  readonly tracks: Tracks;
  readonly sweeper: Sweeper;
  readonly discovery: Discovery;
}

/** What a capture process says of itself: which stores are there, how many files, what it could not see. */
export function describeCapture(
  { layout, tracks, sweeper, discovery }: CaptureParts,
  rest: Pick<CaptureState, 'watchMode' | 'waiting' | 'minDaysToExpiry' | 'readBytes' | 'rows' | 'pinned'>,
): CaptureState {
  const files: Record<string, number> = {};
  const unreadable = [
    ...discovery.problems(),
    ...[...sweeper.walker.unreadable].map(([path, reason]) => `${path}: ${reason}`),
  ];
  for (const { ref, trouble } of tracks.all()) {
    const { id } = ref.root.source;
    files[id] = (files[id] ?? 0) + 1;
    if (trouble !== undefined) unreadable.push(`${ref.path}: ${trouble}`);
  }
  return {
    ...rest,
    roots: layout.roots.map((root) => ({
      source: root.source.id,
      path: root.key,
      present: sweeper.walker.isPresent(root),
    })),
    files,
    parsed: parsedBySource(tracks.all()),
    unreadable: unreadable.slice(0, MAX_UNREADABLE),
    lastFullSweep: sweeper.lastFull,
  };
}

/**
 * Files that gave rows, by source. Where a source has files that are records themselves, only these count: settings
 * that can be read must not hide sessions that cannot. An empty file has nothing to give.
 */
function parsedBySource(tracks: Iterable<Track>): Record<string, number> {
  const all: Record<string, number> = {};
  const primary: Record<string, number> = {};
  for (const { ref, productive, seen, cursor } of tracks) {
    const { id } = ref.root.source;
    all[id] = (all[id] ?? 0) + (productive ? 1 : 0);
    if (ref.spec.role === 'primary' && (seen ?? cursor)?.size !== 0)
      primary[id] = (primary[id] ?? 0) + (productive ? 1 : 0);
  }
  return { ...all, ...primary };
}
