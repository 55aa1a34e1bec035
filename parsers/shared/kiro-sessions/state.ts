import type { ParseContext } from '../../../agent/contract/source.ts';
import { createRepeats, type Repeats } from '../kiro/repeats.ts';
import type { RowScope } from '../kiro/rows.ts';
import { cleanText } from '../text.ts';
import type { Time } from '../time.ts';
import { originOf, sessionPath } from './paths.ts';

/** A question that waits for the user. */
export interface Pending {
  readonly time: Time;
  readonly question: string;
}

/** A call, from its first record on. */
export interface Call {
  readonly name: string;
  /** Id of the message that asked for it; the call's own where the store has no other. */
  readonly message: string;
}

/** The first words of a session that has no prompt of its own. */
export interface Opening {
  readonly id: string;
  readonly text: string;
  readonly time: Time;
}

/** What is remembered of one session's messages; rebuilt by reading them from the start. */
export interface Session {
  readonly context: ParseContext;
  readonly id: string;
  /** Session as identity sees it: the one of the second engine that this was converted from. */
  readonly key: string;
  readonly isConverted: boolean;
  /** When the conversion wrote its records, as far as any of them told. */
  convertedAt: string | undefined;
  readonly convertedCalls: Set<string>;
  readonly claimsOf: (session: string, message: string) => readonly string[];
  readonly calls: Map<string, Call>;
  readonly pending: Map<string, Pending>;
  /** Calls whose decision is told. */
  readonly decided: Set<string>;
  readonly repeats: Repeats;
  opening: Opening | undefined;
  hasUser: boolean;
  model: string | undefined;
}

/** One record being read. */
export interface Scope extends RowScope {
  readonly log: Session;
  readonly id: string;
  readonly time: Time;
}

export function createSession(context: ParseContext, claimsOf: Session['claimsOf']): Session {
  const id = cleanText(sessionPath(context.path)?.id ?? '');
  const origin = originOf(id);
  return {
    context,
    id,
    key: origin ?? id,
    isConverted: origin !== undefined,
    convertedAt: undefined,
    convertedCalls: new Set(),
    claimsOf,
    calls: new Map(),
    pending: new Map(),
    decided: new Set(),
    repeats: createRepeats(),
    opening: undefined,
    hasUser: false,
    model: undefined,
  };
}
