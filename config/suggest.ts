import { z } from 'zod';
import { CONFIG_KEYS } from './table.ts';
import { optionOf, type Path, schemaAt, unwrap } from './walk.ts';

/** Names under which people try to write a secret itself. */
const SECRET_NAME =
  /^(auth_?)?(token|password|passwd|secret|credential|bearer|authorization|api_?key|private_?key)s?$/i;

/** More edits than this and two words only look alike. */
const MAX_EDITS = 3;

/** What to say about a key that does not exist. Its value is never part of the message. */
export function unknownKeyMessage(
  root: z.ZodType,
  value: unknown,
  place: { parent: Path; name: string },
): string {
  const { parent, name } = place;
  if (SECRET_NAME.test(name)) {
    return 'secrets are not written into the configuration; put it into a file and name that with token_file, or name an environment variable with token_env';
  }
  const near = nearest(name, siblings(root, parent, value));
  if (near !== undefined) return `unknown key; did you mean ${near}?`;
  const elsewhere = CONFIG_KEYS.find(({ path }) => path.at(-1) === name);
  return elsewhere ? `unknown key here; did you mean ${elsewhere.name}?` : 'unknown key';
}

/** The name that is fewest edits away, unless even that is another word. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let fewest = Math.min(MAX_EDITS, Math.floor(name.length / 3)) + 1;
  const plain = simplify(name);
  for (const candidate of candidates) {
    const edits = editDistance(plain, simplify(candidate));
    if (edits < fewest) [best, fewest] = [candidate, edits];
  }
  return best;
}

function siblings(root: z.ZodType, parent: Path, value: unknown): string[] {
  const schema = schemaAt(root, parent, value);
  const bare = schema && unwrap(schema);
  if (bare instanceof z.ZodObject) return Object.keys(bare.shape);
  if (!(bare instanceof z.ZodDiscriminatedUnion)) return [];
  return Object.keys(optionOf(bare, at(value, parent))?.shape ?? {});
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, name) => Object(inner)[name], value);
}

/** sweepSeconds, sweep-seconds and SWEEP_SECONDS all mean sweep_seconds. */
function simplify(name: string): string {
  return name.replace(/[-_ ]/g, '').toLowerCase();
}

/** Levenshtein distance, one row of the table at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const swap = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
