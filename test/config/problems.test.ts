import assert from 'node:assert/strict';
import fc from 'fast-check';
import { errnoOf } from '../../agent/contract/errors.ts';
import { MAX_CONFIG_BYTES } from '../../config/files.ts';
import { load, memoryFiles, problems } from './support.ts';

/** What is wrong, the file that has it, and the whole message with its place. */
const TABLE: readonly (readonly [string, string, string])[] = [
  [
    'text for a number',
    'capture:\n  poll_ms: fast\n',
    '2:3: capture.poll_ms: must be a whole number from 100 to 60000, not text',
  ],
  [
    'a fraction',
    'capture:\n  poll_ms: 100.5\n',
    '2:3: capture.poll_ms: must be a whole number from 100 to 60000',
  ],
  [
    'a number below its bound',
    'store: {keep_days: -1}\n',
    '1:9: store.keep_days: must be a whole number from 0 to 3650',
  ],
  [
    'a number above its bound',
    'collector:\n  port: 65536\n',
    '2:3: collector.port: must be a whole number from 0 to 65535',
  ],
  ['infinity', 'collector: {port: .inf}\n', '1:13: collector.port: must be a whole number from 0 to 65535'],
  [
    'yes for true',
    'sources:\n  kiro-ide:\n    enabled: yes\n',
    '3:5: sources.kiro-ide.enabled: must be true or false, not text',
  ],
  [
    'a word out of a list',
    'telemetry: {log_level: loud}\n',
    '1:13: telemetry.log_level: must be one of debug, info, warn, error',
  ],
  [
    'null for a value',
    'capture: {watch: null}\n',
    '1:11: capture.watch: must be one of auto, poll, not null',
  ],
  ['a list for a map', 'capture: [1]\n', '1:1: capture: must be a map of keys, not a list'],
  ['a map for a list', 'sinks: {type: file}\n', '1:1: sinks: must be a list of sinks, not a map'],
  ['a relative path', 'state_dir: var/x\n', '1:1: state_dir: must be an absolute path'],
  [
    'a relative path in a list',
    'homes:\n  - /home/alice\n  - bob\n',
    '3:5: homes[1]: must be an absolute path',
  ],
  [
    'a home of another kind',
    'homes: everyone\n',
    '1:1: homes: must be auto or a list of absolute paths, not text',
  ],
  [
    'a root outside the home',
    'sources: {amazon-q: {roots: [../bob]}}\n',
    "1:30: sources.amazon-q.roots[0]: must be a path, absolute or relative to the home, without '..' and without '~'",
  ],
  [
    'a label name',
    'labels: {"a b": x}\n',
    '1:10: labels.a b: this name is not allowed; it must be a name of letters, digits, _, . and -, beginning with a letter (at most 64)',
  ],
  [
    'a number as label',
    'labels:\n  site: 7\n',
    '2:3: labels.site: must be text of at most 256 characters, not a number (put it in quotes)',
  ],
  [
    'two keys at odds',
    'capture:\n  sweep_seconds: 90\n  full_sweep_seconds: 60\n',
    '3:3: capture.full_sweep_seconds: full_sweep_seconds (60) must not be less than sweep_seconds (90)',
  ],
  [
    'a key at odds with a default',
    '\ncapture: {sweep_seconds: 900}\n',
    '2:11: capture.sweep_seconds: full_sweep_seconds (120) must not be less than sweep_seconds (900)',
  ],
  [
    'a document larger than memory',
    'capture: {memory_mb: 100}\n',
    '1:11: capture.memory_mb: max_document_bytes (268435456) must fit into memory_mb (100 MiB)',
  ],
  [
    'homes twice',
    'homes: [/a]\nhomes_root: /b\n',
    '2:1: homes_root: cannot be set together with a list of homes; keep one of them',
  ],
  ['an unknown key', 'colour: red\n', '1:1: colour: unknown key'],
  [
    'a slip in a key',
    'capture:\n  sweep_second: 9\n',
    '2:3: capture.sweep_second: unknown key; did you mean sweep_seconds?',
  ],
  [
    'a key in camelCase',
    'capture: {sweepSeconds: 9}\n',
    '1:11: capture.sweepSeconds: unknown key; did you mean sweep_seconds?',
  ],
  [
    'a key in the wrong section',
    'store:\n  memory_mb: 9\n',
    '2:3: store.memory_mb: unknown key here; did you mean capture.memory_mb?',
  ],
  ['an unknown agent', 'sources: {gemini: {}}\n', '1:11: sources.gemini: unknown key'],
  [
    'a slip in an agent',
    'sources: {gemini_cli: {}}\n',
    '1:11: sources.gemini_cli: unknown key; did you mean gemini-cli?',
  ],
  ['a merge key', 'a: &a {}\n<<: *a\n', '1:1: a: unknown key'],
  ['a key twice', 'homes: auto\nhomes: auto\n', '2:1: this key was already given in the same map'],
  [
    'one key in two spellings',
    'labels: {1: a, "1": b}\n',
    '1:16: this key was already given in the same map',
  ],
  [
    'indentation',
    'capture:\n  poll_ms: 500\n watch: poll\n',
    '3:1: All mapping items must start at the same column',
  ],
  ['a tab', 'capture:\n\tpoll_ms: 500\n', '2:1: a tab cannot indent; use spaces'],
  [
    'two documents',
    'homes: auto\n---\nhomes: auto\n',
    "2:1: a second document starts here; use one document a file (remove '---')",
  ],
  ['a list as file', '\n- homes\n', '2:1: the file must be a map of keys'],
  ['text as file', 'homes\n', '1:1: the file must be a map of keys'],
  ['a tag', 'homes: !env HOMES\n', '1:8: tags (!name) are not supported'],
  ['a binary value', 'state_dir: !!binary aGk=\n', '1:21: this kind of value is not supported'],
  ['an alias without anchor', 'homes: *all\n', '1:8: this alias has no anchor (&name) before it'],
  ['a key that is a list', '? [a]\n: 1\n', '1:3: a key must be text'],
  ['an attack on prototypes', 'labels:\n  __proto__: x\n', '2:3: this key is not allowed'],
];

