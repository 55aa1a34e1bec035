import { asNumber, asText, type JsonObject } from '../fields.ts';
import { callIdentity, decisionIdentity, resultIdentity } from '../kiro/identity.ts';
import { readOutput } from '../kiro/output.ts';
import { addRow, fact } from '../kiro/rows.ts';
import { compactJson } from '../kiro/values.ts';
import { messageOf } from './converted.ts';
import type { Call, Scope } from './state.ts';
import { settleOpening } from './user.ts';

/** A call. Further records with its id tell what became of it: they are the same call. */
export function readCall(scope: Scope, payload: JsonObject): void {
  settleOpening(scope);
  const { log } = scope;
  const id = asText(payload['toolCallId']) ?? scope.id;
  const status = asText(payload['status']);
  const known = log.calls.get(id);
  const call = known ?? { name: asText(payload['toolName']) ?? 'unknown', message: callMessage(scope, id) };
  log.calls.set(id, call);
  if (!known)
    addRow(scope, {
      ...callIdentity(log.key, call.message, id),
      turn: 'tool_use',
      text: payload['args'] === undefined ? '' : compactJson(payload['args']),
      time: scope.time,
      model: log.model,
      tool: call.name,
      callId: id,
      attributes: {
        ...fact('kind', asText(payload['kind'])),
        ...fact('file_path', asText(payload['filePath'])),
        ...fact('execution_id', asText(payload['executionId'])),
      },
      claims: log.claimsOf(log.id, scope.id),
    });
  if (status === 'denied') addDenied(scope, call, id);
}

/** Only a converted session has messages that ask for several calls. */
function callMessage(scope: Scope, id: string): string {
  return scope.log.isConverted ? messageOf(scope) : id;
}

/** Denied without a question that was answered: a rule, or a decision that this log does not hold. */
function addDenied(scope: Scope, call: Call, id: string): void {
  const { log } = scope;
  if (log.decided.has(id)) return;
  log.decided.add(id);
  addRow(scope, {
    ...decisionIdentity(log.key, call.message, id),
    turn: 'system',
    event: 'permission.decision',
    text: `permission decision: denied tool=${call.name}`,
    time: scope.time,
    tool: call.name,
    callId: id,
    attributes: { decision: 'denied', status: 'denied' },
  });
}

export function readResult(scope: Scope, payload: JsonObject): void {
  const { log } = scope;
  const id = asText(payload['toolCallId']) ?? scope.id;
  const call = log.calls.get(id) ?? { name: 'unknown', message: id };
  const isFailure = payload['success'] === false;
  const output = readOutput(payload['content']);
  const identity = resultIdentity(log.key, call.message, id);
  addRow(scope, {
    ...identity,
    part: log.repeats.name(identity.part, `${call.message} ${identity.part}`, scope.id),
    turn: 'tool_result',
    text: (isFailure ? '[error] ' : '') + output.text,
    time: scope.time,
    tool: call.name === 'unknown' ? undefined : call.name,
    callId: id,
    attributes: {
      ...(typeof payload['success'] === 'boolean' && { status: isFailure ? 'error' : 'success' }),
      ...output.attributes,
      ...fact('duration_ms', asNumber(payload['durationMs'])),
      ...(scope.id.endsWith('-result-synthetic') && { synthetic: true }),
    },
    claims: log.claimsOf(log.id, scope.id),
  });
}
