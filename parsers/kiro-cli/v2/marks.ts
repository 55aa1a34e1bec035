import { asList, asNumber, asObject, asText, type JsonObject } from '../../shared/fields.ts';
import { addEvent, fact } from '../../shared/kiro/rows.ts';
import { derived } from '../../shared/kiro/time.ts';
import { compactJson } from '../../shared/kiro/values.ts';
import { nthMark, type Scope } from './state.ts';

/** Records that say something about the log itself. Nothing that stands before them is taken back. */
export function readOther(scope: Scope, kind: string, data: JsonObject): void {
  if (kind === 'Compaction') addCompaction(scope, data);
  else if (kind === 'Clear') addMark(scope, 'session.history_replaced', 'session cleared', kind);
  else if (kind === 'CancelledPrompt') addMark(scope, 'session.rewound', 'prompt cancelled', kind);
  else if (kind === 'ResetTo') addReset(scope, data);
  else addUnknown(scope, kind, data);
}

/** The snapshot repeats messages that have their own lines. */
function addCompaction(scope: Scope, data: JsonObject): void {
  const { log } = scope;
  const summary = asText(data['summary']) ?? '';
  const kept = asList(data['messages_snapshot']).length;
  const strategy = asObject(data['strategy']) ?? {};
  addEvent(scope, 'session.compressed', {
    record: 'compaction',
    part: nthMark(log, 'session.compressed'),
    text: summary === '' ? 'session compressed' : summary,
    time: derived(log.time),
    attributes: {
      kept_messages: kept,
      ...fact('excluded_pairs', asNumber(strategy['message_pairs_to_exclude'])),
    },
  });
}

type MarkEvent = 'session.history_replaced' | 'session.rewound';

function addMark(scope: Scope, event: MarkEvent, text: string, kind: string): void {
  const { log } = scope;
  addEvent(scope, event, {
    record: kind,
    part: nthMark(log, event),
    text,
    time: derived(log.time),
    attributes: { kind },
  });
}

function addReset(scope: Scope, data: JsonObject): void {
  const { log } = scope;
  const target = asNumber(data['target_index']);
  addEvent(scope, 'session.rewound', {
    record: 'ResetTo',
    part: nthMark(log, 'session.rewound'),
    text: `session rewound to message ${target ?? '-'}`,
    time: derived(log.time),
    attributes: { kind: 'ResetTo', ...fact('target', target) },
  });
}

function addUnknown(scope: Scope, kind: string, data: JsonObject): void {
  const { log } = scope;
  log.context.note('unknown_record');
  const name = kind.slice(0, 100);
  const json = compactJson(data);
  addEvent(scope, 'session.other', {
    record: `other ${name}`,
    part: nthMark(log, 'session.other'),
    content: json,
    text: `record of an unknown kind: ${name}`,
    time: derived(log.time),
    attributes: { kind: name, chars: json.length },
  });
}
