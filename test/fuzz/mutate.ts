/** Makes inputs that no program wrote, from those that one did. */
import type { Rng } from '../../bench/corpus/rng.ts';

type Mutation = (bytes: Buffer, rng: Rng, other: Buffer) => Buffer;

const TOKENS = [
  '{', '}', '[', ']', '"', ':', ',', '\\', '\n', '\r\n', '\0', '\ufeff', '\\u0000', '\\ud800', 'null', 'true', '-1',
  '1e400', '9007199254740993', '""', '{}', '[]', '"__proto__"', '"constructor"', '1969-12-31T23:59:59Z',
  '+275760-09-13T00:00:00.001Z', 'NaN', '\u001b]0;x\u0007', '\u2028', '/home/alice/../..', 'http://a:b@c/',
]; // biome-ignore format: a list of words

const WRONG: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  '',
  ' ',
  'x',
  '\ud800',
  '\u0000',
  [],
  {},
  [[]],
  [null],
  { a: null },
  [[[{}]]],
  '2026-13-45T99:99:99Z',
  8.64e15 + 1,
  Number.MAX_SAFE_INTEGER,
  'a'.repeat(70_000),
  ['a', 1, null],
];

const MUTATIONS: readonly Mutation[] = [
  cut,
  flip,
  insertToken,
  remove,
  repeat,
  splice,
  changeValue,
  changeValue,
  changeValue,
  shuffleLines,
];

/** One to four changes, one after the other. */
export function mutate(bytes: Buffer, rng: Rng, other: Buffer): Buffer {
  let changed = bytes;
  for (let left = rng.int(1, 4); left > 0; left--) changed = rng.pick(MUTATIONS)(changed, rng, other);
  return changed;
}

function at(bytes: Buffer, rng: Rng): number {
  return rng.int(0, bytes.length);
}

function spanOf(bytes: Buffer, rng: Rng): [number, number] {
  const from = at(bytes, rng);
  return [from, Math.min(bytes.length, from + rng.logInt(1, 2_000))];
}

function cut(bytes: Buffer, rng: Rng): Buffer {
  return bytes.subarray(0, at(bytes, rng));
}

function flip(bytes: Buffer, rng: Rng): Buffer {
  const changed = Buffer.from(bytes);
  for (let left = rng.logInt(1, 8); left > 0 && changed.length > 0; left--)
    changed[rng.int(0, changed.length - 1)] = rng.int(0, 255);
  return changed;
}

function insertToken(bytes: Buffer, rng: Rng): Buffer {
  const place = at(bytes, rng);
  return Buffer.concat([bytes.subarray(0, place), Buffer.from(rng.pick(TOKENS)), bytes.subarray(place)]);
}

function remove(bytes: Buffer, rng: Rng): Buffer {
  const [from, to] = spanOf(bytes, rng);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
}

function repeat(bytes: Buffer, rng: Rng): Buffer {
  const [from, to] = spanOf(bytes, rng);
  return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
}

function splice(bytes: Buffer, rng: Rng, other: Buffer): Buffer {
  const [from, to] = spanOf(other, rng);
  const place = at(bytes, rng);
  return Buffer.concat([bytes.subarray(0, place), other.subarray(from, to), bytes.subarray(place)]);
}

function shuffleLines(bytes: Buffer, rng: Rng): Buffer {
  const lines = bytes.toString('latin1').split('\n');
  const moved = lines.splice(rng.int(0, lines.length - 1), 1);
  lines.splice(rng.int(0, lines.length), 0, ...moved);
  return Buffer.from(lines.join('\n'), 'latin1');
}

/** Keeps a document or one line of it valid JSON, and puts something unexpected at one place of it. */
function changeValue(bytes: Buffer, rng: Rng): Buffer {
  const whole = changedJson(bytes.toString('utf8'), rng);
  if (whole !== undefined) return Buffer.from(whole);
  const lines = bytes.toString('utf8').split('\n');
  const line = rng.int(0, lines.length - 1);
  lines[line] = changedJson(lines[line] ?? '', rng) ?? lines[line] ?? '';
  return Buffer.from(lines.join('\n'));
}

function changedJson(text: string, rng: Rng): string | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    const holders = holdersIn(value);
    if (holders.length === 0) return undefined;
    change(rng.pick(holders), rng);
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

type Holder = Record<string, unknown> | unknown[];

function holdersIn(value: unknown): Holder[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Holder;
  return [...(Object.keys(holder).length > 0 ? [holder] : []), ...Object.values(holder).flatMap(holdersIn)];
}

function change(holder: Holder, rng: Rng): void {
  const key = rng.pick(Object.keys(holder));
  const record = holder as Record<string, unknown>;
  const kind = rng.int(0, 4);
  if (kind === 0 && !Array.isArray(holder)) delete record[key];
  else if (kind === 1 && Array.isArray(holder)) holder.splice(Number(key), 0, holder[Number(key)]);
  else if (kind === 2) record[key] = [record[key], record[key]];
  else if (kind === 3) record[key] = { [key]: record[key] };
  else record[key] = rng.pick(WRONG);
}
