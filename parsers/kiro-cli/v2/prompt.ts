import type { Attributes } from '../../../agent/contract/row.ts';
import { asList, asObject, asText, type JsonObject } from '../../shared/fields.ts';
import { promptIdentity } from '../../shared/kiro/identity.ts';
import { addEvent, addRow } from '../../shared/kiro/rows.ts';
import { timeOf } from '../../shared/kiro/time.ts';
import { typedName } from '../../shared/kiro/typed.ts';
import { imageText } from '../../shared/kiro/values.ts';
import { messageId, type Scope } from './state.ts';

interface RawMeta {
  readonly timestamp?: unknown;
  readonly additionalContext?: unknown;
}

/** What the user said, and what a hook added to it. Appended only once the model has answered. */
export function readPrompt(scope: Scope, data: JsonObject): void {
  const { log } = scope;
  const meta = asObject<RawMeta>(data['meta']) ?? {};
  const time = timeOf(meta.timestamp);
  log.time = time;
  const { words, attached } = readContent(data['content']);
  const text = words === '' ? attached : words;
  const identity = promptIdentity(log.id, time.utc, text);
  const part = log.repeats.name(identity.part, `prompt ${identity.content}`, messageId(data) ?? '');
  if (text !== '')
    addRow(scope, {
      ...identity,
      part,
      turn: 'user',
      text,
      time,
      attributes: { ...cancelledFacts(log.cancelled), ...(attached !== '' && { attachments: attached }) },
      claims: [typedName(words)],
    });
  log.cancelled = [];
  const added = asText(meta.additionalContext);
  if (added !== undefined)
    addEvent(scope, 'session.hook_context', {
      record: `prompt ${identity.content ?? ''}`,
      part: part === 'text' ? 'context' : `context ${part}`,
      text: added,
      time,
    });
}

/**
 * A refusal with words is stored as a cancelled call and an ordinary prompt, so the words that come next may be the
 * refusal, and may be something else.
 */
function cancelledFacts(calls: readonly string[]): Attributes {
  return calls.length === 0 ? {} : { typed_after: 'cancelled_call', cancelled_calls: calls.join(',') };
}

interface RawBlock {
  readonly kind?: unknown;
  readonly data?: unknown;
}

/** What was typed, and a placeholder for each thing that was put beside it. */
function readContent(content: unknown): { readonly words: string; readonly attached: string } {
  const words: string[] = [];
  const attached: string[] = [];
  for (const value of asList(content)) {
    const { kind, data } = asObject<RawBlock>(value) ?? {};
    if (typeof data === 'string') words.push(data);
    else if (kind === 'image') attached.push(imageText(data));
    else attached.push(`[${(asText(kind) ?? 'block').slice(0, 40)}]`);
  }
  return { words: words.filter((text) => text !== '').join('\n'), attached: attached.join(' ') };
}
