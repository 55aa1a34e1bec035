import { join } from 'node:path';
import type { Timer } from '../contract/clock.ts';
import type { Cursor, RecordNote } from '../contract/commit.ts';
import type { CaptureDeps } from './capture-deps.ts';
import { mainPathOf } from './database/side-files.ts';
import { Departures } from './departures.ts';
import { describeCapture } from './describe.ts';
import { Discovery } from './discovery.ts';
import { Intake, RISK, riskOf } from './intake.ts';
import { createLayout, type Layout, type Root, watchedPath } from './layout.ts';
import { createLiveEnrich } from './live/live-enrich.ts';
import { createRunning } from './live/running.ts';
import type { FileFacts } from './open-file.ts';
import { createOutlet, type Outlet } from './outlet.ts';
import type { CaptureState, SweepReason } from './protocol.ts';
import { Pump } from './pump.ts';
import { createReach } from './reach.ts';
import { createReader, type Reader } from './reader.ts';
import type { ReadOutcome } from './reading.ts';
import {
  createRetentionInForce,
  type RetentionInForce,
  soonestExpiry,
  tellDaysLeft,
} from './retention-in-force.ts';
import { createRetries, type Retries } from './retries.ts';
import { sleepWatch } from './sleep-watch.ts';
import { createSmallFilesOf } from './small-files.ts';
import { Sweeper } from './sweeper.ts';
import type { Track } from './track.ts';
import { Tracks } from './tracks.ts';
import { Pinning } from './vault/pinning.ts';
import { cancelSettle, Waits } from './waits.ts';
import { createWatching, type Watching } from './watching.ts';

