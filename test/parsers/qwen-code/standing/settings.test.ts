import assert from 'node:assert/strict';
import type { StandingEntry } from '../../../../agent/contract/source.ts';
import { fakeContext } from '../../support.ts';
import { standingSpec } from '../support.ts';

function entries(settings: unknown): readonly StandingEntry[] {
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings);
  const result = standingSpec('settings.json').read(
    { bytes: Buffer.from(text), settled: true },
    fakeContext('settings.json'),
  );
  assert.equal(result.kind, 'entries');
  return result.kind === 'entries' ? result.entries : [];
}

function subjects(settings: unknown): string[] {
  return entries(settings).map(({ label, subject }) => `${label}: ${subject}`);
}

describe('parsers/qwen-code/standing/settings', () => {
  it('tells each permission rule, with its tool and its pattern', () => {
    const [rule] = entries({ permissions: { deny: ['Bash(git push *)'] } });

    assert.equal(rule?.subject, 'permissions.deny=Bash(git push *)');
    assert.deepEqual(rule.attributes, {
      kind: 'setting',
      setting: 'permissions.deny',
      scope: 'home',
      tool: 'Bash',
      decision: 'deny',
      pattern: 'git push *',
    });
  });

  it('marks what lets everything run', () => {
    const marked = (settings: unknown) =>
      entries(settings)
        .filter(({ attributes }) => attributes?.['trust_all'])
        .map(({ subject }) => subject);

    assert.deepEqual(marked({ tools: { approvalMode: 'YOLO' } }), ['tools.approvalMode=YOLO']);
    assert.deepEqual(marked({ tools: { approvalMode: 'auto' } }), []);
    assert.deepEqual(marked({ permissions: { allow: ['Bash', 'ShellTool(*)', 'Bash(ls *)', 'Edit'] } }), [
      'permissions.allow=Bash',
      'permissions.allow=ShellTool(*)',
    ]);
    assert.deepEqual(marked({ permissions: { deny: ['Bash'] } }), []);
  });

  it('gives the same entries in any order, and one for a rule that stands twice', () => {
    const one = entries({ permissions: { allow: ['A', 'B', 'A'] } }).map(
      ({ key, value }) => `${key} ${value}`,
    );
    const other = entries({ permissions: { allow: ['B', 'A'] } }).map(({ key, value }) => `${key} ${value}`);

    assert.deepEqual(one.toSorted(), other.toSorted());
  });

  it('tells how long things are kept, where, and that nothing is recorded', () => {
    assert.deepEqual(
      subjects({
        general: { cleanupPeriodDays: 0, chatRecording: false },
        advanced: { runtimeOutputDir: '~/elsewhere' },
      }),
      [
        'session retention: general.cleanupPeriodDays=0',
        'session retention: general.chatRecording=false',
        'store location: advanced.runtimeOutputDir=~/elsewhere',
      ],
    );
  });

  it('tells hooks by event, matcher and target', () => {
    const hooks = {
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'audit' }, {}] }],
      Stop: 7,
    };

    assert.deepEqual(subjects({ hooks }), ['permission setting: hooks.PreToolUse=Bash:audit']);
  });

  it('never tells a secret', () => {
    const told = JSON.stringify(
      entries({
        env: { KEY: 'secret' },
        security: { auth: { apiKey: 'secret', baseUrl: 'https://secret' } },
        modelProviders: { openai: [{ apiKey: 'secret' }] },
        telemetry: { otlpEndpoint: 'https://secret:secret@host/v1?key=secret#secret' },
        hooks: {
          Stop: [
            { hooks: [{ type: 'http', url: 'https://secret@host/x?secret', headers: { a: 'secret' } }] },
          ],
        },
        mcpServers: {
          a: { command: '/bin/secret-dir/tool secret', args: ['secret'], env: { TOKEN: 'secret' } },
          b: { httpUrl: 'https://secret@host/secret?secret', headers: { Authorization: 'secret' } },
        },
      }),
    );

    assert.doesNotMatch(told, /secret/);
    assert.match(told, /transport=stdio command=tool trust=false env=\[TOKEN\]/);
    assert.match(told, /transport=http host=host trust=false headers=\[Authorization\]/);
  });

  it('reads comments, trailing commas and a byte order mark', () => {
    assert.deepEqual(subjects('\ufeff{ // mine\n "model": { "name": "plus", }, /* end */ }'), [
      'model setting: model.name=plus',
    ]);
  });

  it('survives values of any kind', () => {
    assert.deepEqual(
      subjects({ permissions: 7, tools: [], hooks: null, mcpServers: 'x', general: { a: 1 } }),
      [],
    );
    assert.deepEqual(subjects({ permissions: { allow: 'Bash(ls)' } }), [
      'permission setting: permissions.allow=Bash(ls)',
    ]);
    assert.deepEqual(subjects('{"__proto__":{"model":{"name":"x"}},"model":{"__proto__":{"name":"y"}}}'), []);
  });
});
