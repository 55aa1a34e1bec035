import type { Emit } from '../../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../../agent/contract/source.ts';
import { badDocument } from '../../shared/bad-line.ts';
import { plainUtf8 } from '../../shared/byte-mark.ts';
import { asList, asObject, asText, type JsonObject } from '../../shared/fields.ts';
import { jsonObjectIn } from '../../shared/json-object.ts';
import { addBad, addEvent, fact, type RowScope } from '../../shared/kiro/rows.ts';
import { timeOf } from '../../shared/kiro/time.ts';
import { cleanText } from '../../shared/text.ts';
import type { Time } from '../../shared/time.ts';
import { type Header, readMemory, writeMemory } from './header-memory.ts';
import { tellPermissions } from './permissions.ts';
import { sessionIn } from './state.ts';
import { tellTurns } from './turns.ts';

/**
 * Parser of `sessions/cli/<id>.json`: where the session came from, what it may do without asking, which model and agent
 * answer, and the turns that left nothing in the log. Rewritten whole at the end of each turn.
 */
export function parseHeader(document: Document, context: ParseContext, emit: Emit): DocumentResult {
  const bytes = plainUtf8(document.bytes);
  const session = sessionIn(context.path);
  const bare: RowScope = { session, project: undefined, line: 1, shared: {}, emit };
  const read = jsonObjectIn(bytes);
  if (typeof read === 'string') {
    if (!document.settled) return 'torn';
    if (bytes.length > 0) addBad(bare, badDocument('not a session header', { bytes, reason: read, line: 1 }));
    return 'parsed';
  }
  const cwd = asText(read['cwd']);
  const scope = { ...bare, project: cwd === undefined ? undefined : cleanText(cwd) };
  const header = { scope, updated: timeOf(read['updated_at']), memory: readMemory(document.memory) };
  tellHeader(header, read);
  return { memory: writeMemory(header.memory) };
}

/** A session in which nothing was said yet is removed again when the program ends; it says nothing. */
function tellHeader(header: Header, raw: JsonObject): void {
  const state = asObject(raw['session_state']) ?? {};
  const turns = asList(asObject(state['conversation_metadata'])?.['user_turn_metadatas']);
  if (asText(raw['title']) === undefined && turns.length === 0) return;
  tellStart(header, raw);
  if (state['version'] !== 'v1') return;
  tellPermissions(header, asObject(state['permissions']));
  tellModel(header, state);
  tellAgent(header, state);
  tellTurns(header, turns);
}

function tellStart({ scope }: Header, raw: JsonObject): void {
  const time = timeOf(raw['created_at']);
  const reason = asText(raw['session_created_reason']);
  const parent = asText(raw['parent_session_id']);
  addEvent(scope, 'session.start', {
    record: 'header',
    content: '',
    text: `session start: ${time.utc ?? 'no time'}`,
    time,
    attributes: { engine: 'v2', ...fact('created_reason', reason), ...fact('parent_session_id', parent) },
  });
  if (raw['exported_from_v1'] === true)
    tellLink(scope, time, `session migrated: database conversation ${scope.session} -> session files`);
  const from = asText(raw['imported_from']);
  if (from !== undefined) tellLink(scope, time, `session imported from ${from}`, from);
}

/** The same conversation stands in another store too; its messages are rows once. */
function tellLink(scope: RowScope, time: Time, text: string, from = 'v1'): void {
  addEvent(scope, 'session.migrated', {
    record: 'migration',
    content: from,
    text,
    time,
    attributes: { from, to: 'v2' },
  });
}

interface RawModel {
  readonly model_id?: unknown;
}

function tellModel({ scope, updated, memory }: Header, state: JsonObject): void {
  const info = asObject(state['rts_model_state'])?.['model_info'];
  const model = asText(asObject<RawModel>(info)?.model_id)?.slice(0, 200);
  if (model === undefined || model === memory.model) return;
  const old = memory.model;
  memory.model = model;
  memory.modelChanges++;
  addEvent(scope, old === undefined ? 'model.set' : 'model.change', {
    record: 'model',
    part: 'model',
    content: `${memory.modelChanges} ${model}`,
    text: old === undefined ? `model: ${model}` : `model: ${old} -> ${model}`,
    time: updated,
    model,
    attributes: { model, ...fact('old_model', old) },
  });
}

function tellAgent({ scope, updated, memory }: Header, state: JsonObject): void {
  const agent = asText(state['agent_name'])?.slice(0, 200);
  if (agent === undefined || agent === memory.agent) return;
  const old = memory.agent;
  memory.agent = agent;
  memory.agentChanges++;
  addEvent(scope, 'session.agent', {
    record: 'agent',
    content: `${memory.agentChanges} ${agent}`,
    text: old === undefined ? `agent: ${agent}` : `agent: ${old} -> ${agent}`,
    time: updated,
    attributes: { agent_name: agent, ...fact('old_agent', old) },
  });
}
