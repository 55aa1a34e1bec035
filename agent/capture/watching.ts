import type { Clock, Timer } from '../contract/clock.ts';
import type { Logger } from '../contract/logger.ts';
import type { Layout } from './layout.ts';
import type { CaptureLimits, CaptureState, SweepReason } from './protocol.ts';
import type { Counter } from './reading.ts';
import { createWatcher, type WatchListener } from './watcher.ts';

export interface WatchingDeps {
  readonly home: string;
  readonly layout: Layout;
  readonly limits: Pick<CaptureLimits, 'watch' | 'pollMs'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly count: Counter;
  readonly listener: Pick<WatchListener, 'onChange' | 'onGone'>;
  readonly sweep: (full: boolean, reason: SweepReason) => void;
  /** Stands in for chokidar in tests. */
  readonly watcherFor?: typeof createWatcher;
}

/** How changes of a home are noticed: by events, or by looking again and again while there are none. */
export interface Watching {
  /** Asks for the first sweep as soon as nothing can come into being unnoticed any more. */
  start(): void;
  /** Watches a further directory. */
  add(dir: string): void;
  /** Begins anew: another directory stands in the place of a watched one. */
  renew(): void;
  mode(): CaptureState['watchMode'];
  stop(): Promise<void>;
}

/** Longest time that setting up the watch may hold up the first sweep. */
const READY_MS = 5_000;
const REWATCH_MS = 5 * 60_000;
/** While polling, every so many looks is one at everything. */
const FULL_EVERY = 15;

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'raise fs.inotify.max_user_watches',
  EMFILE: 'raise fs.inotify.max_user_instances or the open file limit',
};

export function createWatching(deps: WatchingDeps): Watching {
  const { clock, count, sweep, limits, listener, watcherFor = createWatcher } = deps;
  const watcher = watcherFor(deps.layout, { ...listener, onReady, onDoubt, onRefused });
  let polling: Timer | undefined;
  let late: Timer | undefined;
  let rewatch: Timer | undefined;
  let isReady = false;
  let stopped = false;

  /** What appeared while the watch was being set up had no event. */
  function onReady(): void {
    late?.cancel();
    sweep(!isReady, isReady ? 'watch_error' : 'start');
    isReady = true;
  }

  function onDoubt(code: string): void {
    count('holdfast_watch_errors_total', 1, { code });
    sweep(true, 'watch_error');
  }

  function onRefused(code: string): void {
    late?.cancel();
    count('holdfast_watch_errors_total', 1, { code });
    deps.logger.warn('the system refuses file watches; polling instead', {
      event: 'watch.refused',
      code,
      home: deps.home,
      hint: HINTS[code] ?? HINTS['EMFILE'],
    });
    poll();
    sweep(true, 'watch_error');
    rewatch?.cancel();
    rewatch = clock.after(REWATCH_MS, watchAgain);
  }

  function poll(): void {
    let round = 0;
    polling ??= clock.every(limits.pollMs, () => sweep(++round % FULL_EVERY === 0, 'schedule'));
  }

  function watchAgain(): void {
    if (stopped) return;
    polling?.cancel();
    polling = undefined;
    watcher.start();
    sweep(true, 'watch_error');
  }

  return {
    start() {
      if (limits.watch === 'poll') {
        poll();
        sweep(true, 'start');
        return;
      }
      late = clock.after(READY_MS, () => sweep(true, 'start'));
      watcher.start();
    },
    add: (dir) => watcher.add(dir),
    renew() {
      if (!polling) void watcher.stop().then(watchAgain);
    },
    mode: () => (polling ? 'polling' : 'watching'),
    async stop() {
      stopped = true;
      for (const timer of [polling, late, rewatch]) timer?.cancel();
      await watcher.stop();
    },
  };
}
