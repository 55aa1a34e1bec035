import { hash } from 'node:crypto';
import { asNumber, asText } from '../fields.ts';
import { remembered, rememberedCounts } from '../memory.ts';

/** What is kept of a history between two looks: digests of its last entries, and how often each command was typed. */
export interface HistoryMemory {
  /** Entries at the last look; undefined at the first. */
  count: number | undefined;
  digests: readonly string[];
  /** Number of this time that a command was typed, from 1. Counts the call. */
  countOf(command: string): number;
  readonly counts: Map<string, number>;
}

const DIGEST_CHARS = 5;
const MAX_DIGESTS = 500;
const MAX_COUNTED = 60;

export function readHistoryMemory(memory: string | undefined): HistoryMemory {
  const raw = remembered<{ count?: unknown; digests?: unknown; counts?: unknown }>(memory) ?? {};
  const counts = new Map(rememberedCounts(raw.counts));
  return {
    count: asNumber(raw.count),
    digests: (asText(raw.digests) ?? '').match(/.{5}/g) ?? [],
    counts,
    countOf(command) {
      const key = digestOf(command);
      const count = (counts.get(key) ?? 0) + 1;
      counts.delete(key);
      counts.set(key, count);
      return count;
    },
  };
}

export function writeHistoryMemory({ count, digests, counts }: HistoryMemory): string {
  const last = [...counts].slice(-MAX_COUNTED);
  return JSON.stringify({ count, digests: digests.join(''), counts: Object.fromEntries(last) });
}

/**
 * Places of the entries that were not there at the last look, which is this one from now on. The oldest entries may have
 * been dropped; where less than half of it is left, it is compared by how often each entry stands in it.
 */
export function newEntries(memory: HistoryMemory, entries: readonly string[]): readonly number[] {
  const now = entries.map(digestOf);
  const { digests: before, count } = memory;
  memory.count = now.length;
  memory.digests = now.slice(-MAX_DIGESTS);
  const all = now.map((_digest, index) => index);
  if (count === undefined || before.length === 0) return all;
  for (let end = Math.min(count, now.length); end >= Math.max(1, count / 2); end--)
    if (endsAlike(now, end, before)) return all.slice(end);
  return surplus(now, before);
}

/** Whether the entries up to `end` end as the earlier ones did. */
function endsAlike(now: readonly string[], end: number, before: readonly string[]): boolean {
  const length = Math.min(end, before.length);
  for (let back = 1; back <= length; back++)
    if (now[end - back] !== before[before.length - back]) return false;
  return true;
}

function surplus(now: readonly string[], before: readonly string[]): number[] {
  const left = new Map<string, number>();
  for (const digest of before) left.set(digest, (left.get(digest) ?? 0) + 1);
  return now.flatMap((digest, index) => {
    const count = left.get(digest) ?? 0;
    left.set(digest, count - 1);
    return count > 0 ? [] : [index];
  });
}

function digestOf(entry: string): string {
  return hash('sha1', entry, 'base64url').slice(0, DIGEST_CHARS);
}
