import type { Row } from '../../contract/row.ts';
import { type Batch, type BatchOrigin, originOf } from '../../contract/sink.ts';
import { GEN_AI_MAPPING_VERSION } from '../gen-ai.ts';
import { wireRowsOf } from '../wire-rows.ts';
import { type KeyValue, keyValues } from './any-value.ts';
import { type LogRecord, logRecordOf } from './log-record.ts';

export interface RequestOptions {
  readonly version: string;
  readonly origin: BatchOrigin;
  readonly genAiContent: boolean;
}

interface ResourceLogs {
  readonly resource: { readonly attributes: readonly KeyValue[] };
  readonly scopeLogs: readonly [{ readonly scope: Scope; readonly logRecords: LogRecord[] }];
}

interface Scope {
  readonly name: string;
  readonly version: string;
  readonly attributes: readonly KeyValue[];
}

/**
 * ExportLogsServiceRequest in the JSON encoding of OTLP. Records stand in the order of the rows. A batch has one
 * resource, unless host name or labels changed in the middle of it.
 */
export function logsRequestOf(batch: Batch, { origin, ...rest }: RequestOptions): Buffer {
  const options = { ...rest, origin: originOf(batch, origin) };
  const resourceLogs: ResourceLogs[] = [];
  let last = '';
  for (const { row } of wireRowsOf(batch)) {
    const key = JSON.stringify([row.host_id, row.host_name, row.labels]);
    if (resourceLogs.length === 0 || key !== last) resourceLogs.push(resourceLogsOf(row, options));
    last = key;
    resourceLogs.at(-1)?.scopeLogs[0].logRecords.push(logRecordOf(row, options.genAiContent));
  }
  return Buffer.from(JSON.stringify({ resourceLogs }));
}

function resourceLogsOf(row: Row, { version, origin }: RequestOptions): ResourceLogs {
  const labels = Object.entries(row.labels).map(
    ([name, value]) => [`holdfast.labels.${name}`, value] as const,
  );
  const attributes = keyValues([
    ['service.name', 'holdfast'],
    ['service.version', version],
    ['service.instance.id', origin.hostId],
    ['host.id', row.host_id],
    ['host.name', row.host_name],
    ['holdfast.epoch', origin.epoch],
    ...labels,
  ]);
  const mapping = keyValues([['holdfast.mapping', GEN_AI_MAPPING_VERSION]]);
  const scope = { name: 'holdfast', version, attributes: mapping };
  return { resource: { attributes }, scopeLogs: [{ scope, logRecords: [] }] };
}
