import { asList, asObject, asText, valueAt } from '../shared/fields.ts';
import { fact } from '../shared/kiro/rows.ts';
import { answerName, promptName, textKey, typedFor } from './claims.ts';
import { addEditorText } from './editor-context.ts';
import { isAcknowledgement, userText } from './machine-text.ts';
import type { Execution, RawExecution } from './records.ts';
import { addRow, recordName, turnNames } from './rows.ts';
import { contentText } from './values.ts';

interface RawMessage {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly entries?: unknown;
}

/** What the execution was started with; undefined when it keeps only the history. */
export function ownPrompt({ input }: RawExecution): string | undefined {
  const data = asObject(asObject(input)?.['data']) ?? {};
  const messages = asList(data['messages']).flatMap((message) => asObject<RawMessage>(message) ?? []);
  const last = messages.findLast(({ role }) => role === undefined || role === 'user' || role === 'human');
  const text = last === undefined ? '' : contentText(last.content);
  return text === '' ? asText(data['userPrompt']) : text;
}

/**
 * A copy of what the session holds, where there is a session: it knows how often the same words were typed. A session
 * that names the execution has its prompt whatever the words are here.
 */
export function addOwnPrompt({ id, scope, time, session }: Execution, prompt: string): void {
  const { typed, added } = userText(prompt);
  const record = `execution ${id}`;
  const name = session === 'linked' ? typedFor(id) : promptName(scope.session, typed);
  if (typed !== '')
    addRow(scope, {
      record,
      part: 'prompt',
      turn: 'user',
      text: typed,
      time,
      attributes: { execution_id: id },
      claims: [promptName(scope.session, typed), ...turnNames(scope, 'user', typed)],
      copyOf: session === 'none' ? undefined : name,
    });
  addEditorText(scope, { record, text: added, time });
}

/**
 * The history that the model saw again: copies of what sessions and earlier executions hold, rows only when those are
 * gone. Tool calls in it have no ids, so they are left to their own executions.
 */
export function addRepeated(execution: Execution): void {
  for (const value of asList(valueAt({ ...execution.raw }, 'context.messages'))) {
    const message = asObject<RawMessage>(value) ?? {};
    const texts = message.entries === undefined ? [contentText(message.content)] : textsIn(message.entries);
    for (const text of texts) addCopy(execution, message.role, text);
  }
}

function textsIn(entries: unknown): string[] {
  return asList(entries).flatMap((value) => {
    const { type, text } = asObject<{ type?: unknown; text?: unknown }>(value) ?? {};
    return type === 'text' || type === undefined ? (asText(text) ?? []) : [];
  });
}

function addCopy(execution: Execution, role: unknown, text: string): void {
  if (role === 'human' || role === 'user') addText(execution, 'user', userText(text).typed);
  else if (role === 'bot' || role === 'assistant') addText(execution, 'assistant', text);
}

function addText({ scope, id, time }: Execution, turn: 'user' | 'assistant', text: string): void {
  if (text.trim() === '' || (turn === 'assistant' && isAcknowledgement(text))) return;
  const name = turn === 'user' ? promptName(scope.session, text) : answerName(scope.session, text);
  addRow(scope, {
    record: recordName(scope, `repeated ${turn}`, textKey(text)),
    part: 'text',
    turn,
    text,
    time,
    attributes: fact('repeated_in', id),
    claims: turnNames(scope, turn, text),
    copyOf: name,
  });
}
