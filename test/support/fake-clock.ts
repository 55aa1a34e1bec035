import type { Clock, Timer } from '../../agent/contract/clock.ts';

interface Task {
  at: number;
  readonly every: number | undefined;
  readonly run: () => void;
}

/** A clock that moves only when told to. Wall time and monotonic time can be moved apart. */
export class FakeClock implements Clock {
  #wall: number;
  #mono = 0;
  readonly #tasks = new Set<Task>();

  constructor(wall = Date.UTC(2026, 10, 30, 12)) {
    this.#wall = wall;
  }

  now(): number {
    return this.#wall;
  }

  monotonic(): number {
    return this.#mono;
  }

  after(ms: number, run: () => void): Timer {
    return this.#add({ at: this.#mono + ms, every: undefined, run });
  }

  every(ms: number, run: () => void): Timer {
    return this.#add({ at: this.#mono + ms, every: ms, run });
  }

  /** Wall clock only, as a correction by NTP or a user does. */
  jumpWall(ms: number): void {
    this.#wall += ms;
  }

  /** Moves time and runs what falls due, in order; lets promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#mono + ms;
    for (let task = this.#due(end); task; task = this.#due(end)) {
      this.#moveTo(task.at);
      if (task.every === undefined) this.#tasks.delete(task);
      else task.at += task.every;
      task.run();
      await settle();
    }
    this.#moveTo(end);
    await settle();
  }

  #add(task: Task): Timer {
    this.#tasks.add(task);
    return { cancel: () => void this.#tasks.delete(task) };
  }

  #due(end: number): Task | undefined {
    let first: Task | undefined;
    for (const task of this.#tasks) if (task.at <= end && (!first || task.at < first.at)) first = task;
    return first;
  }

  #moveTo(mono: number): void {
    this.#wall += mono - this.#mono;
    this.#mono = mono;
  }
}

/** Lets everything that is already resolved run. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
