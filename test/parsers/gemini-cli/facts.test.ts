import assert from 'node:assert/strict';
import { geminiCli } from '../../../parsers/gemini-cli/index.ts';
import { draftId } from '../support.ts';
import { at, call, gemini, header, notice, one, only, rowsOf, said, set, user } from './support.ts';

describe('parsers/gemini-cli/facts', () => {
  it('starts a session with the facts of its header', () => {
    const rows = rowsOf([header({ kind: 'subagent', directories: ['/home/alice/proj', '/home/alice/lib'] })]);

    const row = one(rows, 'session.start');
    assert.equal(row.text, `session start: subagent, ${at('09:00:00')}`);
    assert.deepEqual(row.attributes, {
      kind: 'subagent',
      project_hash: header()['projectHash'],
      directories: '/home/alice/proj\n/home/alice/lib',
    });
  });

  it('says each start once', () => {
    const rows = rowsOf([header(), header(), header({ startTime: at('09:30:00') })]);

    assert.equal(only(rows, 'session.start').length, 2);
  });

  it('tells that the session works in a worktree made for it, once', () => {
    for (const project of ['/srv/shop/.gemini/worktrees/try', 'C:\\shop\\.gemini\\worktrees\\try']) {
      const rows = rowsOf([header(), header({ startTime: at('09:30:00') })], {
        given: { project: () => project },
      });

      const row = one(rows, 'session.scratch_directory');
      assert.equal(row.text, `scratch directory: ${project}`);
      assert.equal(row.attributes?.['worktree'], 'try');
      assert.equal(row.timestamp_utc, at('09:00:00'));
    }
    const elsewhere = rowsOf([header()], { given: { project: () => '/srv/shop/.gemini/worktrees' } });
    assert.deepEqual(only(elsewhere, 'session.scratch_directory'), []);
  });

  it('reads messages and a summary that stand in the header itself', () => {
    const rows = rowsOf([header({ messages: [user('u1', 'hi')], summary: 'One greeting.' })]);

    assert.deepEqual(said(rows), ['session.summary: One greeting.', 'user: hi']);
    assert.equal(one(rows, 'session.summary').timestamp_source, 'record');
  });

  it('goes on under another session id when a record says so', () => {
    const rows = rowsOf([
      header(),
      set({ sessionId: 'ffff0000-1111-4000-8000-000000000001' }),
      user('u1', 'hi'),
    ]);

    const row = one(rows, 'user');
    assert.deepEqual([row.session_id, row.sessionKey], ['ffff0000-1111-4000-8000-000000000001', 'ffff0000']);
  });

  it('gives directories at the time of the record before', () => {
    const rows = rowsOf([
      header(),
      user('u1', 'hi'),
      set({ directories: ['/a', 5, '/b'] }),
      set({ directories: ['/a', '/b'] }),
    ]);

    const row = one(rows, 'session.directories');
    assert.equal(row.text, 'session directories: /a, /b');
    assert.deepEqual(row.attributes, { directories: '/a\n/b', count: 2 });
    assert.deepEqual([row.timestamp_utc, row.timestamp_source], [at('09:00:05'), 'derived']);
  });

  it('gives what the program remembers of a session', () => {
    const memory = { version: 1, workflowSummary: 'shell: git' };

    const rows = rowsOf([header(), set({ memoryScratchpad: memory }), set({ memoryScratchpad: memory })]);

    assert.equal(
      one(rows, 'session.memory').text,
      'session memory: {"version":1,"workflowSummary":"shell: git"}',
    );
  });

  it('tells a choice of model from other notices', () => {
    const rows = rowsOf([
      header(),
      notice('i1', 'info', 'Model set to gemini-3-pro (persisted)'),
      notice('i2', 'warning', [{ text: 'Careful.' }]),
      notice('i3', 'error', '[API Error: quota]'),
      notice('i3', 'error', '[API Error: quota]'),
    ]);

    assert.deepEqual(said(rows), [
      'message.info: Model set to gemini-3-pro (persisted)',
      'message.warning: Careful.',
      'message.error: [API Error: quota]',
    ]);
    assert.deepEqual(one(rows, 'message.info').attributes, { chosen_model: 'gemini-3-pro', persisted: true });
  });

  it('leaves a time that is none empty', () => {
    const rows = rowsOf([header(), user('u1', 'hi', { timestamp: '2026-02-30T09:00:00Z' })]);

    const row = one(rows, 'user');
    assert.deepEqual([row.timestamp_utc, row.timestamp_source], [null, 'none']);
  });

  it('builds ids on the first eight characters of the session id and never on the file', () => {
    const records = [header(), user('u1', 'hi'), gemini('g1', 'Hello.', { toolCalls: [call('c1', 'glob')] })];

    const here = rowsOf(records);
    const there = rowsOf(records, {
      path: 'tmp/other/chats/session-2026-10-01T10-00-c0de0001.jsonl.unreadable-1790845200000',
    });

    assert.deepEqual(
      here.map((row) => draftId(geminiCli, row)),
      there.map((row) => draftId(geminiCli, row)),
    );
  });
});
