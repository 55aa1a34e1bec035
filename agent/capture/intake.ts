/** How soon a file should be read: what can vanish first comes first. */
export const RISK = {
  /** Something just happened to it: a coding agent may delete it again within seconds. */
  event: 0,
  /** It is about to reach the age at which the coding agent deletes it. */
  expiring: 1,
  /** Used within the last day: the next start of the coding agent may delete it. */
  recent: 2,
  /** Everything else, newest first. */
  old: 3,
} as const;

export interface IntakeItem {
  readonly key: string;
  readonly risk: number;
  /** Order within the same risk; smaller first. */
  readonly rank: number;
}

const DAY_MS = 86_400_000;

/** Files that wait to be read, each once. A later, riskier reason moves a file forward. */
export class Intake {
  readonly #items = new Map<string, IntakeItem>();
  /** A binary heap, smallest first; entries that were replaced stay in it and are passed over. */
  readonly #heap: IntakeItem[] = [];

  get size(): number {
    return this.#items.size;
  }

  /** Keys of the files that wait, in no order. */
  keys(): Iterable<string> {
    return this.#items.keys();
  }

  add(item: IntakeItem): void {
    const known = this.#items.get(item.key);
    if (known && compare(known, item) <= 0) return;
    this.#items.set(item.key, item);
    this.#heap.push(item);
    this.#rise(this.#heap.length - 1);
  }

  /** The file to read next. */
  take(): IntakeItem | undefined {
    for (let item = this.#pop(); item; item = this.#pop()) {
      if (this.#items.get(item.key) !== item) continue;
      this.#items.delete(item.key);
      return item;
    }
    return undefined;
  }

  #pop(): IntakeItem | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first && last && this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink(0);
    }
    return first;
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfLess(at, parent)) return;
      at = parent;
    }
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const left = at * 2 + 1;
      const right = this.#heap[left + 1];
      const leftItem = this.#heap[left];
      if (!leftItem) return;
      const child = right && compare(right, leftItem) < 0 ? left + 1 : left;
      if (!this.#swapIfLess(child, at)) return;
      at = child;
    }
  }

  /** Swaps when the item at `a` comes before the one at `b`. */
  #swapIfLess(a: number, b: number): boolean {
    const [itemA, itemB] = [this.#heap[a], this.#heap[b]];
    if (!itemA || !itemB || compare(itemA, itemB) >= 0) return false;
    this.#heap[a] = itemB;
    this.#heap[b] = itemA;
    return true;
  }
}

/** Risk of a file that a sweep found, from its age and how long its coding agent keeps it. */
export function riskOf(
  key: string,
  mtimeMs: number,
  nowMs: number,
  retentionDays: number | null,
): IntakeItem {
  const ageMs = nowMs - mtimeMs;
  if (retentionDays !== null && ageMs >= (retentionDays - 3) * DAY_MS)
    return { key, risk: RISK.expiring, rank: mtimeMs };
  return { key, risk: ageMs < DAY_MS ? RISK.recent : RISK.old, rank: -mtimeMs };
}

function compare(a: IntakeItem, b: IntakeItem): number {
  return a.risk - b.risk || a.rank - b.rank;
}