const TICK_MS = 5_000;
/** A file that changed within this time is worked on now. */
const FRESH_MS = 60_000;

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
  readonly #retries: Retries;
  readonly #discovery: Discovery;
  readonly #pump: Pump;
  readonly #waits: Waits;
  readonly #pinning: Pinning;
  #timers: Timer[] = [];
  #stopped = false;
  #firstScan: boolean;
  #startedUp = false;
  #readBytes = 0;

  constructor(deps: CaptureDeps) {
    const { init, clock, logger } = deps;
    this.#deps = deps;
    this.#firstScan = init.firstScan;
    this.#waits = new Waits(clock, () => this.#tellWaiting());
    this.#layout = createLayout({ home: init.home, sources: deps.sources });
    const reach = createReach({ clock, home: init.home });
    this.#outlet = createOutlet({
      port: deps.port,
      host: hostOf(init),
      user: init.user,
      clock,
      enrich: createLiveEnrich(init, { clock, mayLookAt: (dir) => reach.has(dir) }),
      onProject: (source, project) => this.#discovery.project(source, project),
    });
    this.#pinning = new Pinning(deps);
    const smallFiles = createSmallFilesOf(init.ownerUid, clock);
    this.#discovery = new Discovery({
      home: init.home,
      sources: deps.sources,
      layout: this.#layout,
      isCopy: init.mode === 'once',
      smallFiles,
      reach,
      onRoot: (root) => this.#onRoot(root),
    });
    this.#reader = createReader({
      retention: (track) => this.#retention.of(track),
      tracks: this.#tracks,
      outlet: this.#outlet,
      clock,
      logger,
      limits: init.limits,
      ownerUid: init.ownerUid,
      smallFiles,
      vault: this.#pinning.vault,
      isRunning: init.mode === 'watch' ? createRunning() : () => undefined,
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
        onUnchanged: (ref) => this.#pinning.missing(ref),
        onMissing: (track) => this.#departures.expect(track),
        onLinkedDirectory: (real) => this.#watching.add(real),
        onReplacedRoot: () => this.#watching.renew(),
        onFullSweep: () => this.#discovery.look(),
        onSwept: (reason, full) => this.#onSwept(reason, full),
      },
    });
    this.#pump = new Pump({
      intake: this.#intake,
      tracks: this.#tracks,
      clock,
      port: deps.port,
      quarantined: init.quarantined,
      onReading: deps.onReading,
      onWaiting: () => this.#tellWaiting(),
      read: (track, item) => this.#handle(track, item, this.#reader.read(track)),
    });
    this.#retries = createRetries({
      waits: this.#waits,
      mode: init.mode,
      enqueue: (item) => this.#pump.enqueue(item),
    });
    this.#retention = createRetentionInForce(this.#tracks, (track) => this.#reader.projectOf(track));
    this.#departures = this.#createDepartures();
  }

  loadNotes(file: string, notes: readonly RecordNote[]): void {
    this.#tracks.loadNotes(file, notes);
  }

  load(cursors: Iterable<readonly [string, Cursor]>): void {
    const all = [...cursors];
    this.#tracks.load(all);
    this.#tracks.loadPinned(this.#pinning.vault.keys());
    this.#discovery.load(all);
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
    this.#pump.quarantine(files);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#pump.stop();
    this.#sweeper.stop();
    for (const timer of this.#timers) timer.cancel();
    this.#waits.cancelAll();
    this.#tracks.releaseAll();
    await this.#watching.stop();
  }

  state(): CaptureState {
    const waiting = [...this.#intake.keys()].flatMap((key) => this.#tracks.get(key) ?? []);
    return describeCapture(
      {
        layout: this.#layout,
        tracks: this.#tracks,
        sweeper: this.#sweeper,
        discovery: this.#discovery,
      },
      {
        watchMode: this.#watching.mode(),
        waiting: this.#waiting(),
        minDaysToExpiry: soonestExpiry(waiting, this.#retention, this.#deps.clock.now()),
        readBytes: this.#readBytes,
        pinned: this.#pinning.vault.size,
        rows: this.#outlet.rows(),
      },
    );
  }

  #createDepartures(): Departures {
    return new Departures({
      tracks: this.#tracks,
      outlet: this.#outlet,
      reader: this.#reader,
      waits: this.#waits,
      clock: this.#deps.clock,
      retention: this.#retention,
      lookAt: (ref) => this.#sweeper.walker.lookAt(ref),
      isBusy: () => this.#intake.size > 0,
      readPins: ({ ref }) => this.#pump.enqueue({ key: ref.key, risk: RISK.event, rank: 0 }),
      onForgotten: (track) => this.#pinning.forget(track),
    });
  }

  /** A project's settings, or a store, that only now became known. */
  #onRoot(root: Root): void {
    this.#watching.add(watchedPath(root));
    // The first sweep comes to it by itself.
    if (this.#sweeper.lastFull !== null) this.#sweeper.look(root.dir);
  }

  #waiting(): number {
    return this.#intake.size + this.#waits.ending + (this.#pump.isReading ? 1 : 0);
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
    this.#pinning.vault.pin(ref);
    const track = this.#tracks.ensure(ref);
    if (!this.#startedUp && !track.seen) track.backfill = this.#firstScan;
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
    for (const track of tracks) if (track) this.#departures.expect(track);
  }

  /** A sweep found the file new or changed. */
  #onFound(track: Track, facts: FileFacts, reason: SweepReason): void {
    this.#pinning.vault.pin(track.ref);
    if (track.window) return;
    const now = this.#deps.clock.now();
    track.foundMs = facts.mtimeMs;
    if (!this.#startedUp && !track.seen) {
      track.backfill = this.#firstScan;
      track.bulk = now - facts.mtimeMs > FRESH_MS;
    }
    const item = riskOf(track.ref.key, facts.mtimeMs, now, this.#retention.of(track).days);
    const isLive = this.#startedUp && reason !== 'start' && now - facts.mtimeMs < FRESH_MS;
    this.#pump.enqueue(isLive ? { ...item, risk: RISK.event } : item);
  }

  #onSwept(reason: SweepReason, full: boolean): void {
    const { count } = this.#deps;
    count('holdfast_sweeps_total', 1, { reason: full ? reason : `${reason}_quick` });
    if (full && !this.#startedUp) void this.#finishStart(reason);
    else if (full) this.#deps.onSwept(reason, false);
  }

  /** The first scan is over when everything it found was read and made durable. */
  async #finishStart(reason: SweepReason): Promise<void> {
    await this.#pump.idle();
    await this.#deps.port.settled();
    if (this.#stopped) return;
    this.#startedUp = true;
    this.#pinning.scanned();
    this.#firstScan = false;
    this.#deps.onSwept(reason, true);
    if (this.#deps.init.mode === 'once') void this.#finishOnce();
  }

  /** What is unfinished at the end of a single scan has had its time when its file is older than the settle time. */
  async #finishOnce(): Promise<void> {
    const { clock } = this.#deps;
    while (this.#waits.size > 0 && !this.#stopped)
      await new Promise<void>((resolve) => clock.after(50, resolve));
    await this.#pump.idle();
    await this.#deps.port.settled();
    this.#deps.onDone();
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
      this.#pump.enqueue(item);
      return;
    }
    track.window = clock.after(wait, () => {
      track.window = undefined;
      this.#pump.enqueue(item);
    });
  }

  #handle(track: Track, item: Parameters<Intake['add']>[0], outcome: ReadOutcome): void {
    if (outcome !== 'moving') track.moving = 0;
    this.#tracks.used(track, this.#deps.clock.monotonic());
    this.#deps.count('holdfast_reads_total', 1, { outcome });
    switch (outcome) {
      case 'more':
        this.#pump.enqueue(item);
        return;
      case 'settle':
        this.#armSettle(track);
        break;
      case 'gone':
        this.#departures.expect(track);
        break;
      case 'moving':
        this.#retries.soon(track, item);
        return;
      case 'later':
        this.#retries.later(track);
        break;
      case 'done':
      case 'refused':
        cancelSettle(track, this.#waits);
        break;
    }
    if (track.ref.spec.role === 'standing') this.#retention.changed();
    if (outcome === 'done' || outcome === 'settle') this.#wasRead(track);
    track.backfill = false;
    track.bulk = false;
  }

  #wasRead(track: Track): void {
    const isOld = (track.backfill || track.bulk) && this.#deps.init.mode === 'watch';
    if (track.isNew && isOld && track.ref.spec.role === 'primary')
      tellDaysLeft(track, { retention: this.#retention, outlet: this.#outlet, clock: this.#deps.clock });
    track.isNew = false;
    this.#pinning.letGoOfRead(track);
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
}

function hostOf({ host, home, labels, limits }: CaptureDeps['init']) {
  return { ...host, home, labels, maxTextBytes: limits.maxTextBytes };
}
