import assert from 'node:assert/strict';
import {
  folderOf,
  promptName,
  promptNames,
  shellPromptNames,
  userName,
} from '../../../parsers/gemini-cli/claims.ts';

describe('parsers/gemini-cli/claims', () => {
  it('names a prompt so that the record which follows within twenty seconds claims it', () => {
    for (const typed of ['09:00:00.000', '09:00:09.999', '09:00:05.123']) {
      const name = promptName(`2026-10-01T${typed}Z`, 'hi');

      for (const later of [0, 31, 9_999, 20_000]) {
        const utc = new Date(Date.parse(`2026-10-01T${typed}Z`) + later).toISOString();
        assert.ok(promptNames(utc, 'hi').includes(name), `${typed} + ${later} ms`);
      }
    }
  });

  it('does not claim a prompt that was typed afterwards, or long before', () => {
    const claimed = promptNames('2026-10-01T09:00:05.000Z', 'hi');

    assert.ok(!claimed.includes(promptName('2026-10-01T09:00:10.000Z', 'hi')));
    assert.ok(!claimed.includes(promptName('2026-10-01T08:59:39.999Z', 'hi')));
    assert.ok(!claimed.includes(promptName('2026-10-01T09:00:05.000Z', 'ho')));
  });

  it('claims a shell command from the record before it up to its end', () => {
    const claimed = shellPromptNames('2026-10-01T09:05:00.000Z', '2026-10-01T09:00:00.000Z', 'sleep 200');

    assert.ok(claimed.includes(promptName('2026-10-01T09:01:40.000Z', 'sleep 200')));
    assert.ok(!claimed.includes(promptName('2026-10-01T08:59:00.000Z', 'sleep 200')));
  });

  it('claims no more than an hour before the end of a shell command', () => {
    const claimed = shellPromptNames('2026-10-01T09:00:00.000Z', undefined, 'x');

    assert.equal(claimed.length, 361);
  });

  it('claims a shell command whose record has an earlier time than the one before', () => {
    const utc = '2026-10-01T09:00:00.000Z';

    assert.ok(shellPromptNames(utc, '2026-10-01T10:00:00.000Z', 'x').includes(promptName(utc, 'x')));
  });

  it('keeps the same words in two projects apart', () => {
    const names = ['tmp/a/logs.json', 'tmp/b/chats/x.jsonl'].map((path) => userName(folderOf(path), 'yes'));

    assert.notEqual(names[0], names[1]);
  });
});
