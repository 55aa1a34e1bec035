import type { EventName } from '../../agent/contract/events.ts';
import type { Attributes, DraftRow, Emit } from '../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../agent/contract/source.ts';
import { badDocument } from '../shared/bad-line.ts';
import { withoutMark } from '../shared/byte-mark.ts';
import { asNumber, asObject, asText } from '../shared/fields.ts';
import { decodeLine } from '../shared/jsonl.ts';
import { cleanText } from '../shared/text.ts';
import type { Time } from '../shared/time.ts';
import { modeFacts } from './mode.ts';
import { readSessionName, timeOf } from './place.ts';

interface RawMeta {
  readonly agentId?: unknown;
  readonly agentType?: unknown;
  readonly description?: unknown;
  readonly parentSessionId?: unknown;
  readonly parentAgentId?: unknown;
  readonly toolUseId?: unknown;
  readonly createdAt?: unknown;
  readonly lastUpdatedAt?: unknown;
  readonly status?: unknown;
  readonly lastError?: unknown;
  readonly resumeCount?: unknown;
  readonly model?: unknown;
  readonly resolvedApprovalMode?: unknown;
  readonly persistedCliFlags?: unknown;
}

/** Only an end is told: a subagent that runs is one that began. */
const ENDED = new Set(['completed', 'failed', 'cancelled', 'paused']);

/**
 * Parser of `agent-<id>.meta.json`: that a subagent was started, in which approval mode, and how it ended. The mode is
 * the only trace in the store of one that was chosen on the command line.
 */
export function parseSubagentMeta(
  { bytes: given, settled }: Document,
  context: ParseContext,
  emit: Emit,
): DocumentResult {
  const bytes = withoutMark(given);
  const { records, bad } = decodeLine(bytes, 1);
  const meta = records.length === 1 && !bad ? asObject<RawMeta>(records[0]?.value) : undefined;
  const name = readSessionName(context.path);
  if (!meta) {
    if (!settled) return 'torn';
    const reason = bad?.reason ?? 'not a JSON object';
    emit({ ...badDocument('not a subagent file', { bytes, reason, line: 1 }), session_id: name.id });
    return 'parsed';
  }
  const session = cleanText(asText(meta.parentSessionId) ?? name.id);
  const agent = cleanText(asText(meta.agentId) ?? name.agent ?? '');
  const parts = [startPart(meta, agent), modePart(meta, agent), endPart(meta, agent)];
  for (const part of parts) if (part) emit(rowOf(part, { session, agent }));
  return 'parsed';
}

interface Part {
  readonly event: EventName;
  readonly name: string;
  readonly text: string;
  readonly time: Time;
  readonly attributes: Attributes;
}

function rowOf(part: Part, { session, agent }: { session: string; agent: string }): DraftRow {
  const { time } = part;
  return {
    record: `agent ${agent}`,
    part: part.name,
    sessionKey: session,
    turn_type: 'system',
    event: part.event,
    text: cleanText(part.text),
    timestamp_utc: time.utc,
    timestamp_source: time.source,
    session_id: session,
    attributes: { agent_id: agent, ...part.attributes },
    source_line: 1,
  };
}

function startPart(meta: RawMeta, agent: string): Part {
  const type = asText(meta.agentType) ?? 'unknown';
  const description = asText(meta.description);
  return {
    event: 'session.subagent',
    name: 'session.subagent',
    text: `subagent started: ${type}${description === undefined ? '' : `: ${description}`} (${agent})`,
    time: timeOf(meta.createdAt),
    attributes: {
      agent_name: cleanText(type),
      ...textFact('description', description),
      ...textFact('tool_use_id', meta.toolUseId),
      ...textFact('parent_agent_id', meta.parentAgentId),
      ...textFact('model', meta.model),
    },
  };
}

function modePart(meta: RawMeta, agent: string): Part | undefined {
  const mode = asText(meta.resolvedApprovalMode);
  if (mode === undefined) return undefined;
  const parent = asObject<{ approvalMode?: unknown }>(meta.persistedCliFlags)?.approvalMode;
  return {
    event: 'permission.mode',
    name: 'permission.mode',
    text: `permission mode: ${mode} (subagent ${agent})`,
    time: timeOf(meta.createdAt),
    attributes: { ...modeFacts(mode), ...textFact('session_mode', parent), source: 'subagent' },
  };
}

function endPart(meta: RawMeta, agent: string): Part | undefined {
  const status = asText(meta.status);
  if (status === undefined || !ENDED.has(status)) return undefined;
  const resumed = asNumber(meta.resumeCount) ?? 0;
  return {
    event: 'session.subagent',
    name: `session.subagent:end:${resumed}`,
    text: `subagent ${status}: ${agent}`,
    time: timeOf(meta.lastUpdatedAt),
    attributes: { status, ...textFact('error', meta.lastError) },
  };
}

function textFact(name: string, value: unknown): Attributes {
  const text = asText(value);
  return text === undefined ? {} : { [name]: cleanText(text) };
}
