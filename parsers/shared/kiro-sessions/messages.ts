import { hash } from 'node:crypto';
import type { LogParser, ParseContext } from '../../../agent/contract/source.ts';
import { badLine } from '../bad-line.ts';
import { withoutReturn } from '../byte-mark.ts';
import { asObject, asText, type JsonObject } from '../fields.ts';
import type { BadPart, LineRecord } from '../jsonl.ts';
import { copiesOf } from '../kiro/copies.ts';
import { addBad, type RowScope } from '../kiro/rows.ts';
import { timeOf } from '../kiro/time.ts';
import { createRecordLog, type LinePlace } from '../record-log.ts';
import { isNestedTooDeeply } from '../structure.ts';
import { NO_TIME } from '../time.ts';
import { readAssistant } from './assistant.ts';
import { readCall, readResult } from './calls.ts';
import { isConverted } from './converted.ts';
import { readPending, readResolved } from './interactions.ts';
import { createSession, type Scope, type Session } from './state.ts';
import { readSubagentEnd, readSubagentStart } from './subagents.ts';
import { readHook, readSteering, readTombstone, readTurnEnd, readUnknown, readUsage } from './system.ts';
import { readSessionStart, readUser } from './user.ts';

type Reader = (scope: Scope, payload: JsonObject) => void;

/** Records by the type of their payload; those that say nothing that other files do not say are passed over. */
const READERS: Readonly<Record<string, Reader>> = {
  user: readUser,
  session_start: readSessionStart,
  assistant: readAssistant,
  tool_call: readCall,
  tool_result: readResult,
  pending_interaction: readPending,
  interaction_resolved: readResolved,
  sub_agent_start: readSubagentStart,
  sub_agent_complete: readSubagentEnd,
  tombstone: readTombstone,
  turn_end: readTurnEnd,
  usage_summary: readUsage,
  steering_inclusion: readSteering,
  ContextualHookInvoked: readHook,
  turn_start: pass,
  session_metadata: pass,
  session_event: pass,
};

/** Parser of `messages.jsonl` and of `sub-executions/*.jsonl`. Format: docs/formats/kiro-cli.md. */
export function openMessages(context: ParseContext, claimsOf: Session['claimsOf']): LogParser {
  const log = createSession(context, claimsOf);
  return createRecordLog({
    record: (place, record) => readRecord(log, place, record),
    bad: (place, part) => addBad(baseOf(log, place), badLine({ ...part, line: place.line })),
    session: () => log.id,
  });
}

function readRecord(log: Session, place: LinePlace, { value, bytes, lossy }: LineRecord): void {
  const base = { ...baseOf(log, place), shared: { ...lossy } };
  const raw = asObject<{ id?: unknown; timestamp?: unknown; payload?: unknown }>(value);
  const payload = asObject(raw?.payload);
  const type = asText(payload?.['type']);
  if (!raw || !payload || type === undefined) {
    addBroken(base, { bytes, reason: 'not a session record' });
    return;
  }
  const id = asText(raw.id) ?? `bytes:${hash('sha256', bytes, 'hex').slice(0, 32)}`;
  const time = raw.timestamp === undefined ? NO_TIME : timeOf(raw.timestamp);
  try {
    const reader = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
    const emit = isConverted(log, { id, time, type, payload }) ? copiesOf(base.emit) : base.emit;
    (reader ?? readUnknown)({ ...base, emit, log, id, time }, payload);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const reason = isNestedTooDeeply(bytes) ? 'nested too deeply' : 'too large';
    addBroken(base, { bytes, reason });
  }
}

function addBroken(scope: RowScope, { bytes, reason }: BadPart): void {
  addBad(scope, badLine({ bytes: withoutReturn(bytes), reason, line: scope.line }));
}

function baseOf(log: Session, { line, emit }: LinePlace): RowScope {
  return { session: log.id, project: log.context.project(undefined), line, shared: {}, emit };
}

function pass(): void {}
