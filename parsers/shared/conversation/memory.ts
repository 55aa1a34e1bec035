import { hash } from 'node:crypto';
import { asNumber, asText, type JsonObject } from '../fields.ts';
import { scanJsonArray } from '../json-array.ts';
import { COMMA } from '../json-scan.ts';
import { remembered, rememberedCounts } from '../memory.ts';

/** What is kept of a conversation between two states of its record. */
export interface TalkMemory {
  readonly id: string;
  /** Entries of the history. */
  readonly count: number;
  readonly model: string | undefined;
  /** Id of its last answer. */
  readonly last: string | undefined;
  /** Where reading may begin the next time; undefined where it must begin at the start. */
  readonly tail: Tail | undefined;
  /** Conversations that stood here before, with how many entries each had. */
  readonly others: Readonly<Record<string, number>>;
  /** When the store says it was saved, in Unix ms. */
  readonly savedMs: number | undefined;
}

/** The last entry but one: it names the calls that the last one answers, and must look the same for a start there. */
interface Tail {
  readonly from: number;
  readonly to: number;
  /** Entries in front of it. */
  readonly skip: number;
  readonly anchor: string;
}

const ANCHOR_BYTES = 4_096;
const HEAD_BYTES = 64;
const MAX_OTHERS = 8;

export function readMemory(text: string | undefined): TalkMemory | undefined {
  const raw = remembered(text);
  const id = asText(raw?.['id']);
  if (!raw || id === undefined) return undefined;
  return {
    id,
    count: asNumber(raw['count']) ?? 0,
    model: asText(raw['model']),
    last: asText(raw['last']),
    tail: tailIn(raw),
    savedMs: asNumber(raw['saved']),
    others: Object.fromEntries(rememberedCounts(raw['others'])),
  };
}

function tailIn(raw: JsonObject): Tail | undefined {
  const [from, to, skip] = ['from', 'to', 'skip'].map((name) => asNumber(raw[name]));
  const anchor = asText(raw['anchor']);
  if (from === undefined || to === undefined || skip === undefined || anchor === undefined) return undefined;
  return { from, to, skip, anchor };
}
export function writeMemory({ id, count, model, last, tail, others, savedMs }: TalkMemory): string {
  const kept = Object.fromEntries(Object.entries(others).slice(-MAX_OTHERS));
  return JSON.stringify({ id, count, model, last, ...tail, others: kept, saved: savedMs });
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
  if (!tail || tail.to >= bytes.length || anchorOf(bytes, tail) !== tail.anchor) return whole;
  if (bytes[tail.from] !== COMMA) return whole;
  const json = Buffer.concat([VIEW_HEAD, bytes.subarray(tail.from + 1)]);
  return { json, skipped: tail.skip, shift: tail.from + 1 - VIEW_HEAD.length };
}

/** Where the next reading may begin; only for states in the program's own order, where the history stands in front. */
export function tailOf(bytes: Buffer, { json, shift, skipped }: StateView): Tail | undefined {
  if (skipped === 0 && !/^\{"conversation_id":"[^"]*","next_message":null,"history":\[/.test(headOf(bytes)))
    return undefined;
  const elements = scanJsonArray(json, ['history'])?.elements ?? [];
  const [before, last] = [elements.at(-3), elements.at(-2)];
  if (!before || !last) return undefined;
  const place = { from: before.end + shift, to: last.end + shift };
  return { ...place, skip: skipped + elements.length - 2, anchor: anchorOf(bytes, place) };
}

function headOf(bytes: Buffer): string {
  return bytes.toString('latin1', 0, 256);
}

function anchorOf(bytes: Buffer, { from, to }: Pick<Tail, 'from' | 'to'>): string {
  const head = bytes.subarray(0, HEAD_BYTES);
  const before = bytes.subarray(Math.max(0, from - ANCHOR_BYTES), to);
  return hash('sha256', Buffer.concat([head, before]), 'base64url');
}
