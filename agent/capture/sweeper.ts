import type { Clock } from '../contract/clock.ts';
import { type FileRef, isSkipped, type Layout } from './layout.ts';
import type { FileFacts } from './open-file.ts';
import type { SweepReason } from './protocol.ts';
import { isUnchanged, type Track } from './track.ts';
import type { Tracks } from './tracks.ts';
import { Walker } from './walker.ts';

export interface SweepListener {
  /** A file that is new or not what it was when last read. */
  onChanged(track: Track, facts: FileFacts, reason: SweepReason): void;
  /** A file that is what it was when last read. */
  onUnchanged(ref: FileRef): void;
  /** A file that was there and is not any more. */
  onMissing(track: Track): void;
  onLinkedDirectory(real: string): void;
  /** Everything is about to be looked at. */
  onFullSweep(): void;
  onReplacedRoot(): void;
  onSwept(reason: SweepReason, full: boolean): void;
}

export interface SweeperOptions {
  readonly home: string;
  readonly ownerUid: number | null;
  readonly layout: Layout;
  readonly tracks: Tracks;
  readonly clock: Clock;
  readonly listener: SweepListener;
}

/** Longest piece of a walk before watch events and reads get their turn. */
const SLICE_MS = 15;

/** A file that changed within this time is looked at in every quick sweep, as is one that is followed. */
const HOT_MS = 15 * 60_000;

/** Looks for changes that no event told of. Sweeps asked for while one runs are run after it, as one. */
export class Sweeper {
  readonly walker: Walker;
  lastFull: number | null = null;
  readonly #options: SweeperOptions;
  #asked: { full: boolean; reason: SweepReason } | undefined;
  #running = false;
  #number = 0;
  #reason: SweepReason = 'start';
  #isFull = false;
  #stopped = false;

  constructor(options: SweeperOptions) {
    this.#options = options;
    this.walker = new Walker({
      ...options,
      listener: {
        onFile: (ref, facts) => this.#onFile(ref, facts),
        onLinkedDirectory: options.listener.onLinkedDirectory,
        onReplacedRoot: options.listener.onReplacedRoot,
      },
    });
  }

  request(full: boolean, reason: SweepReason): void {
    this.#asked = { full: full || (this.#asked?.full ?? false), reason };
    if (!this.#running) void this.#run();
  }

  /** Looks at one directory now, for an event that named it. */
  look(path: string): void {
    for (const { root, relative } of this.#options.layout.places(path)) {
      if (isSkipped(root, relative)) continue;
      for (const _ of this.walker.below(root, relative));
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let asked = this.#asked; asked && !this.#stopped; asked = this.#asked) {
      this.#asked = undefined;
      this.#reason = asked.reason;
      if (asked.full) await this.#full();
      else await this.#quick();
      this.#options.listener.onSwept(asked.reason, asked.full);
    }
    this.#running = false;
  }

  async #full(): Promise<void> {
    this.#number++;
    this.#isFull = true;
    this.#options.listener.onFullSweep();
    await this.#inSlices(this.walker.full());
    this.#isFull = false;
    if (this.#stopped) return;
    this.#adoptLeftOver();
    for (const track of this.#options.tracks.all()) {
      if (track.sweep !== this.#number && this.walker.isPresent(track.ref.root))
        this.#options.listener.onMissing(track);
    }
    this.lastFull = this.#options.clock.now();
  }

  async #quick(): Promise<void> {
    await this.#inSlices(this.walker.quick());
    const since = this.#options.clock.now() - HOT_MS;
    for (const track of this.#options.tracks.all()) {
      const isHot = track.live !== undefined || (track.seen?.mtimeMs ?? 0) > since;
      if (isHot && !this.walker.lookAt(track.ref)) this.#options.listener.onMissing(track);
    }
  }

  /** A home whose store is not there at all (not mounted, moved away) does not mean that everything was deleted. */
  #adoptLeftOver(): void {
    for (const key of this.#options.tracks.leftOver()) {
      const ref = this.#options.layout.byKey(key);
      if (ref && this.walker.isPresent(ref.root)) this.#options.tracks.ensure(ref);
    }
  }

  #onFile(ref: FileRef, facts: FileFacts): void {
    const track = this.#options.tracks.ensure(ref);
    track.sweep = this.#number;
    const { listener } = this.#options;
    const isAgain = this.#isFull && ref.spec.kind === 'standing' && ref.spec.again === true;
    if (isUnchanged(track, facts) && !isAgain) listener.onUnchanged(ref);
    else listener.onChanged(track, facts, this.#reason);
  }

  async #inSlices(walk: Generator<void>): Promise<void> {
    const { clock } = this.#options;
    let until = clock.monotonic() + SLICE_MS;
    for (const _ of walk) {
      if (this.#stopped) return;
      if (clock.monotonic() < until) continue;
      await new Promise((resolve) => setImmediate(resolve));
      until = clock.monotonic() + SLICE_MS;
    }
  }
}
