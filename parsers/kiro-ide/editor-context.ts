import { asList, asObject, asText, type JsonObject } from '../shared/fields.ts';
import type { Time } from '../shared/time.ts';
import { addEvent, type Scope } from './rows.ts';

interface Context {
  readonly record: string;
  readonly time: Time;
}

/** What the editor added to a prompt, as the model got it. */
export function addEditorText(
  scope: Scope,
  { record, text, time }: Context & { readonly text: string },
): void {
  if (text === '') return;
  addEvent(scope, 'session.editor_context', { record, text, time, attributes: { source: 'prompt' } });
}

/** Files and the like that were attached to a prompt: their names, never their content. */
export function addContextItems(
  scope: Scope,
  { record, items, time }: Context & { readonly items: unknown },
): void {
  const names = asList(items).flatMap((item) => nameOf(asObject(item) ?? {}) ?? []);
  if (names.length === 0) return;
  addEvent(scope, 'session.editor_context', {
    record,
    part: 'session.editor_context:items',
    text: `context: ${names.join(', ')}`,
    time,
    attributes: { source: 'context_items', count: names.length, items: names.join('\n') },
  });
}

const NAMES = ['name', 'path', 'target', 'file', 'title', 'description', 'type'];

function nameOf(item: JsonObject): string | undefined {
  const uri = asText(asObject<{ value?: unknown }>(item['uri'])?.value);
  return (
    uri ??
    NAMES.map((name) => asText(item[name]))
      .find((name) => name !== undefined)
      ?.slice(0, 500)
  );
}
