import type { Attributes, DraftRow } from '../../agent/contract/row.ts';
import type { LogParser, ParseContext } from '../../agent/contract/source.ts';
import { badLine } from '../shared/bad-line.ts';
import { asNumber, asObject, asText, type JsonObject } from '../shared/fields.ts';
import { createRecordLog } from '../shared/record-log.ts';
import { cleanText } from '../shared/text.ts';
import { utcOfMs } from '../shared/time.ts';

/** Parser of `usage_record.jsonl`: one line at the end of each run. It outlives the sessions that it counts. */
export function openUsage(context: ParseContext): LogParser {
  return createRecordLog({
    record({ line, emit }, { value, bytes }) {
      const raw = asObject(value);
      const session = asText(raw?.['sessionId']);
      if (!raw) emit(badLine({ bytes, reason: 'not a JSON object', line }));
      else if (session === undefined) context.note('unknown_record');
      else emit(usageRow(raw, { session: cleanText(session), line }));
    },
    bad: ({ line, emit }, { bytes, reason }) => emit(badLine({ bytes, reason, line })),
    session: () => undefined,
  });
}

function usageRow(raw: JsonObject, { session, line }: { session: string; line: number }): DraftRow {
  const ended = asNumber(raw['timestamp']);
  const utc = ended === undefined ? null : utcOfMs(ended);
  const project = asText(raw['project']);
  const { counts, attributes } = countsOf(raw);
  return {
    record: `usage ${ended ?? '-'}`,
    part: 'session.usage',
    turn_type: 'system',
    event: 'session.usage',
    text: `session usage: ${counts}`,
    timestamp_utc: utc,
    timestamp_source: utc === null ? 'none' : 'record',
    session_id: session,
    project_path: project === undefined ? null : cleanText(project),
    attributes,
    source_line: line,
  };
}

function countsOf(raw: JsonObject): { readonly counts: string; readonly attributes: Attributes } {
  const models = Object.entries(asObject(raw['models']) ?? {});
  const tools = asObject(raw['tools']) ?? {};
  const files = asObject(raw['files']) ?? {};
  const requests = sumOf(models, 'requests');
  const tokens = sumOf(models, 'totalTokens');
  const calls = asNumber(tools['totalCalls']) ?? 0;
  const failed = asNumber(tools['totalFail']) ?? 0;
  return {
    counts: `${requests} requests, ${tokens} tokens, ${calls} tool calls, ${failed} of them failed`,
    attributes: {
      requests,
      tokens_total: tokens,
      tool_calls: calls,
      tool_failures: failed,
      lines_added: asNumber(files['linesAdded']) ?? 0,
      lines_removed: asNumber(files['linesRemoved']) ?? 0,
      duration_ms: asNumber(raw['durationMs']) ?? 0,
      models: cleanText(models.map(([name]) => name).join(',')),
      tools: cleanText(toolCounts(tools['byName'])),
    },
  };
}

function sumOf(entries: readonly (readonly [string, unknown])[], key: string): number {
  let sum = 0;
  for (const [, value] of entries) sum += asNumber(asObject(value)?.[key]) ?? 0;
  return sum;
}

/** `run_shell_command:3,edit:1` */
function toolCounts(byName: unknown): string {
  return Object.entries(asObject(byName) ?? {})
    .map(([name, value]) => `${name}:${asNumber(asObject(value)?.['count']) ?? 0}`)
    .join(',');
}
