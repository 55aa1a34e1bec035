import type { Attributes } from '../../agent/contract/row.ts';
import type { Time } from '../shared/time.ts';
import { asObject } from './records.ts';
import { addRow, type RowFacts } from './rows.ts';
import type { Message, Scope } from './state.ts';

/** One pass over a gemini message. */
export interface Turn {
  readonly scope: Scope;
  readonly message: Message;
  readonly time: Time;
  /** Token counts that no row carries yet. */
  tokens: Attributes | undefined;
}

export function startTurn(scope: Scope, message: Message, facts: { time: Time; tokens: unknown }): Turn {
  return {
    scope,
    message,
    time: facts.time,
    tokens: message.hasTokens ? undefined : readTokens(facts.tokens),
  };
}

/** Adds a row of the message; the first one of a pass carries the token counts. */
export function addTurn(turn: Turn, facts: Omit<RowFacts, 'record' | 'model' | 'content' | 'event'>): void {
  const { message, tokens } = turn;
  if (tokens !== undefined) message.hasTokens = true;
  turn.tokens = undefined;
  addRow(turn.scope, {
    record: message.id,
    part: facts.part,
    turn: facts.turn,
    text: facts.text,
    time: facts.time,
    model: message.model,
    tool: facts.tool,
    callId: facts.callId,
    claims: facts.claims,
    attributes: tokens === undefined ? facts.attributes : { ...tokens, ...facts.attributes },
  });
}

const COUNTS = ['input', 'output', 'cached', 'thoughts', 'tool', 'total'] as const;

function readTokens(value: unknown): Attributes | undefined {
  const raw = asObject<Record<string, unknown>>(value);
  if (!raw) return undefined;
  const counts: Record<string, number> = {};
  for (const name of COUNTS) {
    const count = raw[name];
    if (typeof count === 'number' && Number.isFinite(count)) counts[`tokens_${name}`] = count;
  }
  return Object.keys(counts).length === 0 ? undefined : counts;
}
