import type { Row } from '../../agent/contract/row.ts';

/** ExportLogsServiceRequest in the JSON encoding of OTLP, as far as rows are in it. */
interface LogsRequest {
  readonly resourceLogs: readonly {
    readonly scopeLogs: readonly { readonly logRecords: readonly LogRecord[] }[];
  }[];
}

interface LogRecord {
  readonly timeUnixNano?: string;
  readonly body?: { readonly stringValue?: string };
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
}

/** The attribute that carries each field that a case can ask for. */
const ATTRIBUTES = {
  row_id: 'log.record.uid',
  agent: 'holdfast.agent',
  seq: 'holdfast.seq',
  session_id: 'session.id',
  project_path: 'holdfast.project.path',
  turn_type: 'holdfast.turn_type',
  event: 'holdfast.event',
  model: 'gen_ai.request.model',
  tool_name: 'gen_ai.tool.name',
  tool_use_id: 'gen_ai.tool.call.id',
  source_file: 'log.file.path',
  source_line: 'holdfast.source.line',
} as const satisfies Partial<Record<keyof Row, string>>;

/** Whole numbers are 64 bits wide and written as text. */
const NUMBERS: ReadonlySet<string> = new Set(['seq', 'source_line']);

export function rowsOfOtlp(body: Buffer): Row[] {
  if (body.length === 0) return [];
  const { resourceLogs } = JSON.parse(body.toString('utf8')) as LogsRequest;
  return resourceLogs
    .flatMap(({ scopeLogs }) => scopeLogs.flatMap(({ logRecords }) => logRecords))
    .map(rowOf);
}

function rowOf({ timeUnixNano: nanos, body, attributes }: LogRecord): Row {
  const values = new Map(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
  const fields = Object.entries(ATTRIBUTES).map(([field, name]) => {
    const value = values.get(name) ?? null;
    return [field, value !== null && NUMBERS.has(field) ? Number(value) : value];
  });
  return {
    ...Object.fromEntries(fields),
    text: body?.stringValue ?? '',
    timestamp_utc: nanos === undefined ? null : new Date(Number(BigInt(nanos) / 1_000_000n)).toISOString(),
  } as Row;
}
