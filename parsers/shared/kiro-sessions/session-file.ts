import type { Emit } from '../../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../../agent/contract/source.ts';
import { badDocument } from '../bad-line.ts';
import { plainUtf8 } from '../byte-mark.ts';
import { asList, asObject, asText, type JsonObject } from '../fields.ts';
import { jsonObjectIn } from '../json-object.ts';
import { addBad, addEvent, fact, type RowScope } from '../kiro/rows.ts';
import { timeOf } from '../kiro/time.ts';
import { remembered } from '../memory.ts';
import { cleanText } from '../text.ts';
import type { Time } from '../time.ts';
import { originOf, sessionPath } from './paths.ts';

/** Facts that change while the session goes on, as last told, each with the number of its changes. */
interface Memory {
  readonly [fact: string]: { readonly value: string; readonly changes: number };
}

/** Parser of `session.json`: where the session came from, its model and mode, and whether it runs without asking. */
export function parseSessionFile(document: Document, context: ParseContext, emit: Emit): DocumentResult {
  const bytes = plainUtf8(document.bytes);
  const id = cleanText(sessionPath(context.path)?.id ?? '');
  const bare: RowScope = { session: id, project: undefined, line: 1, shared: {}, emit };
  const raw = jsonObjectIn(bytes);
  if (typeof raw === 'string') {
    if (!document.settled) return 'torn';
    if (bytes.length > 0) addBad(bare, badDocument('not a session file', { bytes, reason: raw, line: 1 }));
    return 'parsed';
  }
  const project = asText(asList(raw['rootPaths'])[0]) ?? asText(asList(raw['workspacePaths'])[0]);
  const scope = { ...bare, project: project === undefined ? undefined : cleanText(project) };
  tellOrigin(scope, raw);
  const memory = tellChanges(scope, raw, readMemory(document.memory));
  return { memory: JSON.stringify(memory) };
}

function tellOrigin(scope: RowScope, raw: JsonObject): void {
  const time = timeOf(raw['createdAt']);
  const reason = asText(raw['createdReason']);
  const parent = asText(raw['parentSessionId']);
  addEvent(scope, 'session.start', {
    record: 'session',
    content: '',
    text: `session start: ${reason ?? 'session'}, ${time.utc ?? 'no time'}`,
    time,
    attributes: {
      engine: 'v3',
      ...fact('created_reason', reason),
      ...fact('agent_mode', asText(raw['agentMode'])),
    },
  });
  if (parent !== undefined)
    addEvent(scope, 'session.origin', {
      record: 'origin',
      content: parent,
      text: `session origin: ${reason ?? 'session'} of ${parent}`,
      time,
      attributes: { parent_session_id: parent, ...fact('created_reason', reason) },
    });
  const origin = originOf(scope.session);
  if (origin !== undefined) tellMigration(scope, origin, time);
}

/** The messages of the older store are rows once; this says that the session is the same. */
function tellMigration(scope: RowScope, origin: string, time: Time): void {
  addEvent(scope, 'session.migrated', {
    record: 'migration',
    content: scope.session,
    text: `session migrated: ${origin} -> ${scope.session}`,
    time,
    attributes: { from: 'v2', to: 'v3', from_session: origin, to_session: scope.session },
  });
}

function tellChanges(scope: RowScope, raw: JsonObject, before: Memory): Memory {
  const time = timeOf(raw['lastModifiedAt']);
  const now: Record<string, Memory[string]> = { ...before };
  const news = (name: string, value: string | undefined) => {
    const known = before[name];
    if (value === undefined || known?.value === value) return undefined;
    const changes = (known?.changes ?? 0) + 1;
    now[name] = { value, changes };
    return { value, old: known?.value, content: `${changes} ${value}` };
  };
  const model = news('model', asText(raw['modelId'])?.slice(0, 200));
  if (model) tellModel(scope, model, time);
  const { autopilot } = raw;
  const mode = news('autopilot', typeof autopilot === 'boolean' ? String(autopilot) : undefined);
  if (mode) tellAutopilot(scope, mode, time);
  return now;
}

interface News {
  readonly value: string;
  readonly old: string | undefined;
  readonly content: string;
}

function tellModel(scope: RowScope, { value, old, content }: News, time: Time): void {
  addEvent(scope, old === undefined ? 'model.set' : 'model.change', {
    record: 'model',
    part: 'model',
    content,
    text: old === undefined ? `model: ${value}` : `model: ${old} -> ${value}`,
    time,
    model: value,
    attributes: { model: value, ...fact('old_model', old) },
  });
}

/** On autopilot the session does not ask. */
function tellAutopilot(scope: RowScope, { value, content }: News, time: Time): void {
  const isOn = value === 'true';
  addEvent(scope, 'permission.mode', {
    record: 'autopilot',
    content,
    text: `permission mode: ${isOn ? 'autopilot' : 'supervised'}`,
    time,
    attributes: { mode: isOn ? 'autopilot' : 'supervised', ...(isOn && { trust_all: true }) },
  });
}

function readMemory(memory: string | undefined): Memory {
  return Object.fromEntries(
    Object.entries(remembered(memory) ?? {}).flatMap(([name, value]) => {
      const known = asObject<{ value?: unknown; changes?: unknown }>(value);
      if (typeof known?.value !== 'string' || typeof known.changes !== 'number') return [];
      return [[name, { value: known.value, changes: known.changes }]];
    }),
  );
}
