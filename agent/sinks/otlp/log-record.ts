import type { Row } from '../../contract/row.ts';
import { genAiContents, genAiFacts } from '../gen-ai.ts';
import { type AnyValue, type KeyValue, keyValues } from './any-value.ts';

/** LogRecord of the OTLP protocol in its JSON encoding (opentelemetry-proto, logs/v1/logs.proto). */
export interface LogRecord {
  /** Nanoseconds since 1970 as decimal digits; absent when nothing tells. */
  readonly timeUnixNano?: string;
  readonly observedTimeUnixNano?: string;
  readonly severityNumber: number;
  readonly severityText: string;
  readonly eventName: string;
  readonly body: AnyValue;
  readonly attributes: readonly KeyValue[];
}

const INFO = [9, 'INFO'] as const;

/** What the coding agent or Holdfast itself calls a warning or an error; everything else is information. */
const SEVERITIES: Readonly<Record<string, readonly [number, string]>> = {
  'message.warning': [13, 'WARN'],
  'message.error': [17, 'ERROR'],
  'parser.error': [13, 'WARN'],
  'source.quarantined': [13, 'WARN'],
};

export function logRecordOf(row: Row, genAiContent: boolean): LogRecord {
  const happened = nanosOf(row.timestamp_utc);
  const observed = nanosOf(row.observed_at);
  const [severityNumber, severityText] = SEVERITIES[row.event ?? ''] ?? INFO;
  return {
    ...(happened !== undefined && { timeUnixNano: happened }),
    ...(observed !== undefined && { observedTimeUnixNano: observed }),
    severityNumber,
    severityText,
    eventName: `holdfast.turn.${row.turn_type}`,
    body: { stringValue: row.text },
    attributes: [
      ...keyValues(namesOf(row)),
      ...keyValues(Object.entries(genAiFacts(row))),
      ...(genAiContent ? keyValues(Object.entries(genAiContents(row))) : []),
      ...keyValues(prefixed('holdfast.attributes', row.attributes)),
      ...keyValues(prefixed('holdfast.masked', row.masked)),
    ],
  };
}

/** Together with the GenAI names this is the whole row: nothing of it is left out. */
function namesOf(row: Row): readonly (readonly [string, unknown])[] {
  return [
    ['log.record.uid', row.row_id],
    ['session.id', row.session_id],
    ['user.name', row.os_user],
    ['log.file.path', row.source_file],
    ['holdfast.agent', row.agent],
    ['holdfast.turn_type', row.turn_type],
    ['holdfast.event', row.event],
    ['holdfast.project.path', row.project_path],
    ['holdfast.git.branch', row.git_branch],
    ['holdfast.source.line', row.source_line],
    ['holdfast.evidence', row.recovered ? 'recovered' : row.role],
    ['holdfast.role', row.role],
    ['holdfast.backfill', row.backfill],
    ['holdfast.timestamp.source', row.timestamp_source],
    ['holdfast.text.sha256', row.text_sha256],
    ['holdfast.text.length', row.text_bytes],
    ['holdfast.seq', row.seq],
    ['holdfast.schema', row.schema],
  ];
}

function prefixed(prefix: string, facts: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(facts).map(([name, value]) => [`${prefix}.${name}`, value]);
}

/** Nanoseconds as an unsigned 64-bit number reach from 1970 to July 2554; what lies outside is told as unknown. */
const LAST_MS = 18_446_744_073_709;

function nanosOf(time: string | null): string | undefined {
  const ms = time === null ? Number.NaN : Date.parse(time);
  return ms > 0 && ms <= LAST_MS ? `${ms}000000` : undefined;
}
