import assert from 'node:assert/strict';
import { promptName, userName } from '../../../parsers/gemini-cli/claims.ts';
import { at, header, only, rowsOf, user } from './support.ts';

describe('parsers/gemini-cli/prompt-claims', () => {
  it('claims a prompt by its time and by its text', () => {
    const claims = claimsOf([user('m1', ' hello ')]);

    assert.ok(claims.includes(promptName(at('09:00:04'), 'hello')));
    assert.ok(claims.includes(userName('proj', 'hello')));
  });

  it('claims what was shown and what was sent, when they differ', () => {
    const parts = [
      { text: 'explain /abs/a.ts' },
      { text: '\n--- Content from referenced files ---' },
      { text: 'body' },
    ];
    const claims = claimsOf([user('m1', parts, { displayContent: [{ text: 'explain @a.ts' }] })]);

    assert.ok(claims.includes(promptName(at('09:00:05'), 'explain @a.ts')));
    assert.ok(claims.includes(userName('proj', 'explain @a.ts')));
    assert.ok(claims.includes(userName('proj', 'explain /abs/a.ts')));
  });

  it('claims each part of a prompt, since a saved history joins prompts part by part', () => {
    const claims = claimsOf([user('m1', [{ text: 'one' }, { text: 'two' }])]);

    for (const text of ['onetwo', 'one', 'two']) assert.ok(claims.includes(userName('proj', text)), text);
  });

  it('claims the bare command of shell mode, also when it was typed long before it ended', () => {
    const ran = (command: string) =>
      `I ran the following shell command:\n\`\`\`sh\n${command}\n\`\`\`\n\nThis produced the following result:\n\`\`\`\n\`\`\``;
    const claims = claimsOf([
      user('m1', 'before'),
      user('m2', ran('printf "a\\\\n"\nls'), { timestamp: at('09:04:00') }),
    ]);

    assert.ok(claims.includes(promptName(at('09:00:30'), 'printf "a\\n"\nls')));
    for (const text of ['printf "a\\n"\nls', 'printf "a\\n"', 'ls'])
      assert.ok(claims.includes(userName('proj', text)), text);
  });

  it('claims by text alone when the record has no time', () => {
    const claims = claimsOf([user('m1', 'hello', { timestamp: 'never' })]);

    assert.deepEqual(claims, [userName('proj', 'hello')]);
  });
});

function claimsOf(records: Parameters<typeof rowsOf>[0]): readonly string[] {
  return only(rowsOf([header(), ...records]), 'user').flatMap(({ claims }) => claims ?? []);
}
