import type { Attributes } from '../../agent/contract/row.ts';
import { asList, asNumber, asObject, asText, type JsonObject } from '../shared/fields.ts';
import { cleanText } from '../shared/text.ts';
import { readParts } from './content.ts';
import { timeOf } from './place.ts';
import type { RawRecord } from './records.ts';
import { addEvent } from './rows.ts';
import type { Scope } from './state.ts';

/**
 * The history that the model sees was replaced: by a summary in the first entry of the new one. What follows it there
 * are copies of turns that have their own records, so they are no rows.
 */
export function readCompression(scope: Scope, raw: RawRecord, payload: JsonObject): void {
  const summary = summaryIn(payload['compressedHistory']);
  addEvent(scope, 'session.compressed', {
    text: summary === '' ? 'session compressed' : summary,
    time: timeOf(raw.timestamp),
    attributes: infoOf(payload['info']),
  });
}

function summaryIn(history: unknown): string {
  const first = asObject<{ parts?: unknown }>(asList(history)[0]);
  return readParts(first?.parts).texts.join('');
}

function infoOf(value: unknown): Attributes {
  const info = asObject(value) ?? {};
  const before = asNumber(info['originalTokenCount']);
  const after = asNumber(info['newTokenCount']);
  const trigger = asText(info['triggerReason']);
  return {
    ...(before !== undefined && { tokens_before: before }),
    ...(after !== undefined && { tokens_after: after }),
    ...(trigger !== undefined && { trigger: cleanText(trigger) }),
  };
}
