import type { Attributes } from '../../agent/contract/row.ts';
import { asList, asNumber, asObject, asText, valueAt } from '../shared/fields.ts';
import { fact } from '../shared/kiro/rows.ts';
import { isFailure } from './permission.ts';
import type { Execution, RawExecution } from './records.ts';
import { addEvent } from './rows.ts';
import { timeOf } from './times.ts';

/** Rows about the end of an execution: how it ended, why, and what it used. */
export function tellEnd(execution: Execution): void {
  const { id, raw, scope, model } = execution;
  const status = asText(raw.status);
  const ended = timeOf(raw.endTime);
  if (status === undefined || status === 'running') return;
  const time = ended.utc === null ? execution.time : ended;
  const shared = { record: `execution ${id}`, time, model };
  addEvent(scope, 'session.turn', {
    ...shared,
    part: 'session.turn:end',
    content: status,
    text: `turn ended: ${status} (execution ${id})`,
    attributes: { execution_id: id, status, ...fact('intent', intentOf(raw)), ...durationOf(raw) },
  });
  const error = errorOf(raw);
  if (error !== undefined || isFailure(status))
    addEvent(scope, 'message.error', {
      ...shared,
      text: error ?? `execution ended: ${status}`,
      attributes: { execution_id: id, status },
    });
  const usage = usageOf(raw.usageSummary);
  if (usage)
    addEvent(scope, 'session.usage', {
      ...shared,
      text: usage.text,
      attributes: { execution_id: id, ...usage.attributes },
    });
}

function durationOf({ startTime, endTime }: RawExecution): Attributes {
  const [start, end] = [timeOf(startTime).utc, timeOf(endTime).utc];
  return start === null || end === null ? {} : { duration_ms: Date.parse(end) - Date.parse(start) };
}

function errorOf({ error, result }: RawExecution): string | undefined {
  for (const value of [error, asObject(result)?.['error']]) {
    const text = asText(value) ?? asText(asObject(value)?.['message']);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** What the IDE took the prompt for: chat, do, spec. */
function intentOf({ actions }: RawExecution): string | undefined {
  for (const value of asList(actions)) {
    const action = asObject(value);
    if (action?.['actionType'] === 'intentClassification')
      return asText(valueAt(action, 'intentResult.classification'));
  }
  return undefined;
}

interface RawUsage {
  readonly usage?: unknown;
  readonly unit?: unknown;
  readonly unitPlural?: unknown;
  readonly usedTools?: unknown;
}

function usageOf(summary: unknown): { text: string; attributes: Attributes } | undefined {
  const totals = new Map<string, number>();
  const tools = new Set<string>();
  for (const value of asList(summary)) {
    const { usage, unit, usedTools } = asObject<RawUsage>(value) ?? {};
    const amount = asNumber(usage);
    const name =
      asText(unit)
        ?.toLowerCase()
        .replaceAll(/[^a-z]/g, '')
        .slice(0, 30) || 'unit';
    if (amount !== undefined) totals.set(name, (totals.get(name) ?? 0) + amount);
    for (const tool of asList(usedTools)) if (typeof tool === 'string') tools.add(tool);
  }
  if (totals.size === 0) return undefined;
  const amounts = [...totals].map(([unit, amount]) => [unit, Number(amount.toFixed(6))] as const);
  return {
    text: `usage: ${amounts.map(([unit, amount]) => `${amount} ${unit}`).join(', ')}`,
    attributes: {
      ...Object.fromEntries(amounts.map(([unit, amount]) => [`usage_${unit}`, amount])),
      ...(tools.size > 0 && { tools: [...tools].join(', ') }),
    },
  };
}
