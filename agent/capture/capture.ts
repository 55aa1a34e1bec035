import { join } from 'node:path';
import type { Clock, Timer } from '../contract/clock.ts';
import type { Cursor, RecordNote } from '../contract/commit.ts';
import type { Logger } from '../contract/logger.ts';
import type { Source } from '../contract/source.ts';
import { mainPathOf } from './database/side-files.ts';
import { describeCapture } from './describe.ts';
import { Intake, RISK, riskOf } from './intake.ts';
import { createLayout, type Layout } from './layout.ts';
import type { FileFacts } from './open-file.ts';
import { type CommitPort, createOutlet, type Outlet } from './outlet.ts';
import type { CaptureInit, CaptureState, SweepReason } from './protocol.ts';
import { type Counter, createReader, type Reader, type ReadOutcome } from './reader.ts';
import { sleepWatch } from './sleep-watch.ts';
import { Sweeper } from './sweeper.ts';
import { letGo, type Track } from './track.ts';
import { Tracks } from './tracks.ts';
import { Waits } from './waits.ts';
import { createWatching, type Watching } from './watching.ts';

export interface CaptureDeps {
  readonly init: CaptureInit;
  readonly sources: readonly { readonly source: Source; readonly extraRoots: readonly string[] }[];
  readonly port: CommitPort;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly count: Counter;
  /** Which file is being read, so that the keeper knows what ended us; null when none is. */
  readonly onReading: (file: string | null) => void;
  readonly onSwept: (reason: SweepReason, first: boolean) => void;
  readonly onDone: () => void;
}

/** Time between the event that a path is gone and believing it: a rename over it may be under way. */
const GONE_MS = 300;
const MAX_RETRY_MS = 60_000;
/** A single scan must end: what the system refuses so often, it leaves out. */
const TRIES_ONCE = 3;
/** So many looks at a database that is always being written are told, and the longest time between two of them. */
const MOVES_TOLD = 60;
const MAX_MOVING_MS = 250;
const TICK_MS = 5_000;
/** A file that changed within this time is worked on now. */
const FRESH_MS = 60_000;
/** Longest stretch of reading before timers and events get their turn. */
const PUMP_MS = 20;

/** Watches, reads and parses one home. Everything it says goes out through the port. */
export class Capture {
  readonly #deps: CaptureDeps;
  readonly #layout: Layout;
  readonly #tracks = new Tracks();
  readonly #intake = new Intake();
  readonly #outlet: Outlet;
  readonly #reader: Reader;
  readonly #sweeper: Sweeper;
  readonly #watching: Watching;
  #quarantined: ReadonlySet<string>;
  readonly #waits: Waits;
  #timers: Timer[] = [];
  #pumping = false;
  #stopped = false;
  #firstScan: boolean;
  #startedUp = false;
  #readBytes = 0;

