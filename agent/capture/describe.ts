import type { Discovery } from './discovery.ts';
import type { Layout } from './layout.ts';
import type { CaptureState } from './protocol.ts';
import type { Sweeper } from './sweeper.ts';
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
  rest: Pick<CaptureState, 'watchMode' | 'waiting' | 'minDaysToExpiry' | 'readBytes' | 'rows'>,
): CaptureState {
  const files: Record<string, number> = {};
  const parsed: Record<string, number> = {};
  const unreadable = [
    ...discovery.problems(),
    ...[...sweeper.walker.unreadable].map(([path, reason]) => `${path}: ${reason}`),
  ];
  for (const { ref, productive, trouble } of tracks.all()) {
    const { id } = ref.root.source;
    files[id] = (files[id] ?? 0) + 1;
    if (productive) parsed[id] = (parsed[id] ?? 0) + 1;
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
    parsed,
    unreadable: unreadable.slice(0, MAX_UNREADABLE),
    lastFullSweep: sweeper.lastFull,
  };
}
