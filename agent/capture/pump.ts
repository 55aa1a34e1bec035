import type { Clock } from '../contract/clock.ts';
import type { Intake, IntakeItem } from './intake.ts';
import type { CommitPort } from './outlet.ts';
import type { Track } from './track.ts';
import type { Tracks } from './tracks.ts';

interface PumpDeps {
  readonly intake: Intake;
  readonly tracks: Tracks;
  readonly clock: Clock;
  readonly port: CommitPort;
  readonly quarantined: readonly string[];
  readonly onReading: (file: string | null) => void;
  readonly onWaiting: () => void;
  readonly read: (track: Track, item: IntakeItem) => void;
}

/** Longest stretch of reading before timers and events get their turn. */
const STRETCH_MS = 20;

/** Reads what waits in the intake, riskiest first, one file at a time and no faster than commits are taken. */
export class Pump {
  readonly #deps: PumpDeps;
  #quarantined: ReadonlySet<string>;
  #running = false;
  #stopped = false;

  constructor(deps: PumpDeps) {
    this.#deps = deps;
    this.#quarantined = new Set(deps.quarantined);
  }

  get isReading(): boolean {
    return this.#running;
  }

  /** Files that are not to be read now; all others are again. */
  quarantine(files: readonly string[]): void {
    this.#quarantined = new Set(files);
  }

  enqueue(item: IntakeItem): void {
    if (this.#quarantined.has(item.key)) return;
    this.#deps.intake.add(item);
    if (!this.#running) void this.#run();
  }

  /** Resolves when nothing waits and nothing is being read. */
  async idle(): Promise<void> {
    const { clock, intake } = this.#deps;
    while ((intake.size > 0 || this.#running) && !this.#stopped)
      await new Promise<void>((resolve) => clock.after(5, resolve));
  }

  stop(): void {
    this.#stopped = true;
  }

  async #run(): Promise<void> {
    const { intake, tracks, clock, port, onReading, onWaiting, read } = this.#deps;
    this.#running = true;
    onWaiting();
    let until = clock.monotonic() + STRETCH_MS;
    for (let item = intake.take(); item && !this.#stopped; item = intake.take()) {
      const track = tracks.get(item.key);
      if (track) {
        onReading(item.key);
        read(track, item);
      }
      await port.room();
      if (clock.monotonic() < until) continue;
      await new Promise((resolve) => setImmediate(resolve));
      until = clock.monotonic() + STRETCH_MS;
    }
    this.#running = false;
    onReading(null);
    onWaiting();
  }
}
