import { type CommitTarget, createCommitter } from '../capture/committer.ts';
import { linesOf } from '../contract/lines.ts';
import { noMetrics } from '../contract/metrics.ts';
import { ROW_ID_BYTES } from '../contract/row-id.ts';
import type { Home } from '../platform/homes.ts';
import { createHomeCaptures, type HomeCaptureDeps, type HomeCaptures } from './home-captures.ts';

type Shared = Pick<
  HomeCaptureDeps,
  'config' | 'host' | 'sources' | 'clock' | 'logger' | 'spawn' | 'env' | 'ownHome'
>;

export interface ScanDeps extends Shared {
  readonly homes: readonly Home[];
  /** Takes each row as JSON, numbered from 1. */
  readonly onRow: (json: string) => void;
  readonly onProgress: (progress: ScanProgress) => void;
}

export interface ScanProgress {
  readonly files: number;
  readonly waiting: number;
  readonly bytes: number;
  readonly rows: number;
}

export interface ScanSummary extends ScanProgress {
  readonly homes: number;
  readonly unreadable: readonly string[];
  readonly quarantined: readonly string[];
}

const PROGRESS_MS = 200;

/** Reads homes once, without a store: every row goes out, each once, and nothing is kept. */
export async function scanOnce(deps: ScanDeps): Promise<ScanSummary> {
  const { homes, clock, logger } = deps;
  const target = rowTarget(deps.onRow);
  const committer = createCommitter({ target, clock, logger, metrics: noMetrics, onCommitted: () => {} });
  const left = new Set(homes.map(({ path }) => path));
  const finished = Promise.withResolvers<void>();
  const captures = createHomeCaptures(homes, {
    ...deps,
    committer,
    metrics: noMetrics,
    mode: 'once',
    anyOwner: true,
    cursors: () => [],
    isScanned: () => false,
    onFirstScan: () => {},
    onQuarantined: () => {},
    onDone(home) {
      left.delete(home);
      if (left.size === 0) finished.resolve();
    },
  });
  const timer = clock.every(PROGRESS_MS, () => deps.onProgress(progressOf(captures, target.count())));
  captures.start();
  if (left.size > 0) await finished.promise;
  timer.cancel();
  committer.flush();
  const summary = summaryOf(captures, target.count());
  await captures.stop();
  return summary;
}

/** Takes commits like a store and passes new rows on. */
function rowTarget(onRow: (json: string) => void): CommitTarget & { count(): number } {
  const seen = new Set<string>();
  return {
    count: () => seen.size,
    isFull: () => false,
    commit(_home, commits) {
      const before = seen.size;
      let total = 0;
      for (const { rows } of commits) {
        let row = 0;
        for (const line of linesOf(rows.lines)) {
          const id = rows.ids.toString('latin1', row * ROW_ID_BYTES, ++row * ROW_ID_BYTES);
          if (seen.has(id)) continue;
          seen.add(id);
          onRow(`{"seq":${seen.size},${line.toString('utf8', 1)}`);
        }
        total += rows.count;
      }
      const added = seen.size - before;
      return { added, duplicates: total - added };
    },
  };
}

function progressOf(captures: HomeCaptures, rows: number): ScanProgress {
  let [files, waiting, bytes] = [0, 0, 0];
  for (const { state } of captures.states()) {
    for (const count of Object.values(state.capture?.files ?? {})) files += count;
    waiting += state.capture?.waiting ?? 0;
    bytes += state.capture?.readBytes ?? 0;
  }
  return { files, waiting, bytes, rows };
}

function summaryOf(captures: HomeCaptures, rows: number): ScanSummary {
  const states = captures.states();
  return {
    ...progressOf(captures, rows),
    homes: states.length,
    unreadable: states.flatMap(({ state }) => state.capture?.unreadable ?? []),
    quarantined: states.flatMap(({ state }) => state.quarantined),
  };
}
