import { hash } from 'node:crypto';
import { asList, asObject, asText, type JsonObject } from '../fields.ts';
import { addEvent, type RowScope } from '../kiro/rows.ts';
import { derived } from '../kiro/time.ts';
import type { Time } from '../time.ts';
import { variantOf } from './state.ts';

/**
 * The transcript keeps what was shown, also what was cleared, compacted, restored away or never answered. It is no source
 * of prompts: an answer that quotes something looks like one. That the history lacks some of it is told, by their number.
 */
export function tellTranscript(scope: RowScope, state: JsonObject, last: Time): void {
  const lines = asList(state['transcript']);
  const history = asList(state['history']);
  if (lines.length <= 2 * history.length) return;
  const missing = missingIn(lines.flatMap(typedIn), keptIn(state, history).flatMap(saidIn));
  if (missing.length === 0) return;
  addEvent(scope, 'session.history_replaced', {
    record: 'transcript',
    content: hash('sha256', missing.join('\n'), 'hex').slice(0, 32),
    text: `history shorter than transcript: ${missing.length} typed prompts are not in it`,
    time: derived(last),
    attributes: { kind: 'transcript', missing_prompts: missing.length, entries: history.length },
  });
}

/** A line of the user's, but for commands and for answers to the question whether a call may run. */
function typedIn(line: unknown): string[] {
  const text = asText(line) ?? '';
  if (!text.startsWith('> ')) return [];
  const words = text.slice(2).trim();
  return words === '' || /^(?:[ynt]$|[/!@])/i.test(words) ? [] : [nameOf(words)];
}

/** Continued lines have the mark of the prompt at their end, so marks and white space do not count. */
function nameOf(words: string): string {
  return words.replace(/[>\s]+/g, '').slice(0, 1_000);
}

function keptIn(state: JsonObject, history: readonly unknown[]): unknown[] {
  const tangent = asObject(state['tangent_state']);
  const checkpoints = asList(asObject(state['checkpoint_manager'])?.['checkpoints']);
  return [
    ...history,
    ...asList(tangent?.['main_history']),
    ...checkpoints.flatMap((checkpoint) => asList(asObject(checkpoint)?.['history_snapshot'])),
  ];
}

function saidIn(entry: unknown): string[] {
  const content = variantOf(asObject(asObject(entry)?.['user'])?.['content']);
  const words = asText(content?.data['prompt']);
  return words === undefined ? [] : [nameOf(words)];
}

/** The same words can have been typed more often than they are kept. */
function missingIn(typed: readonly string[], said: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const name of said) left.set(name, (left.get(name) ?? 0) + 1);
  return typed.filter((name) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    return count <= 0;
  });
}
