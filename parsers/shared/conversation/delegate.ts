import type { Emit } from '../../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../../agent/contract/source.ts';
import { badDocument } from '../bad-line.ts';
import { withoutMark } from '../byte-mark.ts';
import { asNumber, asObject, asText, type JsonObject } from '../fields.ts';
import { addBad, addEvent, fact, type RowScope } from '../kiro/rows.ts';
import { timeOf } from '../kiro/time.ts';
import { structureRefusal } from '../structure.ts';

/** The agents whose tasks run with everything trusted. */
const TRUSTED = new Set(['q_cli_default', 'kiro_default']);

export function isDelegate(path: string): boolean {
  return path.startsWith('.subagents/') && /^\.subagents\/[^/]+\.json$/.test(path);
}

/** Parser of `.subagents/<agent>.json`: the last task that was handed to an agent in the background, and how it ended. */
export function parseDelegate(
  { bytes: given, settled }: Document,
  context: ParseContext,
  emit: Emit,
): DocumentResult {
  const bytes = withoutMark(given);
  const record = parsed(bytes);
  if (!record && !settled) return 'torn';
  const cwd = asText(record?.['cwd']);
  const project = cwd === undefined || cwd === 'Unknown' ? context.project(undefined) : cwd;
  const scope = { session: '', project, line: null, shared: {}, emit };
  if (record) addTask(scope, record);
  else if (bytes.length > 0)
    addBad(
      scope,
      badDocument('delegate record is not a JSON object', { bytes, reason: 'broken', line: null }),
    );
  return 'parsed';
}

function parsed(bytes: Buffer): JsonObject | undefined {
  if (structureRefusal(bytes) !== undefined) return undefined;
  try {
    return asObject(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

function addTask(scope: RowScope, record: JsonObject): void {
  const agent = asText(record['agent']) ?? '-';
  const task = asText(record['task']) ?? '';
  const pid = asNumber(record['pid']);
  const launched = timeOf(record['launched_at']);
  const isTrusted = TRUSTED.has(agent);
  const name = `delegate ${agent} ${launched.utc ?? '-'}`;
  addEvent(scope, 'session.subagent', {
    record: name,
    part: 'launched',
    content: task,
    text: `delegate task launched: agent=${agent}${pid === undefined ? '' : ` pid=${pid}`}${isTrusted ? ' trust_all_tools=true' : ''}: ${task}`,
    time: launched,
    attributes: { agent_name: agent, ...fact('pid', pid), ...(isTrusted && { trust_all: true }) },
  });
  const status = asText(record['status']) ?? 'running';
  if (status !== 'running') addEnd(scope, record, { name, agent, status });
}

interface End {
  readonly name: string;
  readonly agent: string;
  readonly status: string;
}

function addEnd(scope: RowScope, record: JsonObject, { name, agent, status }: End): void {
  const code = asNumber(record['exit_code']);
  const [summary, output] = [asText(record['summary']), asText(record['output'])];
  addEvent(scope, 'session.subagent', {
    record: name,
    part: 'ended',
    text: [
      `delegate task ${status}: agent=${agent}${code === undefined ? '' : ` exit_code=${code}`}`,
      ...(summary === undefined ? [] : [`summary: ${summary}`]),
      ...(output === undefined ? [] : [`output: ${output}`]),
    ].join('\n'),
    time: timeOf(record['completed_at']),
    attributes: { agent_name: agent, status, ...fact('exit_code', code) },
  });
}
