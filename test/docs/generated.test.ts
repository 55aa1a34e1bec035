import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { METRICS } from '../../agent/contract/metrics.ts';
import { ROW_FIELDS } from '../../agent/contract/row-fields.ts';
import { loadConfig } from '../../config/load.ts';
import { CONFIG_KEYS } from '../../config/table.ts';
import { generated } from '../../tools/generate/documents.ts';

const ROOT = join(import.meta.dirname, '..', '..');

describe('tools/generate/documents', () => {
  for (const { path, content } of generated(ROOT)) {
    it(`finds ${path} up to date (else: npm run generate)`, () => {
      assert.equal(read(path), content);
    });
  }

  it('names every key, field and metric in its document', () => {
    const [config, rows, metrics] = ['docs/config.md', 'docs/rows.md', 'docs/metrics.md'].map(read);

    for (const { path } of CONFIG_KEYS.filter((key) => !key.isSection))
      assert.ok(config!.includes(path.at(-1)!), path.join('.'));
    for (const field of Object.keys(ROW_FIELDS)) assert.ok(rows!.includes(`\n| \`${field}\` |`), field);
    for (const metric of Object.keys(METRICS)) assert.ok(metrics!.includes(`\n| \`${metric}\` |`), metric);
  });

  it('shows a row in docs/rows.md that has every required field and fits the row schema', () => {
    const row = JSON.parse(/```json\n(.*?)```/s.exec(read('docs/rows.md'))![1]!);

    const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema('row'));

    assert.equal(validate(row), true, JSON.stringify(validate.errors));
    assert.deepEqual(
      Object.keys(row),
      Object.entries(ROW_FIELDS).flatMap(([name, field]) => ('optional' in field ? [] : name)),
    );
  });

  it('refuses a row without an id', () => {
    const validate = new Ajv({ allowUnionTypes: true }).compile(schema('row'));

    assert.equal(validate({ seq: 1 }), false);
  });
});

describe('config/generated/holdfast.example.yaml', () => {
  const example = () => read('config/generated/holdfast.example.yaml');

  it('sets nothing as it is', () => {
    assert.equal(parse(example()), null);
  });

  it('shows every key with its default or an example, without its leading #', () => {
    const shown = parse(uncomment(example()));

    for (const { path, isSection, name, facts, defaultValue, variant } of CONFIG_KEYS) {
      if (isSection || name === 'sinks') continue;
      const sink = shown.sinks.find((item: { type: string }) => item.type === variant);
      const value = path.reduce((inner, step) => (step === '[]' ? sink : inner[step]), shown);
      const type = path.at(-1) === 'type' ? variant : null;
      assert.deepEqual(value, facts.example ?? defaultValue ?? type, name);
    }
  });

  it('is then valid for the loader and for the JSON Schema', () => {
    const text = uncomment(example());
    const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema('holdfast'));

    const loaded = loadConfig({ file: '/x/config.yaml', confDir: null, files: oneFile(text) });

    assert.equal(validate(parse(text)), true, JSON.stringify(validate.errors));
    assert.deepEqual(
      loaded.config.sinks.map(({ id }) => id),
      ['http', 'otlp', 'splunk_hec', 'elasticsearch', 'file'],
    );
  });

  it('has a JSON Schema that refuses what the loader refuses', () => {
    const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema('holdfast'));
    const wrong = [
      { capture: { sweep_seconds: 0 } },
      { capture: { sweep_secs: 1 } },
      { telemetry: { log_level: 'loud' } },
      { homes: 'none' },
      { labels: { 'a b': 'x' } },
      { sinks: [{ type: 'http' }] },
      { sinks: [{ type: 'kafka' }] },
      { token: 'x' },
    ];

    for (const value of wrong) {
      assert.equal(validate(value), false, JSON.stringify(value));
      assert.throws(() => loadConfig({ file: '/x', confDir: null, files: oneFile(JSON.stringify(value)) }));
    }
    assert.equal(validate({}), true);
  });
});

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function schema(name: string): object {
  return JSON.parse(read(`config/generated/${name}.schema.json`));
}

/** Settings have no blank between the # and their even indentation; explanations have exactly one. */
function uncomment(text: string): string {
  return text.replace(/^#(?! \S)/gm, '');
}

function oneFile(text: string) {
  return { read: () => ({ bytes: Buffer.from(text), mode: 0o644, uid: 0 }), list: () => undefined };
}
