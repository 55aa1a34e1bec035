import { hash } from 'node:crypto';
import { asObject, asText } from '../fields.ts';
import { keyOf } from '../kiro/identity.ts';
import { addEvent, type RowScope } from '../kiro/rows.ts';
import { timeOf } from '../kiro/time.ts';

/** The summary that took the place of older turns: it stays in every later state, and is told once. */
export function readSummary(scope: RowScope, summary: unknown, isFork: boolean): void {
  const [text, metadata] = Array.isArray(summary) ? summary : [summary, undefined];
  if (typeof text !== 'string' || text === '') return;
  const meta = asObject(metadata) ?? {};
  const id = asText(meta['message_id']) ?? hash('sha256', text, 'hex').slice(0, 32);
  addEvent(scope, 'session.compressed', {
    sessionKey: keyOf(scope.session, id),
    record: id,
    part: 'summary',
    content: text,
    text,
    time: timeOf(meta['stream_end_timestamp_ms'] ?? meta['request_start_timestamp_ms']),
    model: asText(meta['model_id']),
    attributes: isFork ? { forked: true } : {},
  });
}
