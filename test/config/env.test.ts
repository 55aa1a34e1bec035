import assert from 'node:assert/strict';
import { CONFIG_KEYS, SETTINGS } from '../../config/table.ts';
import { load, problems } from './support.ts';

describe('config/env-layer', () => {
  it('has one variable for every key outside of lists', () => {
    const names = SETTINGS.map(({ env }) => env);

    assert.equal(new Set(names).size, names.length);
    for (const { path, env } of SETTINGS)
      assert.equal(env, `HOLDFAST_${path.join('_').toUpperCase().replaceAll('-', '_')}`);
    for (const { env, name } of CONFIG_KEYS)
      assert.equal(env === null, name.includes('[]') || !names.includes(env));
  });

  it('wins over files and takes numbers, words, lists and maps', () => {
    const { config } = load('capture: {sweep_seconds: 5}\nhomes: [/a]\nlabels: {a: file, b: file}\n', {
      env: {
        HOLDFAST_CAPTURE_SWEEP_SECONDS: '7',
        HOLDFAST_HOMES: '[/home/alice, "/home/b c"]',
        HOLDFAST_LABELS: '{b: env}',
        HOLDFAST_SOURCES_KIRO_IDE_ENABLED: 'false',
        HOLDFAST_TELEMETRY_LOG_LEVEL: 'warn',
        HOLDFAST_SINKS: '[{type: file, path: /rows}]',
        HOLDFAST_COLLECTOR_ENABLED: 'true',
        PATH: '/usr/bin',
      },
    });

    assert.equal(config.capture.sweepSeconds, 7);
    assert.deepEqual(config.homes, ['/home/alice', '/home/b c']);
    assert.deepEqual(config.labels, { a: 'file', b: 'env' });
    assert.equal(config.sources['kiro-ide'].enabled, false);
    assert.equal(config.telemetry.logLevel, 'warn');
    assert.equal(config.sinks[0]?.type, 'file');
    assert.equal(config.collector.enabled, true);
  });

  it('takes text as it is, null as null, and an empty variable as not set', () => {
    const { config } = load('homes_root: /srv\ntelemetry: {log_file: /x.log}\n', {
      env: { HOLDFAST_STATE_DIR: '/srv/a: #1', HOLDFAST_HOMES_ROOT: '', HOLDFAST_TELEMETRY_LOG_FILE: 'null' },
    });

    assert.deepEqual(
      [config.stateDir, config.homesRoot, config.telemetry.logFile],
      ['/srv/a: #1', '/srv', null],
    );
  });

  it('places problems inside of the variable and names it', () => {
    const env = { HOLDFAST_SINKS: '[{type: file, path: x}]', HOLDFAST_LABELS: '{a: 1', HOLDFAST_HOMES: '3' };

    assert.deepEqual(problems('', { env }), [
      'environment:1:6: labels: Flow map must end with a } (from HOLDFAST_LABELS)',
      'environment:1:1: homes: must be auto or a list of absolute paths, not a number (from HOLDFAST_HOMES)',
      'environment:1:15: sinks[0].path: must be an absolute path (from HOLDFAST_SINKS)',
    ]);
  });

  it('warns about variables with the prefix that override nothing, unless they are known', () => {
    const { warnings } = load(
      'sinks: [{type: http, url: "https://c.example.com", token_env: HOLDFAST_TOKEN}]\n',
      {
        env: {
          HOLDFAST_TOKEN: 't',
          HOLDFAST_CONFIG: '/x',
          HOLDFAST_SINK: 's',
          HOLDFAST_ZZZ: 'z',
          HOLDFAST_EMPTY: '',
        },
        otherVariables: ['HOLDFAST_CONFIG'],
      },
    );

    assert.deepEqual(
      warnings.map(({ message }) => message),
      ['HOLDFAST_SINK overrides no key; did you mean HOLDFAST_SINKS?', 'HOLDFAST_ZZZ overrides no key'],
    );
  });
});
