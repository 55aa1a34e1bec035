import { type CommitTarget, createCommitter } from '../capture/committer.ts';
import { CLAIM_BYTES, COPY_BYTES, type CommitRows } from '../contract/commit.ts';
import { EnvironmentError } from '../contract/errors.ts';
import { linesOf } from '../contract/lines.ts';
import { noMetrics } from '../contract/metrics.ts';
import { ROW_ID_BYTES } from '../contract/row-id.ts';
import { noRows } from '../contract/store.ts';
import type { Home } from '../platform/homes.ts';
import { createHomeCaptures, type HomeCaptureDeps, type HomeCaptures } from './home-captures.ts';

type Shared = Pick<
  HomeCaptureDeps,
  'config' | 'host' | 'sources' | 'clock' | 'logger' | 'spawn' | 'env' | 'ownHome' | 'platform'
>;

export interface ScanDeps extends Shared {
  readonly homes: readonly Home[];
  readonly output: ScanOutput;
  readonly onProgress: (progress: ScanProgress) => void;
}

/** Where the rows of a scan go. */
export interface ScanOutput {
  /** Takes a row as JSON, numbered from 1. */
  take(json: string): void;
  /** More waits to be written than should: reading pauses until the listener is told. */
  isBehind(): boolean;
  onReady(listener: () => void): void;
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

/** A capture process that never said a word in so many starts never will. */
const MAX_STARTS = 4;

/** Reads homes once, without a store: every row goes out, each once, and nothing is kept. */
export async function scanOnce(deps: ScanDeps): Promise<ScanSummary> {
  const { homes, clock, logger, output } = deps;
  const target = rowTarget(output);
  const committer = createCommitter({ target, clock, logger, metrics: noMetrics, onCommitted: () => {} });
  output.onReady(() => committer.poke());
  const left = new Set(homes.map(({ path }) => path));
  const finished = Promise.withResolvers<void>();
  const captures = createHomeCaptures(homes, {
    ...deps,
    vaultDir: () => null,
    committer,
    metrics: noMetrics,
    mode: 'once',
    anyOwner: true,
    cursors: () => [],
    records: () => [],
    isScanned: () => false,
    onFirstScan: () => {},
    onQuarantined: () => {},
    onDone(home) {
      left.delete(home);
      if (left.size === 0) finished.resolve();
    },
  });
  const timer = clock.every(PROGRESS_MS, () => {
    deps.onProgress(progressOf(captures, target.count()));
    const failure = failureOf(captures);
    if (failure) finished.reject(failure);
  });
  captures.start();
  try {
    if (left.size > 0) await finished.promise;
    committer.flush();
    target.releaseCopies();
    return summaryOf(captures, target.count());
  } finally {
    timer.cancel();
    await captures.stop();
  }
}

function failureOf(captures: HomeCaptures): EnvironmentError | undefined {
  const failed = captures
    .states()
    .find(({ state }) => state.restarts >= MAX_STARTS && state.capture === undefined);
  if (!failed) return undefined;
  const { home, state } = failed;
  return new EnvironmentError(
    'CAPTURE_FAILED',
    `${home.path} cannot be scanned: ${state.lastExit ?? 'unknown'}`,
    {
      hint: 'It is read as the owner of the home, who must be able to run this program.',
    },
  );
}

interface RowTarget extends CommitTarget {
  count(): number;
  /** Passes on the copies that nobody claimed. */
  releaseCopies(): void;
}

/** Takes commits like a store and passes new rows on. */
function rowTarget(output: ScanOutput): RowTarget {
  const seen = new Set<string>();
  const claims = new Set<string>();
  const copies = new Map<string, { readonly name: string; readonly claim: string; readonly line: Buffer }>();

  function pass(id: string, line: Buffer): void {
    if (seen.has(id)) return;
    seen.add(id);
    output.take(`{"seq":${seen.size},${line.toString('utf8', 1)}`);
  }

  function take({ ids, lines, copies: names, claims: claimed }: CommitRows): void {
    for (let at = 0; at < claimed.length; at += CLAIM_BYTES)
      claims.add(claimed.toString('latin1', at, at + CLAIM_BYTES));
    let row = 0;
    for (const line of linesOf(lines)) {
      const id = ids.toString('latin1', row * ROW_ID_BYTES, (row + 1) * ROW_ID_BYTES);
      if (names.length === 0) pass(id, line);
      else copies.set(id, { ...namesAt(names, row), line });
      row++;
    }
  }

  return {
    count: () => seen.size,
    isFull: () => output.isBehind(),
    commit(_home, commits) {
      const before = seen.size;
      for (const { rows } of commits) take(rows);
      const added = seen.size - before;
      return {
        added,
        byLane: { ...noRows(), backfill: added },
        duplicates: commits.reduce((sum, { rows }) => sum + rows.count, 0) - added,
      };
    },
    releaseCopies() {
      const claiming = [...copies].sort(
        ([, a], [, b]) => Number(a.claim === NO_CLAIM) - Number(b.claim === NO_CLAIM),
      );
      for (const [id, { name, claim, line }] of claiming) {
        if (claims.has(name)) continue;
        claims.add(claim);
        pass(id, line);
      }
      copies.clear();
    },
  };
}

const NO_CLAIM = '\0'.repeat(CLAIM_BYTES);

function namesAt(copies: Buffer, row: number): { readonly name: string; readonly claim: string } {
  const text = copies.toString('latin1', row * COPY_BYTES, (row + 1) * COPY_BYTES);
  return { name: text.slice(0, CLAIM_BYTES), claim: text.slice(CLAIM_BYTES) };
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
