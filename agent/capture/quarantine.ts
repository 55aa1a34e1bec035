/**
 * How often a file may be the one being read, at the same place, when its capture process ends by itself.
 * A kill from outside says little about the file (a person, a test, the system short of memory), so it
 * takes more of those.
 */
const TRIES = 3;
const TRIES_WHEN_KILLED = 10;

/** Deaths longer ago than this do not add up, and a file set aside this long gets another chance. */
const FORGET_MS = 10 * 60_000;

interface Blame {
  offset: number;
  deaths: number;
  weight: number;
  at: number;
}

/** Files that end capture processes. Held in memory: after a restart of the keeper each gets its tries again. */
export class Quarantine {
  readonly #blames = new Map<string, Blame>();
  readonly #offsets = new Map<string, number>();
  readonly #aside = new Map<string, number>();

  /** Reading of the file went on to here: a death behind this is another one. */
  progress(file: string, offset: number): void {
    if (this.#blames.has(file)) this.#offsets.set(file, offset);
  }

  /** Counts a process that ended in this file; true when that sets the file aside. */
  blame(file: string, wasKilled: boolean, now: number): boolean {
    const offset = this.#offsets.get(file) ?? 0;
    const known = this.#blames.get(file);
    const goesOn = known && known.offset === offset && now - known.at < FORGET_MS;
    const blame = goesOn ? known : { offset, deaths: 0, weight: 0, at: now };
    blame.deaths++;
    blame.weight += wasKilled ? 1 / TRIES_WHEN_KILLED : 1 / TRIES;
    blame.at = now;
    this.#blames.set(file, blame);
    if (blame.weight < 0.999 || this.#aside.has(file)) return false;
    this.#aside.set(file, now);
    return true;
  }

  /** Files whose time aside is over; they start with a clean slate. */
  release(now: number): string[] {
    const due = [...this.#aside].filter(([, since]) => now - since >= FORGET_MS).map(([file]) => file);
    for (const file of due) {
      this.#aside.delete(file);
      this.#blames.delete(file);
    }
    return due;
  }

  files(): string[] {
    return [...this.#aside.keys()];
  }
}
