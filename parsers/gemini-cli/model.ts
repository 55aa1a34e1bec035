import { cleanText } from '../shared/text.ts';
import type { Time } from '../shared/time.ts';
import { asText } from './records.ts';
import { addRow } from './rows.ts';
import type { Message, Scope } from './state.ts';

/**
 * Row before the first message of a model, and before each that another model answers. The format has no
 * record of a switch, only the model of each message.
 */
export function addModel(scope: Scope, message: Message, facts: { model: unknown; time: Time }): void {
  const { session } = scope;
  const named = asText(facts.model);
  if (named === undefined || message.model !== undefined) return;
  const model = named === session.model ? named : cleanText(named);
  message.model = model;
  const old = session.model;
  if (old === model) return;
  session.model = model;
  const isFirst = old === undefined;
  addRow(scope, {
    record: message.id,
    part: 'model',
    turn: 'system',
    event: isFirst ? 'model.set' : 'model.change',
    text: isFirst ? `model: ${model}` : `model: ${old} -> ${model}`,
    time: facts.time,
    model,
    attributes: isFirst ? { model } : { model, old_model: old },
  });
}
