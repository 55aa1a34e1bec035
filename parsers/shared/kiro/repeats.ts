import { hash } from 'node:crypto';

/**
 * Tells apart records that would have one identity: the first keeps it, each further one gets a number. A record that is
 * written again under its own id is the same one.
 */
export interface Repeats {
  /** `part` for the first record of this key, `part:2` for the second. */
  name(part: string, key: string, id: string): string;
}

const LONG_KEY = 64;

export function createRepeats(): Repeats {
  const known = new Map<string, string[]>();
  return {
    name(part, key, id) {
      const short = key.length > LONG_KEY ? hash('sha1', key, 'base64url') : key;
      const ids = known.get(short);
      if (!ids) {
        known.set(short, [id]);
        return part;
      }
      const found = ids.indexOf(id);
      const place = found < 0 ? ids.push(id) : found + 1;
      return place === 1 ? part : `${part}:${place}`;
    },
  };
}
