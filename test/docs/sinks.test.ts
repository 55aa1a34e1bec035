import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROW_FIELDS } from '../../agent/contract/row-fields.ts';
import { bulkOf } from '../../agent/sinks/elasticsearch/bulk.ts';
import { logsRequestOf } from '../../agent/sinks/otlp/request.ts';
import { meaningOf } from '../../agent/sinks/splunk-hec/codes.ts';
import { CONFIG_KEYS } from '../../config/table.ts';
import { documentsIn, logsIn } from '../agent/sinks/dialects.ts';
import { batchOf, rowOf } from '../support/batches.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const OPTIONS = {
  index: 'holdfast-rows',
  version: '1.2.3',
  origin: { hostId: 'host-1', epoch: 'epoch-1' },
  genAiContent: true,
};

/** Rows that together have every field and every fact that the sinks name. */
const ROWS = (['user', 'assistant', 'thinking', 'tool_use', 'tool_result', 'system'] as const).map(
  (turn_type, index) =>
    rowOf(`Tool {"a":${index}}`, index + 1, {
      turn_type,
      git_branch: 'main',
      model: 'm',
      tool_name: 't',
      tool_use_id: 'c',
      event: 'session.start',
      attributes: {
        status: 'success',
        tokens_input: 1,
        tokens_output: 1,
        tokens_cached: 1,
        tokens_thoughts: 1,
      },
      masked: { key: 1 },
      labels: { team: 'red' },
      text_sha256: 'ab',
      text_bytes: 2,
    }),
);

function read(name: string): string {
  return readFileSync(join(ROOT, 'docs/sinks', name), 'utf8');
}

interface Mapping {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Mapping>>;
}

function template(): Mapping {
  const text = /```json\n(.*?)```/s.exec(read('elasticsearch.md'))?.[1] ?? '';
  return (JSON.parse(text) as { template: { mappings: Mapping } }).template.mappings;
}

/** Places of a document that the mapping does not type; a typed place has all that is below it. */
function unmapped(value: unknown, mapping: Mapping | undefined, path: string): string[] {
  if (mapping?.type !== undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => unmapped(item, mapping, path));
  if (typeof value !== 'object' || value === null || !mapping) return [path];
  return Object.entries(value).flatMap(([name, inner]) =>
    unmapped(inner, mapping.properties?.[name], `${path}.${name}`),
  );
}

describe('docs/sinks', () => {
  it('has an index template for every field of a row and of its document', () => {
    const documents = documentsIn(bulkOf(batchOf(ROWS), OPTIONS));

    const { holdfast } = template().properties ?? {};
    assert.deepEqual(Object.keys(holdfast?.properties ?? {}), Object.keys(ROW_FIELDS));
    assert.deepEqual(
      documents.flatMap((document) => unmapped(document, template(), '')),
      [],
    );
  });

  it('names every attribute of a log record and of its resource', () => {
    const text = read('otlp.md');
    const { resourceLogs } = logsIn(logsRequestOf(batchOf(ROWS), OPTIONS));

    const names = resourceLogs.flatMap(({ resource, scopeLogs }) => [
      ...(resource.attributes as { key: string }[]).map(({ key }) => key),
      ...scopeLogs.flatMap(({ logRecords }) =>
        logRecords.flatMap(({ attributes }) => attributes.map(({ key }) => key)),
      ),
    ]);

    const families: Readonly<Record<string, string>> = {
      'holdfast.attributes.': 'holdfast.attributes.<name>',
      'holdfast.masked.': 'holdfast.masked.<kind>',
      'holdfast.labels.': 'holdfast.labels.<name>',
      'gen_ai.usage.': 'gen_ai.usage.*',
    };
    for (const name of new Set(names)) {
      const family = Object.entries(families).find(([prefix]) => name.startsWith(prefix))?.[1];
      assert.ok(text.includes(`\`${family ?? name}\``), name);
    }
  });

  it('says what every code of the event collector means', () => {
    const table = read('splunk-hec.md')
      .split('\n')
      .filter((line) => /^\| \d/.test(line))
      .map((line) => line.split('|')[1] ?? '');
    const named = new Set(table.join(',').match(/\d+/g)?.map(Number));

    for (let code = 0; code < 100; code++) {
      assert.equal(named.has(code), meaningOf(code) !== undefined, `code ${code}`);
    }
  });

  for (const [type, file] of [
    ['otlp', 'otlp.md'],
    ['splunk_hec', 'splunk-hec.md'],
    ['elasticsearch', 'elasticsearch.md'],
  ] as const) {
    it(`names the keys that only sinks of type ${type} have`, () => {
      const keysOf = (variant: string) =>
        CONFIG_KEYS.filter((key) => key.variant === variant).map(({ path }) => path.at(-1) ?? '');
      const shared = new Set(keysOf('http'));
      const text = read(file);

      const own = keysOf(type).filter((name) => !shared.has(name));

      assert.ok(own.length > 0);
      for (const name of own) assert.ok(text.includes(`\`${name}\``), name);
    });
  }
});
