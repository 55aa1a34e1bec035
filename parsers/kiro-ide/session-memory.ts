import { hash } from 'node:crypto';
import { asNumber, asText } from '../shared/fields.ts';
import { remembered } from '../shared/memory.ts';

/**
 * What is kept of a session between two versions of its file: only a comparison tells that entries were lost or that
 * the model changed. Entries are kept as short digests, so that a long session fits.
 */
export interface SessionMemory {
  readonly model: string | undefined;
  readonly mode: string | undefined;
  /** How often model or mode changed so far: a change back is another event. */
  readonly changes: number;
  readonly count: number;
  /** Digests of the last entries, each of the same length, without anything between. */
  readonly digests: string;
}

const DIGEST_CHARS = 5;
/** The last ones of a longer history; the rest of the memory stays below 600 characters. */
const MAX_DIGESTS = 680;
const MAX_NAME_CHARS = 200;

export function readMemory(memory: string | undefined): SessionMemory | undefined {
  const raw = remembered<Record<keyof SessionMemory, unknown>>(memory);
  if (!raw) return undefined;
  return {
    model: asText(raw.model),
    mode: asText(raw.mode),
    changes: asNumber(raw.changes) ?? 0,
    count: asNumber(raw.count) ?? 0,
    digests: asText(raw.digests) ?? '',
  };
}

export function writeMemory(memory: SessionMemory): string {
  return JSON.stringify(memory);
}

/** A model or a mode; a longer text is none. */
export function shortName(value: unknown): string | undefined {
  return asText(value)?.slice(0, MAX_NAME_CHARS);
}

export function digestsOf(entries: readonly string[]): string {
  return entries
    .slice(-MAX_DIGESTS)
    .map((entry) => hash('sha1', entry, 'base64url').slice(0, DIGEST_CHARS))
    .join('');
}

/** Entries that were there before and are not any more. */
export function lostEntries(before: SessionMemory, entries: readonly string[]): readonly string[] {
  const now = new Set(entries.map((entry) => digestsOf([entry])));
  const lost: string[] = [];
  for (let at = 0; at < before.digests.length; at += DIGEST_CHARS) {
    const digest = before.digests.slice(at, at + DIGEST_CHARS);
    if (!now.has(digest)) lost.push(digest);
  }
  return lost;
}
