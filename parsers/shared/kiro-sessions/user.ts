import type { Attributes } from '../../../agent/contract/row.ts';
import { asList, asText, type JsonObject } from '../fields.ts';
import { keyOf, promptIdentity, type RecordIdentity } from '../kiro/identity.ts';
import { addEvent, addRow, fact } from '../kiro/rows.ts';
import { typedName } from '../kiro/typed.ts';
import { contentText } from '../kiro/values.ts';
import type { Scope } from './state.ts';

/** Where the words of a user message come from when no person typed them. */
const AUTOMATIC = new Set(['hook', 'api']);

export function readUser(scope: Scope, payload: JsonObject): void {
  const { log } = scope;
  const source = asText(payload['source']);
  const text = contentText(payload['content']);
  const attributes = { ...fact('input', source), ...attachments(payload), ...whileAsked(log) };
  log.hasUser = true;
  log.opening = undefined;
  if (text === '') return;
  if (source !== undefined && AUTOMATIC.has(source))
    addEvent(scope, 'prompt.automatic', {
      record: scope.id,
      text,
      time: scope.time,
      attributes: { kind: source, ...attributes },
    });
  else addTyped(scope, text, attributes);
}

function addTyped(scope: Scope, text: string, attributes: Attributes): void {
  const { log } = scope;
  const identity = identityOf(scope, text);
  addRow(scope, {
    ...identity,
    part: log.repeats.name(identity.part, `${identity.record} ${identity.content ?? text}`, scope.id),
    turn: 'user',
    text,
    time: scope.time,
    attributes,
    claims: [typedName(text), ...log.claimsOf(log.id, scope.id)],
  });
}

/** The second engine has the prompts of a converted session under other ids. */
function identityOf({ log, id, time }: Scope, text: string): RecordIdentity {
  if (log.isConverted) return promptIdentity(log.key, time.utc, text);
  return { sessionKey: keyOf(log.key, id), record: id, part: 'text' };
}

/** Words that came while a question waited: they may be the answer to it, or have nothing to do with it. */
function whileAsked({ pending }: Scope['log']): Attributes {
  return pending.size === 0
    ? {}
    : { typed_while: 'question_open', open_questions: [...pending.keys()].join(',') };
}

function attachments(payload: JsonObject): Attributes {
  const images = asList(payload['images']).length;
  const documents = asList(payload['documents']).length;
  return { ...(images > 0 && { images }), ...(documents > 0 && { documents }) };
}

/**
 * The start of a session holds the system prompt, or the opening prompt where no user message follows; which of them
 * it is, shows with the first answer. The system prompt is told by its length only.
 */
export function readSessionStart(scope: Scope, payload: JsonObject): void {
  const { log, id, time } = scope;
  const text = contentText(payload['content']);
  addEvent(scope, 'session.start', {
    record: 'session_start',
    content: id,
    text: `session start: ${asText(payload['agentType']) ?? 'session'}, ${time.utc ?? 'no time'}`,
    time,
    attributes: { engine: 'v3', ...fact('agent_type', asText(payload['agentType'])), chars: text.length },
  });
  const mayBePrompt = payload['forcedRole'] === false && !isPreamble(text);
  if (!log.hasUser && mayBePrompt) log.opening = { id, text, time };
}

/** Longer than what people type to begin with, or one of the ways in which such a text begins. */
function isPreamble(text: string): boolean {
  return text === '' || text.length > 4_000 || /^\s*(?:[<#(]|You are )/.test(text);
}

/** An answer to nothing that a user said: the start of the session held the prompt. */
export function settleOpening(scope: Scope): void {
  const { log } = scope;
  const { opening } = log;
  log.opening = undefined;
  if (!opening || log.hasUser) return;
  log.hasUser = true;
  addTyped({ ...scope, id: opening.id, time: opening.time }, opening.text, { input: 'session_start' });
}
