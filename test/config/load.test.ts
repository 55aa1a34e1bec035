import assert from 'node:assert/strict';
import { ConfigError, exitCodeOf } from '../../agent/contract/errors.ts';
import { CONFIG_KEYS } from '../../config/table.ts';
import { load, MAIN, memoryFiles, problems } from './support.ts';

describe('config/load', () => {
  it('gives every default when there is no file at all', () => {
    const { config, files, warnings } = load('', { files: memoryFiles({}) });

    assert.equal(config.homes, 'auto');
    assert.equal(config.stateDir, null);
    assert.equal(config.capture.maxLineBytes, 67_108_864);
    assert.equal(config.sources['kiro-ide'].enabled, true);
    assert.deepEqual(config.sinks, []);
    assert.deepEqual([files, warnings], [[], []]);
  });

  it('takes an empty file, and sections whose keys are all commented out, for defaults', () => {
    const empty = load('# nothing\n');
    const hollow = load('capture:\n  # sweep_seconds: 5\nsinks:\nlabels:\nsources:\n  kiro-ide:\n');

    assert.deepEqual(empty.config, hollow.config);
    assert.equal(empty.config.capture.sweepSeconds, 15);
  });

  it('turns names of keys into camelCase and leaves names that the user chose', () => {
    const { config } = load(`
labels: {cost_center: "12", team: red}
sources: {gemini-cli: {roots: [work_dir/gemini]}}
sinks:
  - {type: http, url: https://c.example.com/v1, no_proxy: [a_b.example.com], batch: {max_rows: 7}}
`);

    assert.deepEqual(config.labels, { cost_center: '12', team: 'red' });
    assert.deepEqual(config.sources['gemini-cli'].roots, ['work_dir/gemini']);
    const [sink] = config.sinks;
    assert.ok(sink?.type === 'http');
    assert.deepEqual(
      [sink.noProxy, sink.batch.maxRows, sink.batch.maxBytes],
      [['a_b.example.com'], 7, 1_048_576],
    );
    assert.deepEqual(
      [sink.id, sink.compression, sink.tokenFile, sink.timeoutMs],
      ['http', 'gzip', null, 30_000],
    );
  });

  it('refuses a file that was named and is missing, and only then', () => {
    const files = memoryFiles({});

    assert.deepEqual(problems('', { files, mustExist: true }), ['config.yaml:1:1: does not exist']);
    assert.deepEqual(problems('', { files }), []);
  });

  it('reports everything at once, over all files, each at its place, and exits with 2', () => {
    const files = memoryFiles({
      [MAIN]: 'capture:\n  sweep_seconds: soon\nsink: []\n',
      '20-b.yaml': 'rows: {max_text_bytes: 1}\n',
      '10-a.yaml': 'labels:\n  ok: 5\n',
    });
    const env = { HOLDFAST_STORE_KEEP_DAYS: '-1' };

    assert.deepEqual(problems('', { files, env }), [
      'config.yaml:2:3: capture.sweep_seconds: must be a whole number from 1 to 3600, not text',
      'config.yaml:3:1: sink: unknown key; did you mean sinks?',
      'conf.d/10-a.yaml:2:3: labels.ok: must be text of at most 256 characters, not a number (put it in quotes)',
      'conf.d/20-b.yaml:1:8: rows.max_text_bytes: must be a whole number from 1024 to 67108864',
      'environment:1:1: store.keep_days: must be a whole number from 0 to 3650 (from HOLDFAST_STORE_KEEP_DAYS)',
    ]);
    assert.throws(
      () => load('', { files }),
      (error) => error instanceof ConfigError && exitCodeOf(error) === 2 && error.issues.length === 4,
    );
  });

  it('still checks the other files when one cannot be parsed', () => {
    const files = memoryFiles({ [MAIN]: 'capture: [\n', 'a.yaml': 'homes: 5\n' });

    const found = problems('', { files });

    assert.match(found[0] ?? '', /^config\.yaml:\d+:\d+: /);
    assert.equal(
      found.at(-1),
      'conf.d/a.yaml:1:1: homes: must be auto or a list of absolute paths, not a number',
    );
  });

  describe('conf.d', () => {
    it('is laid over the main file in the order of names: maps merge, lists and values replace', () => {
      const { config, files } = load('', {
        files: memoryFiles({
          [MAIN]:
            'labels: {a: main, b: main}\nhomes: [/home/alice, /home/bob]\ncapture: {sweep_seconds: 5, poll_ms: 500}\n',
          '20-late.yaml': 'labels: {b: late}\ncapture: {poll_ms: 700}\n',
          '10-early.yaml': 'labels: {b: early, c: early}\nhomes: [/srv/alice]\ncapture: {poll_ms: 600}\n',
        }),
      });

      assert.deepEqual(config.labels, { a: 'main', b: 'late', c: 'early' });
      assert.deepEqual(config.homes, ['/srv/alice']);
      assert.deepEqual([config.capture.sweepSeconds, config.capture.pollMs], [5, 700]);
      assert.deepEqual(files, [
        MAIN,
        '/etc/holdfast/conf.d/10-early.yaml',
        '/etc/holdfast/conf.d/20-late.yaml',
      ]);
    });

    it('keeps what earlier files said when a later one names a section and sets nothing in it', () => {
      const files = memoryFiles({
        [MAIN]: 'capture: {sweep_seconds: 5}\nhomes_root: /srv\n',
        'a.yaml': 'capture:\nhomes_root: null\n',
      });

      const { config } = load('', { files });

      assert.equal(config.capture.sweepSeconds, 5);
      assert.equal(config.homesRoot, null);
    });

    it('warns about files that it does not read and passes over hidden ones', () => {
      const files = memoryFiles({ 'a.yml': 'homes: [/x]', '.swp.yaml': 'homes: [/y]', 'b.yaml': '' });

      const { config, warnings } = load('', { files });

      assert.equal(config.homes, 'auto');
      assert.deepEqual(
        warnings.map(({ file, message }) => [file, message]),
        [['/etc/holdfast/conf.d/a.yml', 'is not read: only names that end in .yaml are']],
      );
    });
  });

  describe('origin', () => {
    it('says which file, line and column, which variable, or that it is a default', () => {
      const { origin } = load('', {
        files: memoryFiles({
          [MAIN]: 'capture:\n  sweep_seconds: 5\nsinks:\n  - type: file\n    path: /x\n',
          'a.yaml': 'capture: {poll_ms: 400}\n',
        }),
        env: { HOLDFAST_LABELS: '{a: "1"}' },
      });

      const conf = '/etc/holdfast/conf.d/a.yaml';
      assert.deepEqual(origin(['capture', 'sweep_seconds']), {
        kind: 'file',
        file: MAIN,
        line: 2,
        column: 3,
      });
      assert.deepEqual(origin(['capture', 'poll_ms']), { kind: 'file', file: conf, line: 1, column: 11 });
      assert.deepEqual(origin(['sinks', 0, 'path']), { kind: 'file', file: MAIN, line: 5, column: 5 });
      assert.deepEqual(origin(['sinks', 0, 'id']), { kind: 'default' });
      assert.deepEqual(origin(['capture', 'watch']), { kind: 'default' });
      assert.deepEqual(origin(['labels', 'a']), { kind: 'environment', variable: 'HOLDFAST_LABELS' });
    });
  });

  it('accepts its own effective values again, unchanged', () => {
    const { values } = load('sinks: [{type: http, url: "https://c.example.com/v1"}]\nlabels: {a: b}\n');

    const again = load(JSON.stringify(values));

    assert.deepEqual(again.values, values);
  });

  it('describes every key that it knows', () => {
    for (const key of CONFIG_KEYS) {
      assert.match(key.facts.doc, /^[A-Z"].*\.$/s, key.name);
      assert.notEqual(key.expected, 'a list', key.name);
    }
    assert.ok(CONFIG_KEYS.length > 60);
  });
});
