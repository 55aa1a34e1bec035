import { hash } from 'node:crypto';

/** A seeded source of choices. The same seed gives the same sequence on every machine. */
export interface Rng {
  /** From 0 up to, not including, 1. */
  float(): number;
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  /** A whole number from `low` to `high`, small ones far more often: evenly spread over the logarithm. */
  logInt(low: number, high: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  hex(digits: number): string;
  uuid(): string;
  /** A generator of its own that depends on the seed and the name only, not on what was drawn so far. */
  fork(name: string): Rng;
}

const TWO_32 = 2 ** 32;

export function createRng(seed: string | number): Rng {
  const next = xorshift128(hash('sha256', `corpus ${seed}`, 'buffer'));
  const float = () => next() / TWO_32;
  const int = (low: number, high: number) => low + Math.floor(float() * (high - low + 1));
  const hex = (digits: number) => {
    let text = '';
    while (text.length < digits) text += next().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  };
  return {
    float,
    int,
    logInt: (low, high) => Math.round(low * (high / low) ** float()),
    chance: (share) => float() < share,
    pick: <T>(list: readonly T[]) => list[int(0, list.length - 1)] as T,
    hex,
    uuid: () => asUuid(hex(32)),
    fork: (name) => createRng(`${seed}/${name}`),
  };
}

/** Marsaglia's xorshift with 128 bits of state. */
function xorshift128(seed: Buffer): () => number {
  const state = [0, 4, 8, 12].map((at) => seed.readUInt32LE(at) || 1);
  let [a = 1, b = 1, c = 1, d = 1] = state;
  return () => {
    const mixed = a ^ (a << 11);
    [a, b, c] = [b, c, d];
    d = d ^ (d >>> 19) ^ mixed ^ (mixed >>> 8);
    return d >>> 0;
  };
}

/** 32 hex digits in the form of a random (version 4) UUID. */
function asUuid(hex: string): string {
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-');
}
