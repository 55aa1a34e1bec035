import type { Row } from '../../../agent/contract/row.ts';
import type { LogRecord } from '../../../agent/sinks/otlp/log-record.ts';
import type { ReceivedRequest, ScriptedAnswer } from '../../support/scripted-server.ts';

/** How receivers of other protocols read what we send, and how they answer when all is well. */

export const JSON_TYPE = { 'content-type': 'application/json' };

export function json(status: number, body: unknown, headers: Record<string, string> = {}): ScriptedAnswer {
  return { status, headers: { ...JSON_TYPE, ...headers }, body };
}

export function linesIn(body: Buffer): unknown[] {
  return body
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** A document of the bulk API; the fields in front of `holdfast` are those of ECS. */
export interface EcsDocument {
  readonly holdfast: Row;
  readonly [field: string]: unknown;
}

export function documentsIn(body: Buffer): EcsDocument[] {
  return linesIn(body).filter((_, at) => at % 2 === 1) as EcsDocument[];
}

export function stored({ rowIds }: Pick<ReceivedRequest, 'rowIds'>): ScriptedAnswer {
  const items = rowIds.map((id) => ({ create: { _index: 'holdfast-rows', _id: id, status: 201 } }));
  return json(200, { took: 1, errors: false, items });
}

export interface HecEvent {
  readonly time: number;
  readonly event: Row;
  readonly fields?: Readonly<Record<string, string>>;
  readonly [name: string]: unknown;
}

export function eventsIn(body: Buffer): HecEvent[] {
  return linesIn(body) as HecEvent[];
}

export const HEC_SUCCESS = json(200, { text: 'Success', code: 0 });

interface LogsRequest {
  readonly resourceLogs: readonly {
    readonly resource: { readonly attributes: unknown };
    readonly scopeLogs: readonly { readonly scope: unknown; readonly logRecords: readonly LogRecord[] }[];
  }[];
}

export function logsIn(body: Buffer): LogsRequest {
  return JSON.parse(body.toString()) as LogsRequest;
}

export function recordsIn(body: Buffer): LogRecord[] {
  return logsIn(body).resourceLogs.flatMap(({ scopeLogs }) =>
    scopeLogs.flatMap(({ logRecords }) => logRecords),
  );
}

export function bodyText(record: LogRecord): string {
  return (record.body as { readonly stringValue: string }).stringValue;
}

/** Attributes as a map of names to plain values. */
export function plain(attributes: unknown): Record<string, unknown> {
  const pairs = attributes as readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  return Object.fromEntries(pairs.map(({ key, value }) => [key, Object.values(value)[0]]));
}

export const OTLP_SUCCESS = json(200, { partialSuccess: {} });
