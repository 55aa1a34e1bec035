import { asText, type JsonObject } from '../fields.ts';
import { answerIdentity, thoughtIdentity } from '../kiro/identity.ts';
import { addEvent, addRow, fact } from '../kiro/rows.ts';
import { contentText } from '../kiro/values.ts';
import { messageOf } from './converted.ts';
import type { Scope } from './state.ts';
import { settleOpening } from './user.ts';

/** What stands in place of reasoning that the store does not keep. */
const WITHHELD = '...';

export function readAssistant(scope: Scope, payload: JsonObject): void {
  settleOpening(scope);
  const operation = asText(payload['operationType']) ?? 'Say';
  noteModel(scope, asText(payload['reasoningModelId']));
  const text = contentText(payload['content']);
  if (text === '') return;
  if (operation === 'Reasoning') addThought(scope, text);
  else addAnswer(scope, text, operation);
}

function addAnswer(scope: Scope, text: string, operation: string): void {
  const { log } = scope;
  const message = messageOf(scope);
  const identity = answerIdentity(log.key, message);
  addRow(scope, {
    ...identity,
    part: log.repeats.name(identity.part, `${message} ${text}`, scope.id),
    turn: 'assistant',
    text,
    time: scope.time,
    model: log.model,
    attributes: operation === 'Say' ? {} : { operation: operation.toLowerCase() },
    claims: log.claimsOf(log.id, scope.id),
  });
}

function addThought(scope: Scope, text: string): void {
  if (text === WITHHELD) return;
  const { log } = scope;
  const message = messageOf(scope);
  const identity = thoughtIdentity(log.key, message);
  addRow(scope, {
    ...identity,
    part: log.repeats.name(identity.part, `${message} thought ${text}`, scope.id),
    turn: 'thinking',
    text,
    time: scope.time,
    model: log.model,
  });
}

function noteModel(scope: Scope, model: string | undefined): void {
  const { log } = scope;
  if (model === undefined || model === log.model) return;
  const old = log.model;
  log.model = model;
  addEvent(scope, old === undefined ? 'model.set' : 'model.change', {
    record: scope.id,
    part: 'model',
    text: old === undefined ? `model: ${model}` : `model: ${old} -> ${model}`,
    time: scope.time,
    model,
    attributes: { model, ...fact('old_model', old) },
  });
}
