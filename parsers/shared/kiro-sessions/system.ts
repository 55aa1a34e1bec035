import { asList, asNumber, asObject, asText, type JsonObject } from '../fields.ts';
import { addEvent, fact } from '../kiro/rows.ts';
import { compactJson, contentText } from '../kiro/values.ts';
import type { Scope } from './state.ts';

/** Messages before a point count no more: they were summed up, or the project went back to a checkpoint. */
export function readTombstone(scope: Scope, payload: JsonObject): void {
  const kind = asText(payload['kind']) ?? 'unknown';
  const from = asText(payload['effectiveFromMessageId']);
  const count = asNumber(
    asObject<{ truncatedMessageCount?: unknown }>(payload['metadata'])?.truncatedMessageCount,
  );
  const isRevert = kind === 'checkpoint_revert';
  addEvent(scope, isRevert ? 'session.rewound' : 'session.history_replaced', {
    ...named(scope, 'tombstone'),
    text: `${isRevert ? 'session rewound' : 'history replaced'}: ${kind}${count === undefined ? '' : `, ${count} messages`}`,
    attributes: { kind, ...fact('from_message', from), ...fact('messages', count) },
  });
}

/** How a turn ended, unless it ended as turns do; and the questions that nobody answered. */
export function readTurnEnd(scope: Scope, payload: JsonObject): void {
  const { log } = scope;
  const reason = asText(payload['stopReason']) ?? 'end_turn';
  const open = [...log.pending.keys()];
  log.pending.clear();
  if (reason === 'end_turn') return;
  addEvent(scope, 'session.turn', {
    ...named(scope, 'session.turn'),
    text: `turn ended: ${reason}`,
    attributes: {
      end_reason: reason,
      ...(open.length > 0 && { unanswered: open.join(',') }),
      ...fact('execution_id', asText(payload['executionId'])),
    },
  });
}

export function readUsage(scope: Scope, payload: JsonObject): void {
  const parts = asList(payload['promptTurnSummaries']).flatMap((value) => {
    const { unit, usage } = asObject<{ unit?: unknown; usage?: unknown }>(value) ?? {};
    const amount = asNumber(usage);
    return amount === undefined ? [] : [{ unit: asText(unit) ?? 'unit', amount }];
  });
  addEvent(scope, 'session.usage', {
    ...named(scope, 'session.usage'),
    text: `usage: ${parts.map(({ unit, amount }) => `${amount} ${unit}`).join(', ')}`,
    attributes: {
      ...Object.fromEntries(parts.map(({ unit, amount }) => [`usage_${unit}`.slice(0, 60), amount])),
      ...fact('elapsed_ms', asNumber(payload['elapsedTime'])),
      ...fact('status', asText(payload['status'])),
    },
  });
}

/** Standing instructions that went to the model with the prompt, by name. */
export function readSteering(scope: Scope, payload: JsonObject): void {
  const names = asList(payload['documents']).map((value) => {
    if (typeof value === 'string') return value;
    const document = asObject(value) ?? {};
    return asText(document['path']) ?? asText(document['name']) ?? asText(document['id']) ?? '-';
  });
  addEvent(scope, 'session.context', {
    ...named(scope, 'session.context'),
    text: `steering: ${names.join(', ')}`,
    attributes: { kind: 'steering', documents: names.length },
  });
}

export function readHook(scope: Scope, payload: JsonObject): void {
  const { type: _, ...rest } = payload;
  addEvent(scope, 'session.hook_context', {
    ...named(scope, 'session.hook_context'),
    text: contentText(payload['content']) || compactJson(rest),
  });
}

export function readUnknown(scope: Scope, payload: JsonObject): void {
  scope.log.context.note('unknown_record');
  const kind = (asText(payload['type']) ?? '-').slice(0, 100);
  addEvent(scope, 'session.other', {
    ...named(scope, 'session.other'),
    text: `record of an unknown kind: ${kind}`,
    attributes: { kind, chars: compactJson(payload).length },
  });
}

function named({ log, id, time }: Scope, name: string) {
  return { sessionKey: log.key, record: id, part: name, time };
}
