import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import type { DraftRow } from '../../../agent/contract/row.ts';
import type { DocumentResult } from '../../../agent/contract/source.ts';
import { projectOf } from '../../../parsers/qwen-code/history-place.ts';
import { fakeContext } from '../support.ts';
import { documentSpec, idOf, type Json, PROJECT, parse, SESSION_ID, system, user } from './support.ts';

const FOLDER = hash('sha256', PROJECT, 'hex');
const LOGS = `tmp/${FOLDER}/logs.json`;
const SHELL = `tmp/${FOLDER}/shell_history`;

function read(path: string, text: string, settled = true): { result: DocumentResult; rows: DraftRow[] } {
  const rows: DraftRow[] = [];
  const context = fakeContext(path, { project: () => PROJECT });
  const result = documentSpec(path).parse(
    { bytes: Buffer.from(text), settled },
    context,
    (row) => void rows.push(row),
  );
  return { result, rows };
}

function entry(messageId: number, message: string, more: Json = {}): Json {
  return {
    sessionId: SESSION_ID,
    messageId,
    type: 'user',
    message,
    timestamp: '2026-10-01T09:00:01.000Z',
    ...more,
  };
}

function logs(...entries: Json[]): DraftRow[] {
  return read(LOGS, JSON.stringify(entries, null, 2)).rows;
}

describe('parsers/qwen-code/prompt-history', () => {
  it('takes a prompt for a copy of what the session holds', () => {
    const [copy] = logs(entry(0, ' hello '));

    const [row] = parse([user(1, 'hello')]).rows.filter(({ turn_type }) => turn_type === 'user');

    assert.ok(copy?.copyOf);
    assert.ok(row?.claims?.includes(copy.copyOf));
    assert.equal(copy.project_path, PROJECT);
    assert.equal(copy.session_id, SESSION_ID);
  });

  it('takes a slash command for a copy, unless sessions never hold it', () => {
    const [help, clear] = logs(entry(0, '/help'), entry(1, '/clear'));

    const [row] = parse([
      system(1, 'slash_command', { phase: 'invocation', rawCommand: '/help' }),
    ]).rows.slice(-1);

    assert.ok(help?.copyOf && row?.claims?.includes(help.copyOf));
    assert.equal(clear?.copyOf, undefined);
    assert.equal(clear?.event, 'session.cleared');
  });

  it('takes the path of a file for a prompt', () => {
    assert.equal(logs(entry(0, '/home/alice/a.md is wrong'))[0]?.turn_type, 'user');
  });

  it('tells the same words apart that were typed twice', () => {
    const rows = logs(entry(0, 'again'), entry(1, 'again'));

    assert.equal(new Set(rows.map(idOf)).size, 2);
  });

  it('waits while the list is being written, and then gives what is there', () => {
    const text = JSON.stringify([entry(0, 'whole'), entry(1, 'cut')]);
    const cut = text.slice(0, -30);

    assert.deepEqual(read(LOGS, cut, false), { result: 'torn', rows: [] });
    const { rows } = read(LOGS, cut);
    assert.deepEqual(
      rows.map(({ text }) => text.slice(0, 40)),
      ['whole', 'parser: array cut off after record 1: {"'],
    );
  });

  it('says what is no prompt and what is no history', () => {
    const bad = [7, entry(0, '')].map((value) => JSON.stringify(value)).join(',');

    assert.deepEqual(
      read(LOGS, `[${bad}]`).rows.map(({ text }) => text.slice(0, 42)),
      ['parser: unparseable record 1 (no message):', 'parser: unparseable record 2 (no message):'],
    );
    assert.match(read(LOGS, '{}').rows[0]?.text ?? '', /^parser: not a prompt history \(not a list\)/);
    assert.match(read(LOGS, '[] []').rows[0]?.text ?? '', /^parser: prompt history damaged/);
  });
});

describe('parsers/qwen-code/shell-history', () => {
  it('reads the list of commands', () => {
    const { rows } = read(SHELL, JSON.stringify(['ls', 'echo a\necho b', ' ']));

    assert.deepEqual(
      rows.map(({ text }) => text),
      ['ls', 'echo a\necho b'],
    );
    assert.deepEqual(rows[0]?.attributes, { input: 'shell' });
  });

  it('is a copy of what the prompt history holds', () => {
    const [copy] = read(SHELL, '["ls -la"]').rows;
    const [better] = logs(entry(0, 'ls -la'));

    assert.equal(better?.claims?.[0], copy?.copyOf);
  });

  it('reads the form of older releases, with commands that go on in the next line', () => {
    const { rows } = read(SHELL, 'make\r\n\necho one \\\n two\nend\\');

    assert.deepEqual(
      rows.map(({ text, source_line }) => [text, source_line]),
      [
        ['make', 1],
        ['echo one   two', 3],
        ['end\\', 5],
      ],
    );
  });

  it('waits until the file is quiet, since a cut list looks like the older form', () => {
    assert.deepEqual(read(SHELL, '["ls"', false), { result: 'torn', rows: [] });
  });
});

describe('parsers/qwen-code/history-place', () => {
  const files: Readonly<Record<string, string>> = {
    'usage_record.jsonl': `{"project":"/home/alice/used"}\n{"project":"${PROJECT}"}\n{"cut`,
    'trustedFolders.json': '{ /* mine */ "/home/alice/trusted": "TRUST_FOLDER", }',
    'projects/-home-alice-run/chats/a.runtime.json': '{"work_dir":"/home/alice/run"}',
  };
  const small = {
    text: (path: string) => files[path],
    list: (path: string) =>
      path === 'projects'
        ? ['-home-alice-run']
        : path.endsWith('-run/chats')
          ? ['a.jsonl', 'a.runtime.json']
          : [],
  };
  const find = (project: string) =>
    projectOf({ path: `tmp/${hash('sha256', project, 'hex')}/logs.json`, recorded: undefined }, small);

  it('finds the project behind a hash wherever the store names it', () => {
    for (const project of [PROJECT, '/home/alice/used', '/home/alice/trusted', '/home/alice/run'])
      assert.equal(find(project), project);
  });

  it('finds none that the store does not name, and asks for none elsewhere', () => {
    assert.equal(find('/home/alice/nowhere'), undefined);
    assert.equal(projectOf({ path: 'projects/x/chats/a.jsonl', recorded: undefined }, small), undefined);
  });
});
