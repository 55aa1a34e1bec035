import { addEvent, fact } from '../kiro/rows.ts';
import type { EntryScope } from './state.ts';

/** Tells the first model of a conversation, and every other one after it. */
export function noteModel(scope: EntryScope, own: string | undefined): void {
  const { talk } = scope;
  const model = own ?? (talk.model === undefined ? talk.fallbackModel : undefined);
  if (model === undefined || model === talk.model) return;
  if (scope.message === undefined && talk.hasTimes) return;
  const old = talk.model;
  talk.model = model;
  const source = own === undefined ? ` source=${talk.fallbackSource}` : '';
  addEvent(scope, old === undefined ? 'model.set' : 'model.change', {
    record: old === undefined ? 'model' : (scope.message ?? 'model'),
    part: 'model',
    content: old === undefined ? model : `${old} -> ${model}`,
    text: `model: ${old === undefined ? '' : `${old} -> `}${model}${source}`,
    time: scope.time,
    model,
    attributes: { model, ...fact('old_model', old) },
  });
}