  constructor(deps: CaptureDeps) {
    const { init, clock, logger } = deps;
    this.#deps = deps;
    this.#firstScan = init.firstScan;
    this.#waits = new Waits(clock);
    this.#quarantined = new Set(init.quarantined);
    this.#layout = createLayout({ home: init.home, sources: deps.sources });
    const host = { ...init.host, labels: init.labels, maxTextBytes: init.limits.maxTextBytes };
    this.#outlet = createOutlet({ port: deps.port, host, user: init.user, clock });
    this.#reader = createReader({
      tracks: this.#tracks,
      outlet: this.#outlet,
      clock,
      logger,
      limits: init.limits,
      ownerUid: init.ownerUid,
      count: (name, amount, labels) => this.#count(name, amount, labels),
    });
    this.#watching = createWatching({
      ...init,
      layout: this.#layout,
      clock,
      logger,
      count: deps.count,
      listener: { onChange: (path) => this.#onChange(path), onGone: (path) => this.#onGonePath(path) },
      sweep: (full, reason) => this.sweep(full, reason),
    });
    this.#sweeper = new Sweeper({
      home: init.home,
      ownerUid: init.ownerUid,
      layout: this.#layout,
      tracks: this.#tracks,
      clock,
      listener: {
        onChanged: (track, facts, reason) => this.#onFound(track, facts, reason),
        onMissing: (track) => this.#expectGone(track),
        onLinkedDirectory: (real) => this.#watching.add(real),
        onReplacedRoot: () => this.#watching.renew(),
        onSwept: (reason, full) => this.#onSwept(reason, full),
      },
    });
  }

  loadNotes(file: string, notes: readonly RecordNote[]): void {
    this.#tracks.loadNotes(file, notes);
  }

  load(cursors: Iterable<readonly [string, Cursor]>): void {
    this.#tracks.load(cursors);
  }

  start(): void {
    const { init, clock } = this.#deps;
    if (init.mode === 'once') {
      this.sweep(true, 'start');
      return;
    }
    const slept = sleepWatch(clock);
    this.#timers.push(
      clock.every(TICK_MS, () => {
        if (slept()) this.sweep(true, 'resume');
        this.#tracks.relax(clock.monotonic());
      }),
    );
    this.#watching.start();
  }

  sweep(full: boolean, reason: SweepReason): void {
    if (!this.#stopped) this.#sweeper.request(full, reason);
  }

  /** Files that are not to be read now; all others are again. */
  quarantine(files: readonly string[]): void {
    this.#quarantined = new Set(files);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#sweeper.stop();
    for (const timer of this.#timers) timer.cancel();
    this.#waits.cancelAll();
    this.#tracks.releaseAll();
    await this.#watching.stop();
  }

  state(): CaptureState {
    return describeCapture(
      { layout: this.#layout, tracks: this.#tracks, sweeper: this.#sweeper },
      {
        watchMode: this.#watching.mode(),
        waiting: this.#intake.size,
        readBytes: this.#readBytes,
        rows: this.#outlet.rows(),
      },
    );
  }

  #count(name: string, amount: number, labels: Record<string, string>): void {
    if (name === 'holdfast_read_bytes_total') this.#readBytes += amount;
    this.#deps.count(name, amount, labels);
  }

  #onChange(path: string): void {
    const ref = this.#layout.file(path);
    if (!ref) {
      this.#sweeper.look(path);
      return;
    }
    const track = this.#tracks.ensure(ref);
    track.bulk = false;
    this.#touch(track);
  }

  #onGonePath(path: string): void {
    const ref = this.#layout.file(path);
    // A journal that goes away is the very moment at which its database has changed.
    if (ref && mainPathOf(path) !== path) {
      this.#touch(this.#tracks.ensure(ref));
      return;
    }
    const place = this.#layout.place(path);
    const dir = place ? join(place.root.dir, place.relative) : path;
    const tracks = ref ? [this.#tracks.get(ref.key)] : this.#tracks.below(dir);
    for (const track of tracks) if (track) this.#expectGone(track);
  }

  /** A sweep found the file new or changed. */
  #onFound(track: Track, facts: FileFacts, reason: SweepReason): void {
    if (track.window) return;
    const now = this.#deps.clock.now();
    if (!this.#startedUp && !track.seen) {
      track.backfill = this.#firstScan;
      track.bulk = now - facts.mtimeMs > FRESH_MS;
    }
    const item = riskOf(track.ref.key, facts.mtimeMs, now, track.ref.root.source.retentionDays);
    const isLive = this.#startedUp && reason !== 'start' && now - facts.mtimeMs < FRESH_MS;
    this.#enqueue(isLive ? { ...item, risk: RISK.event } : item);
  }

  #onSwept(reason: SweepReason, full: boolean): void {
    const { count } = this.#deps;
    count('holdfast_sweeps_total', 1, { reason: full ? reason : `${reason}_quick` });
    if (full && !this.#startedUp) void this.#finishStart(reason);
    else if (full) this.#deps.onSwept(reason, false);
  }

  /** The first scan is over when everything it found was read and made durable. */
  async #finishStart(reason: SweepReason): Promise<void> {
    await this.#idle();
    await this.#deps.port.settled();
    if (this.#stopped) return;
    this.#startedUp = true;
    this.#firstScan = false;
    this.#deps.onSwept(reason, true);
    if (this.#deps.init.mode === 'once') void this.#finishOnce();
  }

  /** What is unfinished at the end of a single scan has had its time when its file is older than the settle time. */
  async #finishOnce(): Promise<void> {
    const { clock } = this.#deps;
    while (this.#waits.size > 0 && !this.#stopped)
      await new Promise<void>((resolve) => clock.after(50, resolve));
    await this.#idle();
    await this.#deps.port.settled();
    this.#deps.onDone();
  }

  async #idle(): Promise<void> {
    const { clock } = this.#deps;
    while ((this.#intake.size > 0 || this.#pumping) && !this.#stopped) {
      await new Promise<void>((resolve) => clock.after(5, resolve));
    }
  }

  /**
   * The first event after quiet is read at once, since the file may be gone in a moment; further ones within
   * the window become one read at its end.
   */
  #touch(track: Track): void {
    const { clock, init } = this.#deps;
    if (track.window) return;
    const item = { key: track.ref.key, risk: RISK.event, rank: 0 };
    const wait = track.usedAt + init.limits.coalesceMs - clock.monotonic();
    if (wait <= 0 || track.usedAt === 0) {
      this.#enqueue(item);
      return;
    }
    track.window = clock.after(wait, () => {
      track.window = undefined;
      this.#enqueue(item);
    });
  }

  #enqueue(item: Parameters<Intake['add']>[0]): void {
    if (this.#quarantined.has(item.key)) return;
    this.#intake.add(item);
    if (!this.#pumping) void this.#pump();
  }

  async #pump(): Promise<void> {
    const { clock, port, onReading } = this.#deps;
    this.#pumping = true;
    let until = clock.monotonic() + PUMP_MS;
    for (let item = this.#intake.take(); item && !this.#stopped; item = this.#intake.take()) {
      const track = this.#tracks.get(item.key);
      if (track) {
        onReading(item.key);
        this.#handle(track, item, this.#reader.read(track));
      }
      await port.room();
      if (clock.monotonic() < until) continue;
      await new Promise((resolve) => setImmediate(resolve));
      until = clock.monotonic() + PUMP_MS;
    }
    this.#pumping = false;
    onReading(null);
  }

  #handle(track: Track, item: Parameters<Intake['add']>[0], outcome: ReadOutcome): void {
    if (outcome !== 'moving') track.moving = 0;
    this.#tracks.used(track, this.#deps.clock.monotonic());
    this.#deps.count('holdfast_reads_total', 1, { outcome });
    switch (outcome) {
      case 'more':
        this.#enqueue(item);
        return;
      case 'settle':
        this.#armSettle(track);
        break;
      case 'gone':
        this.#expectGone(track);
        break;
      case 'moving':
        this.#retrySoon(track, item);
        return;
      case 'later':
        this.#retryLater(track);
        break;
      case 'done':
      case 'refused':
        this.#cancelSettle(track);
        break;
    }
    track.backfill = false;
    track.bulk = false;
  }

  /** An unfinished end counts as final when the file has not changed for the settle time. */
  #armSettle(track: Track): void {
    const { clock, init } = this.#deps;
    const { backfill, bulk } = track;
    const { settleMs } = init.limits;
    const age = clock.now() - (track.seen?.mtimeMs ?? clock.now());
    const task = () => {
      track.settle = undefined;
      [track.backfill, track.bulk] = [backfill, bulk];
      this.#deps.onReading(track.ref.key);
      const outcome = this.#reader.settle(track);
      this.#deps.onReading(null);
      this.#handle(track, { key: track.ref.key, risk: RISK.event, rank: 0 }, outcome);
    };
    track.settle = this.#waits.set(track.ref.key, 'settle', { ms: age > settleMs ? 0 : settleMs, task });
  }

  #retryLater(track: Track): void {
    track.seen = undefined;
    if (this.#deps.init.mode === 'once' && track.failures >= TRIES_ONCE) return;
    const delay = Math.min(MAX_RETRY_MS, 500 * 2 ** Math.min(track.failures, 10));
    const task = () => this.#enqueue({ key: track.ref.key, risk: RISK.event, rank: 0 });
    this.#waits.set(track.ref.key, 'retry', { ms: delay, task });
  }

  /** A transaction of a database is over in milliseconds, mostly. */
  #retrySoon(track: Track, item: Parameters<Intake['add']>[0]): void {
    track.moving++;
    if (track.moving >= MOVES_TOLD) {
      track.trouble = 'never at rest';
      if (this.#deps.init.mode === 'once') return;
    }
    const delay = Math.min(MAX_MOVING_MS, 10 * 2 ** Math.min(track.moving, 10));
    this.#waits.set(track.ref.key, 'retry', { ms: delay, task: () => this.#enqueue(item) });
  }

  /** What an unlinked file still holds is read at once; that it is gone is believed a little later. */
  #expectGone(track: Track): void {
    this.#reader.drain(track);
    letGo(track);
    this.#awaitGone(track);
  }

  #awaitGone(track: Track): void {
    this.#waits.set(track.ref.key, 'gone', { ms: GONE_MS, task: () => this.#confirmGone(track) });
  }

  #confirmGone(track: Track): void {
    if (this.#tracks.get(track.ref.key) !== track) return;
    // Among the files that wait may be this one under another name.
    if (this.#intake.size > 0) {
      this.#awaitGone(track);
      return;
    }
    // What is there again and is not what was read last, looking puts into the intake.
    if (this.#sweeper.walker.lookAt(track.ref)) return;
    const known = track.seen ?? track.cursor;
    const moved = known && this.#tracks.sameFile(track, known);
    if (known && !moved) this.#reader.gone(track, known);
    this.#outlet.flush(track, null);
    this.#cancelSettle(track);
    this.#tracks.delete(track);
  }

  #cancelSettle(track: Track): void {
    this.#waits.cancel(track.ref.key, 'settle');
    track.settle = undefined;
  }
}
