import { asList, asNumber, asObject, asText, type JsonObject } from '../shared/fields.ts';
import { cleanText } from '../shared/text.ts';
import { timeOf } from './place.ts';
import type { RawRecord } from './records.ts';
import { addEvent } from './rows.ts';
import { isNews, type Scope } from './state.ts';
import { addTyped } from './user.ts';

/** The title, given by a person or made by the program. It is written again now and then, to stay near the end. */
export function readTitle(scope: Scope, raw: RawRecord, payload: JsonObject): void {
  const title = asText(payload['customTitle']);
  if (title === undefined || !isNews(scope.session, 'title', title)) return;
  const source = asText(payload['titleSource']);
  addEvent(scope, 'session.title', {
    text: `session title: ${title}`,
    time: timeOf(raw.timestamp),
    attributes: { title: cleanText(title), ...(source !== undefined && { source: cleanText(source) }) },
  });
}

/** Goes on from the record that this one hangs on; the rows of what was rewound stay. */
export function readRewind(scope: Scope, raw: RawRecord, payload: JsonObject): void {
  const to = asText(raw.parentUuid);
  const removed = asNumber(payload['truncatedCount']);
  addEvent(scope, 'session.rewound', {
    text: `rewound to ${to ?? 'the start'}`,
    time: timeOf(raw.timestamp),
    attributes: {
      to: to === undefined ? 'start' : cleanText(to),
      ...(removed !== undefined && { removed_items: removed }),
    },
  });
}

/** Another session began this one. */
export function readParent(scope: Scope, raw: RawRecord, payload: JsonObject): void {
  const parent = asText(payload['parentSessionId']);
  if (parent === undefined || !isNews(scope.session, 'parent', parent)) return;
  addEvent(scope, 'session.origin', {
    text: `session origin: session ${parent}`,
    time: timeOf(raw.timestamp),
    attributes: { parent_session_id: cleanText(parent) },
  });
}

/** A program that drives this one began the session. */
export function readSource(scope: Scope, raw: RawRecord, payload: JsonObject): void {
  const type = asText(payload['sourceType']);
  const id = asText(payload['sourceId']);
  if (type === undefined || !isNews(scope.session, 'source', JSON.stringify([type, id]))) return;
  addEvent(scope, 'session.origin', {
    text: `session origin: ${id === undefined ? type : `${type} ${id}`}`,
    time: timeOf(raw.timestamp),
    attributes: { source_type: cleanText(type), ...(id !== undefined && { source_id: cleanText(id) }) },
  });
}

/** The model that a driven session was told to use; answers name the model that gave them. */
export function readSessionModel(scope: Scope, raw: RawRecord, payload: JsonObject): void {
  const model = asText(payload['modelId']);
  const auth = asText(payload['authType']);
  if (model === undefined || !isNews(scope.session, 'model', JSON.stringify([model, auth]))) return;
  addEvent(scope, 'session.model', {
    text: `session model: ${model}`,
    time: timeOf(raw.timestamp),
    attributes: { model: cleanText(model), ...(auth !== undefined && { auth_type: cleanText(auth) }) },
  });
}

/** Only a failure says something that no other record does. */
export function readTurnResult(scope: Scope, raw: RawRecord, payload: JsonObject): void {
  const error = asObject(payload['error']);
  const message = asText(error?.['message']);
  if (message === undefined) return;
  const code = asText(error?.['code']);
  addEvent(scope, 'message.error', {
    text: message,
    time: timeOf(raw.timestamp),
    attributes: code === undefined ? {} : { code: cleanText(code) },
  });
}

/** Files that a prompt mentions with `@`. When they could not be read, the prompt was not sent and stands only here. */
export function readFiles(scope: Scope, raw: RawRecord, payload: JsonObject): void {
  const time = timeOf(raw.timestamp);
  const files = asList(payload['filesRead']).filter((file) => typeof file === 'string');
  const status = asText(payload['status']) ?? 'unknown';
  const message = asText(payload['message']);
  const typed = asText(payload['userText']);
  if (status !== 'success' && typed !== undefined)
    addTyped(scope, typed, { time, attributes: { is_sent: false } });
  addEvent(scope, 'prompt.files', {
    text: `prompt files: ${files.join(', ') || 'none'}${message === undefined ? '' : `: ${message}`}`,
    time,
    attributes: {
      status: cleanText(status),
      files: cleanText(files.join('\n')),
      count: files.length,
    },
  });
}
