import type { Clock, Timer } from '../contract/clock.ts';
import type { Commit } from '../contract/commit.ts';
import { messageOf } from '../contract/errors.ts';
import type { Logger } from '../contract/logger.ts';
import type { Metrics } from '../contract/metrics.ts';
import { LANES } from '../contract/row.ts';
import type { CommitOutcome } from '../contract/store.ts';

/** What the committer needs of a store; a single scan brings its own. */
export interface CommitTarget {
  commit(home: string, commits: readonly Commit[]): CommitOutcome;
  isFull(): boolean;
}

export interface CommitterState {
  readonly waiting: number;
  /** Reading is paused because what waits for the sinks has reached its bound. */
  readonly full: boolean;
  /** Why the last attempt to write failed, while it does. */
  readonly error: string | undefined;
}

export interface Committer {
  /** Queues a commit; `done` is called once it is durable, never when it is not. */
  submit(home: string, commit: Commit, done: () => void): void;
  /** Tries now what was put off; for when a sink has taken something. */
  poke(): void;
  state(): CommitterState;
  /** Writes what is queued, if it can be written. */
  flush(): void;
  /** Nothing is written any more: the store is about to be closed. What waits was never acknowledged. */
  stop(): void;
}

export interface CommitterDeps {
  readonly target: CommitTarget;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly onCommitted: () => void;
}

interface Waiting {
  readonly home: string;
  readonly commit: Commit;
  readonly done: () => void;
}

const FIRST_RETRY_MS = 250;
const GATHER_MS = 40;
const GATHER_COMMITS = 100;
/** Well below what a capture process may have unanswered, so that it never waits for the moment to pass. */
const GATHER_BYTES = 2 * 1024 * 1024;
const MAX_RETRY_MS = 10_000;

/**
 * Writes commits, all of a home that have come together in one transaction. When the store cannot take them
 * they simply wait, unanswered, which makes capture stop reading: nothing is dropped.
 */
export function createCommitter({ target, clock, logger, metrics, onCommitted }: CommitterDeps): Committer {
  let queue: Waiting[] = [];
  let scheduled = false;
  let retry: Timer | undefined;
  let failures = 0;
  let error: string | undefined;
  let full = false;
  let stopped = false;
  const gathering = createDelay(clock, { ms: GATHER_MS, task: schedule });

  function schedule(): void {
    if (scheduled || retry || stopped) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      gathering.cancel();
      write();
    });
  }

  /** Old sessions can wait a moment, so that many commits share one sync of the disk; what is live cannot. */
  function gather(): void {
    if (queue.length >= GATHER_COMMITS || bytesOf(queue) >= GATHER_BYTES) schedule();
    else gathering.begin();
  }

  function write(): void {
    if (queue.length === 0 || stopped || !hasRoom()) return;
    const { written, kept, problem } = writeHomes(queue, (home, commits) =>
      count(metrics, target.commit(home, commits)),
    );
    queue = kept;
    if (problem === undefined) recovered();
    else failed(problem.error);
    for (const { done } of written) done();
    if (written.length > 0) onCommitted();
  }

  function hasRoom(): boolean {
    try {
      full = target.isFull();
    } catch (caught) {
      failed(caught);
      return false;
    }
    metrics.set('holdfast_outbox_full', full ? 1 : 0);
    if (full) putOff(FIRST_RETRY_MS * 4);
    return !full;
  }

  function recovered(): void {
    if (failures > 0) logger.info('the store takes rows again', { after_failures: failures });
    failures = 0;
    error = undefined;
  }

  function failed(caught: unknown): void {
    failures++;
    error = messageOf(caught);
    logger.error('rows could not be written; reading waits', {
      event: 'store.write_failed',
      reason: error,
      failures,
    });
    putOff(Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 10)));
  }

  function putOff(ms: number): void {
    retry ??= clock.after(ms, () => {
      retry = undefined;
      write();
    });
  }

  return {
    submit(home, commit, done) {
      queue.push({ home, commit, done });
      if (commit.lane === 'backfill') gather();
      else schedule();
    },
    poke() {
      retry?.cancel();
      retry = undefined;
      if (queue.length > 0) schedule();
    },
    state: () => ({ waiting: queue.length, full, error }),
    flush: write,
    stop() {
      stopped = true;
      gathering.cancel();
      retry?.cancel();
      retry = undefined;
    },
  };
}

function bytesOf(queue: readonly Waiting[]): number {
  return queue.reduce((sum, { commit }) => sum + commit.rows.lines.length, 0);
}

/** A task a little later, once for any number of beginnings until then. */
function createDelay(clock: Clock, { ms, task }: { ms: number; task: () => void }) {
  let timer: Timer | undefined;
  return {
    begin() {
      timer ??= clock.after(ms, () => {
        timer = undefined;
        task();
      });
    },
    cancel() {
      timer?.cancel();
      timer = undefined;
    },
  };
}

function count(metrics: Metrics, { duplicates, byLane }: CommitOutcome): void {
  metrics.add('holdfast_commits_total');
  if (duplicates > 0) metrics.add('holdfast_rows_duplicate_total', duplicates);
  for (const lane of LANES) if (byLane[lane] > 0) metrics.add('holdfast_rows_total', byLane[lane], { lane });
}

/** Each home in a transaction of its own: one that cannot be written keeps only its own commits waiting. */
function writeHomes(waiting: readonly Waiting[], write: (home: string, commits: readonly Commit[]) => void) {
  const [written, kept]: [Waiting[], Waiting[]] = [[], []];
  let problem: { readonly error: unknown } | undefined;
  for (const [home, ofHome] of byHome(waiting)) {
    try {
      write(
        home,
        ofHome.map(({ commit }) => commit),
      );
      written.push(...ofHome);
    } catch (caught) {
      problem = { error: caught };
      kept.push(...ofHome);
    }
  }
  return { written, kept, problem };
}

/** A home's commits stay in order. */
function byHome(waiting: readonly Waiting[]): Map<string, Waiting[]> {
  const homes = new Map<string, Waiting[]>();
  for (const one of waiting) {
    const ofHome = homes.get(one.home) ?? [];
    ofHome.push(one);
    homes.set(one.home, ofHome);
  }
  return homes;
}
