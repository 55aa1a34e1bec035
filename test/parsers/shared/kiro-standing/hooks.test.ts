import assert from 'node:assert/strict';
import { readHooks } from '../../../../parsers/shared/kiro-standing/hooks.ts';
import { entriesOf } from './support.ts';

describe('parsers/shared/kiro-standing/hooks', () => {
  it('reads a hook in the older form', () => {
    const [hook, ...others] = entriesOf(
      readHooks,
      'hooks/lint.kiro.hook',
      `{"enabled":false,"name":"Lint","when":{"type":"fileEdited","patterns":["a","b"]},
        "then":{"type":"runCommand","command":"npm run lint"}}`,
    );

    assert.deepEqual(others, []);
    assert.equal(hook?.subject, 'hooks.fileEdited=a,b:runCommand npm run lint (disabled)');
    assert.deepEqual(hook?.attributes, {
      kind: 'hook',
      hook: 'Lint',
      hook_event: 'fileEdited',
      matcher: 'a,b',
      hook_type: 'runCommand',
      enabled: false,
    });
  });

  it('reads hooks in the newer form', () => {
    const found = entriesOf(readHooks, 'hooks/guard.json', {
      version: 'v1',
      hooks: [
        {
          name: 'guard',
          trigger: 'PreToolUse',
          matcher: 'bash',
          action: { type: 'command', command: './g.sh' },
        },
        { name: 'nothing' },
        null,
      ],
    });

    assert.deepEqual(
      found.map(({ subject }) => subject),
      ['hooks.PreToolUse=bash:command ./g.sh (enabled)'],
    );
  });

  it('has another value when the command of a hook is another one', () => {
    const value = (command: string) =>
      entriesOf(
        readHooks,
        'hooks/a.kiro.hook',
        `{"when":{},"then":{"type":"runCommand","command":"${command}"}}`,
      )[0];

    assert.equal(value('a')?.key, value('b')?.key);
    assert.notEqual(value('a')?.value, value('b')?.value);
  });
});
