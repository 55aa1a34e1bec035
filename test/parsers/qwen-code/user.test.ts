import assert from 'node:assert/strict';
import { eventRow, parse, record, SESSION_ID, SUBAGENT_PATH, said, system, user } from './support.ts';

describe('parsers/qwen-code/user', () => {
  it('gives what was typed, without the files that it mentions', () => {
    const parts = ['read @a.md', '\n--- Content from referenced files ---', '\nContent from a.md:\n', 'body'];
    const raw = record(1, 'user', { message: { parts: parts.map((text) => ({ text })) } });

    assert.deepEqual(said(parse([raw]).rows), ['user: read @a.md']);
  });

  it('keeps what a hook added apart from what was typed', () => {
    const raw = record(1, 'user', {
      message: { parts: [{ text: 'hello' }, { text: '<user-prompt-submit-context>secret plan' }] },
      systemPayload: { displayText: 'hello', hookContext: 'secret plan' },
    });

    assert.deepEqual(said(parse([raw]).rows), ['user: hello', 'session.hook_context: secret plan']);
  });

  it('shows attachments by type and size', () => {
    const raw = record(1, 'user', {
      message: { parts: [{ text: 'see ' }, { inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } }] },
    });

    assert.deepEqual(said(parse([raw]).rows), ['user: see [image/png, 5 bytes]']);
  });

  for (const [subtype, provenance] of [
    ['notification', 'system'],
    ['cron', 'system'],
    ['goal_runtime', 'goal_runtime'],
    [undefined, 'system'],
  ] as const) {
    it(`takes ${subtype ?? 'what comes from the system'} for no prompt of a person`, () => {
      const raw = user(1, 'do it', {
        ...(subtype && { subtype }),
        provenance,
        systemPayload: { displayText: 'Do' },
      });

      const { rows } = parse([raw]);

      const row = eventRow(rows, 'prompt.automatic');
      assert.equal(row.text, 'do it');
      assert.equal(row.attributes?.['kind'], subtype ?? 'system');
      assert.equal(row.attributes['provenance'], provenance);
      assert.equal(row.attributes['display'], 'Do');
      assert.equal(rows.filter(({ turn_type }) => turn_type === 'user').length, 0);
    });
  }

  it('gives words that came while the model worked, or were spoken, as a prompt', () => {
    const { rows } = parse([
      user(1, 'wait', { subtype: 'mid_turn_user_message', systemPayload: { displayText: 'wait' } }),
      user(2, 'hello', { subtype: 'realtime_message' }),
    ]);

    const inputs = rows
      .filter(({ turn_type }) => turn_type === 'user')
      .map((row) => row.attributes?.['input']);
    assert.deepEqual(inputs, ['mid_turn', 'voice']);
  });

  it('marks what a subagent was told by the session that started it', () => {
    const { rows } = parse(
      [user(1, 'look around', { agentId: 'explore-call_qwen_1', agentName: 'explore' })],
      SUBAGENT_PATH,
    );

    const [row] = rows.filter(({ turn_type }) => turn_type === 'user');
    assert.deepEqual(row?.attributes, {
      agent_version: '0.24.4',
      agent_id: 'explore-call_qwen_1',
      agent_name: 'explore',
      provenance: 'agent',
    });
    assert.equal(row.session_id, SESSION_ID);
  });

  it('gives a prompt that was never sent because its files could not be read', () => {
    const { rows } = parse([
      system(1, 'at_command', { filesRead: [], status: 'error', message: 'not found', userText: 'read @x' }),
      system(2, 'at_command', {
        filesRead: ['a.md', 'b.md'],
        status: 'success',
        userText: 'read @a.md @b.md',
      }),
    ]);

    assert.deepEqual(said(rows), [
      'user: read @x',
      'prompt.files: prompt files: none: not found',
      'prompt.files: prompt files: a.md, b.md',
    ]);
    assert.equal(rows.find(({ turn_type }) => turn_type === 'user')?.attributes?.['is_sent'], false);
  });
});
