import assert from 'node:assert/strict';
import { fakeContext } from '../support.ts';
import {
  assistant,
  call,
  eventRow,
  idOf,
  logSpec,
  OTHER_ID,
  PROJECT,
  parse,
  parseText,
  record,
  result,
  SESSION_ID,
  SESSION_PATH,
  said,
  user,
} from './support.ts';

describe('parsers/qwen-code/session', () => {
  it('gives each record its session, project, branch, time, version and line', () => {
    const { rows } = parse([user(1, 'hello')]);

    const [row] = rows.filter(({ turn_type }) => turn_type === 'user');
    assert.equal(row?.session_id, SESSION_ID);
    assert.equal(row.project_path, PROJECT);
    assert.equal(row.git_branch, 'main');
    assert.equal(row.timestamp_utc, '2026-10-01T09:00:01.000Z');
    assert.equal(row.timestamp_source, 'record');
    assert.deepEqual(row.attributes, { agent_version: '0.24.4' });
    assert.equal(row.source_line, 1);
  });

  it('takes the project from the record, never from the folder', () => {
    const { rows } = parse([user(1, 'hello', { cwd: '/srv/Other Place' })]);

    assert.ok(rows.every(({ project_path }) => project_path === '/srv/Other Place'));
  });

  it('begins with one row, at the time of the first record', () => {
    const { rows } = parse([user(1, 'one'), assistant(2, 'two'), user(3, 'three')]);

    const start = eventRow(rows, 'session.start');
    assert.equal(start.text, 'session start: main, 2026-10-01T09:00:01.000Z');
    assert.deepEqual(start.attributes, { agent_version: '0.24.4', kind: 'main' });
  });

  it('gives the same ids for the records that a fork copied, and says that it is one', () => {
    const original = [user(1, 'one'), assistant(2, [{ text: 'two' }, call('call_qwen_1')])];
    const copies = original.map((raw) => ({
      ...raw,
      sessionId: OTHER_ID,
      forkedFrom: { sessionId: SESSION_ID, messageUuid: raw['uuid'] },
    }));
    const first = parse(original).rows;

    const { rows } = parse([...copies, user(3, 'only here', { sessionId: OTHER_ID })]);

    const start = eventRow(rows, 'session.start');
    const inOriginal = first.filter(({ event }) => event !== 'session.start').map(idOf);
    assert.deepEqual(rows.slice(0, inOriginal.length).map(idOf), inOriginal);
    assert.ok(rows.slice(0, inOriginal.length).every((row) => row.session_id === SESSION_ID));
    assert.equal(start.session_id, OTHER_ID);
    assert.equal(start.attributes?.['forked_from'], SESSION_ID);
    assert.equal(start.attributes?.['copied_records'], 2);
  });

  it('keeps records of other sessions apart when their ids are no random ones', () => {
    const ids = [SESSION_ID, OTHER_ID].map((sessionId) =>
      parse([user(1, 'same', { uuid: 'u1', sessionId })]).rows.map(idOf),
    );

    assert.deepEqual(
      ids[0]?.filter((id) => ids[1]?.includes(id)),
      [],
    );
  });

  it('tells calls apart that bear one id in two records', () => {
    const { rows } = parse([
      assistant(1, [call('call_qwen_1')]),
      result(2, { output: 'a' }),
      assistant(3, [call('call_qwen_1')]),
      result(4, { output: 'a' }),
    ]);

    assert.equal(new Set(rows.map(idOf)).size, rows.length);
    assert.equal(rows.filter(({ turn_type }) => turn_type === 'tool_result').length, 2);
  });

  it('reads every record of a line that holds several', () => {
    const glued = [user(1, 'one'), user(2, 'a "}{" inside')].map((raw) => JSON.stringify(raw)).join('');

    const { rows } = parse([glued, user(3, 'three')]);

    assert.deepEqual(said(rows), ['user: one', 'user: a "}{" inside', 'user: three']);
  });

  it('reads a last line without line feed once, whole or not', () => {
    const spec = logSpec(SESSION_PATH);
    const parser = spec.open(fakeContext(SESSION_PATH));
    const texts: string[] = [];
    const whole = Buffer.from(JSON.stringify(user(1, 'one')));

    parser.unfinished(whole, 1, ({ text }) => void texts.push(text));
    parser.line(whole, 1, ({ text }) => void texts.push(text));
    parser.unfinished(Buffer.from('{"uuid":"x","ty'), 2, ({ text }) => void texts.push(text));

    assert.deepEqual(texts.slice(1), ['one', 'parser: unparseable line (cut off): {"uuid":"x","ty']);
  });

  it('gives a row for what cannot be read and goes on', () => {
    const { rows } = parse(['nonsense', '[1]', user(1, 'one')]);

    assert.deepEqual(said(rows), [
      'parser.error: parser: unparseable line (not valid JSON): nonsense',
      'parser.error: parser: unparseable line (not a JSON object): [1]',
      'user: one',
    ]);
    assert.ok(rows.every(({ session_id }) => session_id === SESSION_ID));
  });

  it('counts records of unknown kind and gives no row', () => {
    const { rows, context } = parse([record(1, 'telegram'), record(2, 'system', { subtype: 'hologram' })]);

    assert.deepEqual(said(rows), []);
    assert.equal(context.notes.get('unknown_record'), 2);
  });

  it('says nothing of a call that nests deeper than can be written', () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const line = JSON.stringify(assistant(1, [call('c', 'edit', 'DEEP')])).replace('"DEEP"', deep);

    const { rows } = parse([line, user(2, 'after')]);

    assert.match(eventRow(rows, 'parser.error').text, /nested too deeply/);
    assert.deepEqual(said(rows).at(-1), 'user: after');
  });

  it('works without any field that could be missing', () => {
    const { rows } = parseText('{"type":"user","message":{"parts":[{"text":"bare"}]}}\n');

    const [row] = rows.filter(({ turn_type }) => turn_type === 'user');
    assert.equal(row?.session_id, SESSION_ID);
    assert.equal(row.project_path, null);
    assert.equal(row.timestamp_source, 'none');
  });
});
