import { asText, type JsonObject } from '../fields.ts';
import { callIdentity, resultIdentity } from '../kiro/identity.ts';
import { addRow, fact } from '../kiro/rows.ts';
import { contentText } from '../kiro/values.ts';
import type { Scope } from './state.ts';
import { settleOpening } from './user.ts';

const TOOL = 'sub_agent';

/** A session that this one started: its own messages lie in its own directory. */
export function readSubagentStart(scope: Scope, payload: JsonObject): void {
  settleOpening(scope);
  const { log } = scope;
  const child = asText(payload['subSessionId']) ?? scope.id;
  const identity = callIdentity(log.key, child, child);
  addRow(scope, {
    ...identity,
    part: log.repeats.name(identity.part, `start ${child}`, scope.id),
    turn: 'tool_use',
    text: contentText(payload['prompt']),
    time: scope.time,
    model: log.model,
    tool: TOOL,
    callId: child,
    attributes: { sub_session_id: child, ...fact('agent_name', asText(payload['subAgentName'])) },
  });
}

export function readSubagentEnd(scope: Scope, payload: JsonObject): void {
  const { log } = scope;
  const child = asText(payload['subSessionId']) ?? scope.id;
  const identity = resultIdentity(log.key, child, child);
  addRow(scope, {
    ...identity,
    part: log.repeats.name(identity.part, `end ${child}`, scope.id),
    turn: 'tool_result',
    text: contentText(payload['response']),
    time: scope.time,
    tool: TOOL,
    callId: child,
    attributes: { sub_session_id: child },
  });
}
