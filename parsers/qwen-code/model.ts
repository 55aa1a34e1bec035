import { cleanText } from '../shared/text.ts';
import type { Time } from '../shared/time.ts';
import { addRow } from './rows.ts';
import type { Scope } from './state.ts';

/** Row before the first answer of a model, and before each that another model gives. */
export function addModel(scope: Scope, named: string, time: Time): string {
  const { session } = scope;
  const model = cleanText(named);
  const old = session.model;
  if (old === model) return model;
  session.model = model;
  const isFirst = old === undefined;
  addRow(scope, {
    part: 'model',
    turn: 'system',
    event: isFirst ? 'model.set' : 'model.change',
    text: isFirst ? `model: ${model}` : `model: ${old} -> ${model}`,
    time,
    model,
    attributes: isFirst ? { model } : { model, old_model: old },
  });
  return model;
}
