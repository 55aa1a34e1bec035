import { hash } from 'node:crypto';
import { asNumber, asObject, asText } from '../fields.ts';
import { scanJsonArray } from '../json-array.ts';

/** What is kept of a conversation between two states of its record. */
export interface TalkMemory {
  readonly id: string;
  /** Entries of the history. */
  readonly count: number;
  readonly model: string | undefined;
  /** Where the last entry but two ends, and what the bytes before it looked like; undefined where it must be read whole. */
  readonly tail: { readonly at: number; readonly anchor: string } | undefined;
  /** Conversations that stood here before, with how many entries each had. */
  readonly others: Readonly<Record<string, number>>;
}

const ANCHOR_BYTES = 4_096;
const HEAD_BYTES = 64;
const MAX_OTHERS = 8;

export function readMemory(text: string | undefined): TalkMemory | undefined {
  const raw = asObject(parsed(text));
  const id = asText(raw?.['id']);
  if (!raw || id === undefined) return undefined;
  const at = asNumber(raw['at']);
  const anchor = asText(raw['anchor']);
  const others = Object.entries(asObject(raw['others']) ?? {}).flatMap(([key, count]) =>
    typeof count === 'number' ? [[key, count] as const] : [],
  );
  return {
    id,
    count: asNumber(raw['count']) ?? 0,
    model: asText(raw['model']),
    tail: at === undefined || anchor === undefined ? undefined : { at, anchor },
    others: Object.fromEntries(others),
  };
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function writeMemory({ id, count, model, tail, others }: TalkMemory): string {
  const kept = Object.fromEntries(Object.entries(others).slice(-MAX_OTHERS));
  return JSON.stringify({ id, count, model, ...tail, others: kept });
}

/** What stood here before, with this conversation among it no more. */
export function othersAfter(before: TalkMemory | undefined, id: string): Record<string, number> {
  if (!before) return {};
  const all = before.id === id ? before.others : { ...before.others, [before.id]: before.count };
  return Object.fromEntries(Object.entries(all).filter(([other]) => other !== id));
}

/** A state to read: whole, or from the last entry but one on, which names the calls that the last one answers. */
export interface StateView {
  readonly json: Buffer;
  /** Entries of the history in front of the view. */
  readonly skipped: number;
  /** How much further back a place of the view lies in the value. */
  readonly shift: number;
}

const VIEW_HEAD = Buffer.from('{"history":[');

/**
 * The part of a value that is new: a turn is added at the end of a history of any length, so what stands in front of the
 * last entry told is not read again while it looks the same.
 */
export function viewOf(bytes: Buffer, memory: TalkMemory | undefined): StateView {
  const whole = { json: bytes, skipped: 0, shift: 0 };
  const tail = memory?.tail;
  if (!memory || !tail || tail.at >= bytes.length || anchorAt(bytes, tail.at) !== tail.anchor) return whole;
  const isBetween = bytes[tail.at] === 0x2c;
  if (!isBetween) return whole;
  const json = Buffer.concat([VIEW_HEAD, bytes.subarray(tail.at + 1)]);
  return { json, skipped: memory.count - 2, shift: tail.at + 1 - VIEW_HEAD.length };
}

/** Where the next reading may begin; only for states in the program's own order, where the history stands in front. */
export function tailOf(bytes: Buffer, { json, shift, skipped }: StateView): TalkMemory['tail'] {
  if (skipped === 0 && !/^\{"conversation_id":"[^"]*","next_message":null,"history":\[/.test(headOf(bytes)))
    return undefined;
  const last = scanJsonArray(json, ['history'])?.elements.at(-3);
  if (!last) return undefined;
  const at = last.end + shift;
  return { at, anchor: anchorAt(bytes, at) };
}

function headOf(bytes: Buffer): string {
  return bytes.toString('latin1', 0, 256);
}

function anchorAt(bytes: Buffer, at: number): string {
  const head = bytes.subarray(0, HEAD_BYTES);
  const before = bytes.subarray(Math.max(0, at - ANCHOR_BYTES), at);
  return hash('sha256', Buffer.concat([head, before]), 'base64url');
}
