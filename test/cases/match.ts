import { type Row, SELF } from '../../agent/contract/row.ts';
import type { ListedRow, Pattern } from './case-form.ts';
import { describeDifferences, describeListed, describeRow } from './describe.ts';
import { type Bounds, boundsOf, type Mode, patternOf } from './listed-rows.ts';
import { differences, fits } from './pattern.ts';

/** A row as the collector has it: each id once. */
export interface Received {
  readonly row: Row;
  /** How often it was delivered and taken. */
  readonly copies: number;
}

export interface MatchOptions {
  readonly mode: Mode;
  readonly allButLive: boolean;
  /** Rows that may come beside the listed ones: any, or those like one of the patterns. */
  readonly allowExtra: boolean | readonly Pattern[];
  /** Name of a secondary file: cold, what it alone still has may come, marked as recovered. */
  readonly secondary?: string | undefined;
}

export interface MatchResult {
  readonly problems: readonly string[];
  /** Which listed row (by its index) each matched row stands for. */
  readonly matched: ReadonlyMap<number, readonly Row[]>;
}

interface Wish {
  readonly index: number;
  readonly listed: ListedRow;
  readonly pattern: Pattern;
  readonly bounds: Bounds;
}

const CONVERSATION: ReadonlySet<string> = new Set(['user', 'assistant', 'tool_use', 'tool_result']);

export function isConversation({ turn_type: turn }: Row): boolean {
  return CONVERSATION.has(turn);
}

/**
 * Compares what came with what is listed. Every listed row takes at most one row (`max` allows more), so
 * that two equal prompts need two rows; the assignment that satisfies most wishes counts. Rows that are
 * left over are failures when they are part of a conversation, or a further copy of something listed.
 */
export function matchRows(
  listed: readonly ListedRow[],
  received: readonly Received[],
  options: MatchOptions,
): MatchResult {
  const wishes = listed.flatMap((row, index): Wish[] => {
    const bounds = boundsOf(row, options.mode, options.allButLive);
    return bounds ? [{ index, listed: row, pattern: patternOf(row), bounds }] : [];
  });
  const rows = received.map(({ row }) => row);
  const taken = assign(wishes, rows);
  return {
    matched: byIndex(taken, rows),
    problems: [
      ...wishes.flatMap((wish) => missing(wish, rows, taken)),
      ...wishes.flatMap((wish) => tooManyCopies(wish, received, taken)),
      ...rows.flatMap((row, at) => (taken.has(at) ? [] : leftOver(row, wishes, options))),
    ],
  };
}

/** Which wish took which row (by its place). Wishes that must be met come first and are never put back. */
function assign(wishes: readonly Wish[], rows: readonly Row[]): Map<number, Wish> {
  const owners = new Map<number, Slot>();
  const slots = [...slotsOf(wishes, rows.length, true), ...slotsOf(wishes, rows.length, false)];
  for (const slot of slots) place(slot, { rows, owners, tried: new Set() });
  return new Map([...owners].map(([at, { wish }]) => [at, wish]));
}

interface Slot {
  readonly wish: Wish;
}

/** One slot for each row that a wish may take: the one it must have, or those it may have. */
function slotsOf(wishes: readonly Wish[], limit: number, required: boolean): Slot[] {
  return wishes.flatMap((wish) => {
    const { min, max } = wish.bounds;
    const number = required ? min : Math.min(max, limit) - min;
    return Array.from({ length: Math.max(0, number) }, () => ({ wish }));
  });
}

interface Placing {
  readonly rows: readonly Row[];
  readonly owners: Map<number, Slot>;
  readonly tried: Set<number>;
}

/** An augmenting path: takes a free row, or one whose owner can take another. */
function place(slot: Slot, placing: Placing): boolean {
  const { rows, owners, tried } = placing;
  for (const [at, row] of rows.entries()) {
    if (tried.has(at) || !fits(slot.wish.pattern, row)) continue;
    tried.add(at);
    const owner = owners.get(at);
    if (owner && !place(owner, placing)) continue;
    owners.set(at, slot);
    return true;
  }
  return false;
}

function missing(wish: Wish, rows: readonly Row[], taken: ReadonlyMap<number, Wish>): string[] {
  if (wish.bounds.min === 0 || [...taken.values()].includes(wish)) return [];
  const candidates = rows
    .map((row, at) => ({ row, isFree: !taken.has(at), found: differences(wish.pattern, row) }))
    .filter(({ row, found }) => row.agent !== SELF && found.length < Object.keys(wish.pattern).length)
    .sort((a, b) => a.found.length - b.found.length || Number(b.isFree) - Number(a.isFree))
    .slice(0, 2)
    .map(
      ({ row, isFree, found }) =>
        `  close${isFree ? '' : ', but taken by another'}: ${describeRow(row)}; ${describeDifferences(found)}`,
    );
  return [[`missing row ${describeListed(wish.listed, wish.index)}`, ...candidates].join('\n')];
}

function tooManyCopies(
  wish: Wish,
  received: readonly Received[],
  taken: ReadonlyMap<number, Wish>,
): string[] {
  if (wish.listed.max === undefined) return [];
  let copies = 0;
  for (const [at, owner] of taken) if (owner === wish) copies += received[at]?.copies ?? 0;
  if (copies <= wish.bounds.max) return [];
  return [
    `delivered ${copies} times, at most ${wish.bounds.max}: ${describeListed(wish.listed, wish.index)}`,
  ];
}

function leftOver(row: Row, wishes: readonly Wish[], options: MatchOptions): string[] {
  const { allowExtra } = options;
  const like = wishes.find(({ pattern }) => fits(pattern, row));
  if (like) {
    const { max } = like.bounds;
    return [
      `more than ${max} row${max === 1 ? '' : 's'} like ${describeListed(like.listed, like.index)}: ${describeRow(row)}`,
    ];
  }
  if (!isConversation(row) || allowExtra === true || isRecovered(row, options)) return [];
  if (allowExtra !== false && allowExtra.some((pattern) => fits(pattern, row))) return [];
  return [`row that is not listed: ${describeRow(row)}`];
}

function isRecovered(row: Row, { mode, secondary }: MatchOptions): boolean {
  return (
    mode === 'cold' &&
    secondary !== undefined &&
    row.recovered &&
    row.source_file?.endsWith(secondary) === true
  );
}

function byIndex(taken: ReadonlyMap<number, Wish>, rows: readonly Row[]): Map<number, Row[]> {
  const matched = new Map<number, Row[]>();
  for (const [at, { index }] of taken) {
    const row = rows[at];
    if (row) matched.set(index, [...(matched.get(index) ?? []), row]);
  }
  return matched;
}
