import type { Attributes } from '../../agent/contract/row.ts';
import { asObject, asText } from '../shared/fields.ts';
import { cleanText } from '../shared/text.ts';
import type { Time } from '../shared/time.ts';
import { promptName } from './claims.ts';
import { contentOf } from './content.ts';
import { timeOf } from './place.ts';
import type { RawRecord } from './records.ts';
import { addEvent, addRow } from './rows.ts';
import type { Scope } from './state.ts';

/** Subtypes of what a person said, with how it came in. */
const SAID: Readonly<Record<string, string>> = {
  mid_turn_user_message: 'mid_turn',
  realtime_message: 'voice',
};

/** Subtypes of what the program sent in the user's name. */
const AUTOMATIC = new Set(['notification', 'cron', 'goal_runtime']);

interface RawPayload {
  readonly displayText?: unknown;
  readonly hookContext?: unknown;
}

/** A record of type user: a prompt, or something that the program sent to the model as one. */
export function readUser(scope: Scope, raw: RawRecord): void {
  const time = timeOf(raw.timestamp);
  const texts = contentOf(raw).texts;
  const kind = automaticKind(raw);
  if (kind !== undefined) {
    addAutomatic(scope, { kind, text: texts.join(''), raw, time });
    return;
  }
  const payload = asObject<RawPayload>(raw.systemPayload) ?? {};
  const typed = asText(payload.displayText) ?? typedIn(texts).join('');
  if (typed !== '') addTyped(scope, typed, { time, attributes: userAttributes(scope, raw) });
  const hookContext = asText(payload.hookContext);
  if (hookContext !== undefined) addEvent(scope, 'session.hook_context', { text: hookContext, time });
}

/** Row of something that a person said; copies of it stand in the prompt history. */
export function addTyped(scope: Scope, text: string, facts: { time: Time; attributes?: Attributes }): void {
  const claims = [promptName(scope.columns.session_id ?? '', text)];
  addRow(scope, { part: 'text', turn: 'user', text, claims, ...facts });
}

/** Why nobody typed it: the subtype says so, or where the record says that it comes from. */
function automaticKind({ subtype, provenance }: RawRecord): string | undefined {
  const kind = asText(subtype);
  if (kind !== undefined && AUTOMATIC.has(kind)) return kind;
  if (kind !== undefined && Object.hasOwn(SAID, kind)) return undefined;
  const origin = asText(provenance) ?? 'real_user';
  return origin === 'real_user' ? undefined : cleanText(kind ?? origin);
}

interface Automatic {
  readonly kind: string;
  readonly text: string;
  readonly raw: RawRecord;
  readonly time: Time;
}

function addAutomatic(scope: Scope, { kind, text, raw, time }: Automatic): void {
  const shown = asText(asObject<RawPayload>(raw.systemPayload)?.displayText);
  const provenance = asText(raw.provenance);
  addEvent(scope, 'prompt.automatic', {
    text,
    time,
    attributes: {
      kind,
      ...(provenance !== undefined && { provenance: cleanText(provenance) }),
      ...(shown !== undefined && { display: cleanText(shown) }),
    },
  });
}

/** Up to the bodies of the files that the prompt mentions with `@`. */
function typedIn(texts: readonly string[]): readonly string[] {
  const bodies = texts.findIndex((text) =>
    text.trimStart().startsWith('--- Content from referenced files ---'),
  );
  return bodies > 0 ? texts.slice(0, bodies) : texts;
}

/** How it came in, by its subtype. */
function saidHow(kind: string): string {
  return (Object.hasOwn(SAID, kind) ? SAID[kind] : undefined) ?? kind;
}

/** A subagent is told what to do by the session that started it, not by a person. */
function userAttributes({ session }: Scope, { subtype }: RawRecord): Attributes {
  const kind = asText(subtype);
  if (session.name.agent !== undefined) return { provenance: 'agent' };
  if (kind === undefined) return {};
  return { input: cleanText(saidHow(kind)) };
}
