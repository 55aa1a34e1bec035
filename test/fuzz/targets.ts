/** What is fuzzed: every kind of file and every table that a source reads, with the samples to begin from. */
import type { DraftRow } from '../../agent/contract/row.ts';
import type { DatabaseSpec, FileSpec, Source, TableRecord, TableSpec } from '../../agent/contract/source.ts';
import { SOURCES } from '../../parsers/index.ts';
import { samplesOf } from '../parsers/samples.ts';
import { fakeContext, parseFile } from '../parsers/support.ts';
import { recordsOf } from '../support/database.ts';

export interface Input {
  /** Root-relative path of the file, or the key of the record. */
  readonly path: string;
  readonly bytes: Buffer;
}

export interface Target {
  /** "gemini-cli/session", "amazon-q/conversations/conversations". */
  readonly name: string;
  readonly source: Source;
  readonly samples: readonly Input[];
  parse(input: Input): DraftRow[];
}

export function allTargets(): Target[] {
  return SOURCES.flatMap((source) =>
    source.files.flatMap((spec) =>
      spec.kind === 'database' ? tablesOf(source, spec) : fileTarget(source, spec),
    ),
  );
}

function fileTarget(source: Source, spec: FileSpec): Target {
  return {
    name: `${source.id}/${spec.name}`,
    source,
    samples: samplesOf(source, spec),
    parse: ({ path, bytes }) => parseFile(spec, bytes, fakeContext(path)),
  };
}

function tablesOf(source: Source, spec: DatabaseSpec): Target[] {
  const databases = samplesOf(source, spec);
  return spec.tables.map((table) => {
    const records = databases.flatMap(({ bytes }) => recordsOf(table, bytes));
    return {
      name: `${source.id}/${spec.name}/${table.name}`,
      source,
      samples: records.flatMap((record) => {
        const value = record.cells['value'];
        return Buffer.isBuffer(value) ? [{ path: JSON.stringify(record.key), bytes: value }] : [];
      }),
      parse: ({ path, bytes }) => parseRecord(table, { key: JSON.parse(path) as string[], bytes }),
    };
  });
}

function parseRecord(
  table: TableSpec,
  { key, bytes }: { key: readonly string[]; bytes: Buffer },
): DraftRow[] {
  const rows: DraftRow[] = [];
  const record: TableRecord = { key, cells: { value: bytes }, rowid: 1, memory: undefined, beside: () => [] };
  table.parse(record, fakeContext('data.sqlite3'), (row) => void rows.push(row));
  return rows;
}
