import { join } from 'node:path';
import type { Clock, Timer } from '../contract/clock.ts';
import type { Cursor } from '../contract/commit.ts';
import type { Logger } from '../contract/logger.ts';
import type { Source } from '../contract/source.ts';
import { Departures } from './departures.ts';
import { describeCapture } from './describe.ts';
import { expiryRow } from './gone.ts';
import { Intake, RISK, riskOf } from './intake.ts';
import { createLayout, type Layout } from './layout.ts';
import { createLiveEnrich } from './live/live-enrich.ts';
import type { FileFacts } from './open-file.ts';
import { type CommitPort, createOutlet, type Outlet } from './outlet.ts';
import type { CaptureInit, CaptureState, SweepReason } from './protocol.ts';
import { type Counter, createReader, type Reader, type ReadOutcome } from './reader.ts';
import {
  ageDaysOf,
  createRetentionInForce,
  type RetentionInForce,
  soonestExpiry,
} from './retention-in-force.ts';
import { sleepWatch } from './sleep-watch.ts';
import { Sweeper } from './sweeper.ts';
import type { Track } from './track.ts';
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
  /** How many files wait now (see CaptureState.waiting); told at every change. */
  readonly onWaiting: (files: number) => void;
  readonly onSwept: (reason: SweepReason, first: boolean) => void;
  readonly onDone: () => void;
}

const MAX_RETRY_MS = 60_000;
/** A single scan must end: what the system refuses so often, it leaves out. */
const TRIES_ONCE = 3;
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
  readonly #retention: RetentionInForce;
  readonly #departures: Departures;
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
    this.#waits = new Waits(clock, () => this.#tellWaiting());
    this.#quarantined = new Set(init.quarantined);
    this.#layout = createLayout({ home: init.home, sources: deps.sources });
    const host = { ...init.host, labels: init.labels, maxTextBytes: init.limits.maxTextBytes };
    const enrich = createLiveEnrich(init, clock);
    this.#outlet = createOutlet({ port: deps.port, host, user: init.user, clock, enrich });
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
        onMissing: (track) => this.#departures.expect(track),
        onLinkedDirectory: (real) => this.#watching.add(real),
        onReplacedRoot: () => this.#watching.renew(),
        onSwept: (reason, full) => this.#onSwept(reason, full),
      },
    });
    this.#retention = createRetentionInForce(this.#tracks, (track) => this.#reader.projectOf(track));
    this.#departures = new Departures({
      tracks: this.#tracks,
      outlet: this.#outlet,
      reader: this.#reader,
      waits: this.#waits,
      clock,
      retention: this.#retention,
      lookAt: (ref) => this.#sweeper.walker.lookAt(ref),
      isBusy: () => this.#intake.size > 0,
    });
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
        waiting: this.#waiting(),
        minDaysToExpiry: this.#minDaysToExpiry(),
        readBytes: this.#readBytes,
        rows: this.#outlet.rows(),
      },
    );
  }

  #minDaysToExpiry(): number | null {
    const waiting = [...this.#intake.keys()].flatMap((key) => this.#tracks.get(key) ?? []);
    return soonestExpiry(waiting, this.#retention, this.#deps.clock.now());
  }

  #waiting(): number {
    return this.#intake.size + this.#waits.ending + (this.#pumping ? 1 : 0);
  }

  #tellWaiting(): void {
    this.#deps.onWaiting(this.#waiting());
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
    if (!this.#startedUp && !track.seen) track.backfill = this.#firstScan;
    track.bulk = false;
    this.#touch(track);
  }

  #onGonePath(path: string): void {
    const ref = this.#layout.file(path);
    const place = this.#layout.place(path);
    const dir = place ? join(place.root.dir, place.relative) : path;
    const tracks = ref ? [this.#tracks.get(ref.key)] : this.#tracks.below(dir);
    for (const track of tracks) if (track) this.#departures.expect(track);
  }

  /** A sweep found the file new or changed. */
  #onFound(track: Track, facts: FileFacts, reason: SweepReason): void {
    if (track.window) return;
    const now = this.#deps.clock.now();
    track.foundMs = facts.mtimeMs;
    if (!this.#startedUp && !track.seen) {
      track.backfill = this.#firstScan;
      track.bulk = now - facts.mtimeMs > FRESH_MS;
    }
    const item = riskOf(track.ref.key, facts.mtimeMs, now, this.#retention.of(track).days);
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
    this.#tellWaiting();
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
    this.#tellWaiting();
  }

  #handle(track: Track, item: Parameters<Intake['add']>[0], outcome: ReadOutcome): void {
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
        this.#departures.expect(track);
        break;
      case 'later':
        this.#retryLater(track);
        break;
      case 'done':
      case 'refused':
        this.#cancelSettle(track);
        break;
    }
    if (track.ref.spec.role === 'standing') this.#retention.changed();
    if (outcome === 'done' || outcome === 'settle') this.#wasRead(track);
    track.backfill = false;
    track.bulk = false;
  }

  #wasRead(track: Track): void {
    const isOld = (track.backfill || track.bulk) && this.#deps.init.mode === 'watch';
    if (track.isNew && isOld && track.ref.spec.role === 'primary') this.#tellDaysLeft(track);
    track.isNew = false;
    track.foundMs = undefined;
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

  /** A session that nobody touched for a day is read for the first time: says how long it would still be kept. */
  #tellDaysLeft(track: Track): void {
    const { days } = this.#retention.of(track);
    const ageDays = ageDaysOf(track, this.#deps.clock.now());
    if (days === null || ageDays < 1 || track.tally.rows === 0) return;
    this.#outlet.emit(track, expiryRow(track, days - ageDays, days));
    this.#outlet.flush(track, undefined);
  }

  #cancelSettle(track: Track): void {
    this.#waits.cancel(track.ref.key, 'settle');
    track.settle = undefined;
  }
}
