import { hash } from 'node:crypto';
import type { Attributes } from '../../agent/contract/row.ts';
import { badLine } from '../shared/bad-line.ts';
import { asObject, asText } from '../shared/fields.ts';
import type { BadPart, LineRecord, LossyMark } from '../shared/jsonl.ts';
import type { LinePlace } from '../shared/record-log.ts';
import { isNestedTooDeeply } from '../shared/structure.ts';
import { cleanText } from '../shared/text.ts';
import { readAssistant } from './assistant.ts';
import { copiedFrom, noteStart } from './origin.ts';
import type { RawRecord } from './records.ts';
import { badRow } from './rows.ts';
import { type Scope, type Session, sessionIdOf } from './state.ts';
import { readSystem } from './system.ts';
import { readToolResult } from './tool-result.ts';
import { followTree } from './tree.ts';
import { readUser } from './user.ts';

/** Reads one record of a session. Whatever it holds, it ends in rows. */
export function readRecord(session: Session, place: LinePlace, { value, bytes, lossy }: LineRecord): void {
  const raw = asObject<RawRecord>(value);
  if (!raw) {
    emitBad(session, place, { bytes, reason: 'not a JSON object' });
    return;
  }
  const scope = startScope(session, place.line, { raw, bytes, lossy });
  try {
    dispatch(scope, raw);
  } catch (error) {
    emitBad(session, place, { bytes, reason: reasonOf(error, bytes) });
  }
  for (const row of scope.rows) place.emit(row);
}

/** Emits the row for what could not be read of a line. */
export function emitBad(session: Session, { line, emit }: LinePlace, { bytes, reason }: BadPart): void {
  session.hasGap = true;
  emit(badRow(session, badLine({ bytes, reason, line })));
}

function dispatch(scope: Scope, raw: RawRecord): void {
  const { type } = raw;
  if (type !== 'user' && type !== 'assistant' && type !== 'tool_result' && type !== 'system') {
    scope.session.context.note('unknown_record');
    return;
  }
  noteStart(scope, raw);
  followTree(scope, raw);
  if (type === 'user') readUser(scope, raw);
  else if (type === 'assistant') readAssistant(scope, raw);
  else if (type === 'tool_result') readToolResult(scope, raw);
  else readSystem(scope, raw);
}

interface Given {
  readonly raw: RawRecord;
  readonly bytes: Buffer;
  readonly lossy: LossyMark | undefined;
}

function startScope(session: Session, line: number, { raw, bytes, lossy }: Given): Scope {
  const own = asText(raw.sessionId);
  if (own !== undefined) session.id = cleanText(own);
  const cwd = asText(raw.cwd);
  if (cwd !== undefined) session.project = cleanText(cwd);
  const branch = asText(raw.gitBranch);
  const source = copiedFrom(raw);
  const sessionId = source === undefined ? sessionIdOf(session) : cleanText(source);
  const uuid = asText(raw.uuid);
  return {
    session,
    line,
    rows: [],
    record: uuid === undefined ? `bytes:${hash('sha256', bytes, 'hex').slice(0, 32)}` : cleanText(uuid),
    sessionKey: isUuid(uuid) ? '' : sessionId,
    columns: {
      session_id: sessionId,
      project_path: session.project ?? null,
      git_branch: branch === undefined ? null : cleanText(branch),
    },
    shared: { ...versionOf(raw), ...agentOf(session, raw), ...lossy },
  };
}

/** A random id is the same record wherever it stands: a fork copies records under their ids into another session. */
function isUuid(id: string | undefined): boolean {
  return id !== undefined && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
}

function versionOf({ version }: RawRecord): Attributes {
  const text = asText(version);
  return text === undefined ? {} : { agent_version: cleanText(text) };
}

/** Records of a subagent carry the session that started it, and the subagent beside it. */
function agentOf({ name }: Session, raw: RawRecord): Attributes {
  const id = asText(raw.agentId) ?? name.agent;
  if (id === undefined) return {};
  const agentName = asText(raw.agentName);
  return { agent_id: cleanText(id), ...(agentName !== undefined && { agent_name: cleanText(agentName) }) };
}

/** What a hostile shape can still do: JSON.stringify gives up on deep nesting and on huge results. */
function reasonOf(error: unknown, bytes: Buffer): string {
  if (!(error instanceof RangeError)) return 'unexpected shape';
  return isNestedTooDeeply(bytes) ? 'nested too deeply' : 'too large';
}