describe('config problems', () => {
  for (const [what, text, expected] of TABLE) {
    it(`places ${what}`, () => {
      assert.equal(problems(text)[0], `config.yaml:${expected}`);
    });
  }

  it('counts columns in characters, also behind a byte order mark and with CRLF', () => {
    assert.deepEqual(
      problems('\ufeff# ü\r\nlabels: {"ü": x, ä: y}\r\n').map((line) => line.split(': ')[0]),
      ['config.yaml:2:10', 'config.yaml:2:18'],
    );
  });

  describe('secrets', () => {
    for (const name of ['token', 'password', 'secret', 'api_key', 'Authorization', 'auth_token']) {
      it(`refuses ${name} in plain, says where it belongs, and never repeats it`, () => {
        const [line = ''] = problems(
          `sinks:\n  - type: http\n    url: https://c.example.com\n    ${name}: hunter2hunter2\n`,
        );

        assert.match(
          line,
          new RegExp(`^config\\.yaml:4:5: sinks\\[0\\]\\.${name}: secrets are not written into`),
        );
        assert.match(line, /token_file.*token_env/);
        assert.doesNotMatch(line, /hunter2/);
      });
    }

    it('repeats no value of any key in any message', () => {
      const lines = problems(
        'homes: hunter2\nstate_dir: hunter2\nlabels: hunter2\ncapture: {watch: hunter2, sweep_seconds: hunter2}\nsinks: [{type: hunter2}, {type: http, url: "http://hunter2", token_env: hunter2}]\n',
      );
      const syntax = problems('capture: "x" hunter2\n- hunter2: "hunter2\n');

      assert.equal(lines.length, 8);
      assert.ok(syntax.length > 0);
      assert.doesNotMatch([...lines, ...syntax].join('\n'), /hunter2/);
    });
  });

  describe('hostile files', () => {
    it('stops at an alias bomb', () => {
      const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]'];
      for (let i = 1; i < 12; i++)
        bomb.push(
          `${'abcdefghijkl'[i]}: &${'abcdefghijkl'[i]} [${`*${'abcdefghijkl'[i - 1]}, `.repeat(10)}]`,
        );

      const found = problems(bomb.join('\n'));

      assert.match(
        found[0] ?? '',
        /^config\.yaml:\d+:\d+: (uses more than 100 aliases|holds more than 20000 values)/,
      );
    });

    it('takes a few aliases for what they stand for', () => {
      const { config } = load(
        'sinks:\n  - {type: file, id: a, path: /a, batch: &b {max_rows: 9}}\n  - {type: file, id: b, path: /b, batch: *b}\n',
      );

      assert.deepEqual(
        config.sinks.map(({ batch }) => batch.maxRows),
        [9, 9],
      );
    });

    it('stops at an alias that holds itself', () => {
      assert.match(problems('labels: &a {x: *a}\n')[0] ?? '', /nested too deeply|more than/);
    });

    for (const [what, text] of [
      ['brackets', '['.repeat(100_000)],
      ['braces', `a: ${'{b: '.repeat(60)}`],
      ['blocks', Array.from({ length: 60 }, (_, i) => `${' '.repeat(i)}a:\n`).join('')],
    ] as const) {
      it(`stops at deeply nested ${what}`, () => {
        const found = problems(text);

        assert.ok(found.length > 0 && found.length <= 11);
        assert.match(found[0] ?? '', /^config\.yaml:\d+:\d+: /);
      });
    }

    it('refuses a file above its bound', () => {
      const found = problems({ bytes: Buffer.alloc(MAX_CONFIG_BYTES + 1, '#') });

      assert.deepEqual(found, ['config.yaml:1:1: is larger than 1048576 bytes']);
    });

    it('places the first byte that is not UTF-8, also behind a replacement mark written on purpose', () => {
      const bytes = Buffer.concat([
        Buffer.from('labels:\n  a: "\uFFFDx'),
        Buffer.from([0xff]),
        Buffer.from('"\n'),
      ]);

      assert.deepEqual(problems(bytes), ['config.yaml:2:9: is not valid UTF-8 here']);
    });

    it('names UTF-16, as some editors on Windows write it', () => {
      const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('homes: auto\n', 'utf16le')]);

      assert.deepEqual(problems(bytes), ['config.yaml:1:1: is UTF-16; save it as UTF-8']);
    });

    it('says why a file cannot be read', () => {
      const denied = Object.assign(new Error('denied'), { code: 'EACCES' });

      assert.equal(errnoOf(denied), 'EACCES');
      assert.deepEqual(problems(denied), ['config.yaml:1:1: cannot be read: EACCES']);
    });
  });

  it('answers any bytes with problems or a configuration, never with another error', () => {
    const pieces = fc.constantFrom(
      'a',
      ':',
      ' ',
      '\n',
      '-',
      '{',
      '}',
      '[',
      ']',
      '&a',
      '*a',
      '!',
      '"',
      '|',
      '#',
      '<<',
      '?',
      '\t',
      'sinks',
      'type',
      'file',
      'http',
      'labels',
      '1',
      'null',
      '__proto__',
      '%',
      '---',
    );
    const text = fc.array(pieces, { maxLength: 60 }).map((list) => Buffer.from(list.join('')));
    const anything = fc.uint8Array({ maxLength: 80 });

    fc.assert(
      fc.property(fc.oneof(text, anything), (bytes) => {
        assert.ok(Array.isArray(problems(bytes)));
      }),
      { numRuns: 2000 },
    );
  });

  it('answers any value of the right shape with problems or a configuration', () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const shape = fc.record(
      {
        homes: value,
        labels: value,
        capture: value,
        sinks: fc.array(
          fc.record({
            type: fc.constantFrom('http', 'otlp', 'splunk_hec', 'elasticsearch', 'file'),
            url: value,
            id: value,
            batch: value,
            auth: value,
            auth_header: value,
            index: value,
          }),
        ),
      },
      { requiredKeys: [] },
    );

    fc.assert(
      fc.property(shape, (config) => {
        assert.ok(Array.isArray(problems(JSON.stringify(config))));
      }),
      { numRuns: 500 },
    );
  });

  describe('who may write it', () => {
    const trusted = { requirePrivate: true, owners: [0, 1000] };

    for (const [mode, uid, expected] of [
      [0o644, 0, []],
      [0o600, 1000, []],
      [0o664, 0, ['config.yaml:1:1: is writable by its group or by everyone (mode 0664); chmod go-w it']],
      [0o646, 0, ['config.yaml:1:1: is writable by its group or by everyone (mode 0646); chmod go-w it']],
      [
        0o600,
        1001,
        ['config.yaml:1:1: belongs to user id 1001, which must not decide for this service; chown it'],
      ],
    ] as const) {
      it(`is asked for mode ${mode.toString(8)} of user ${uid}`, () => {
        assert.deepEqual(problems({ mode, uid }, trusted), expected);
      });
    }

    it('matters for conf.d itself, and not at all unless asked for', () => {
      const open = memoryFiles({ 'a.yaml': '' }, { mode: 0o777, uid: 0 });

      assert.deepEqual(problems('', { files: open, ...trusted }), [
        'conf.d:1:1: is writable by its group or by everyone (mode 0777); chmod go-w it',
      ]);
      assert.deepEqual(problems('', { files: open }), []);
    });
  });
});
