import assert from 'node:assert/strict';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../../../agent/contract/row.ts';
import { ROW_FIELDS } from '../../../agent/contract/row-fields.ts';
import { SessionWriter } from '../../chaos/writer.ts';
import { runCommand } from '../../support/run-command.ts';
import { tempDir } from '../../support/temp.ts';

describe('agent/cli/scan', function () {
  this.timeout(40_000);

  it('prints every row as a line of JSON, numbered, keeps nothing, and ends with 0', async () => {
    const { home, truth } = homeWithSession();
    const stateDir = join(tempDir(), 'state');

    const { code, stdout, stderr } = await runCommand(
      '--state-dir',
      stateDir,
      'scan',
      '--home',
      home,
      '-f',
      'jsonl',
    );

    const rows = rowsOf(stdout);
    assert.equal(code, 0, stderr);
    assert.deepEqual(conversation(rows), truth);
    assert.deepEqual(
      rows.map(({ seq }) => seq),
      rows.map((_, index) => index + 1),
    );
    assert.ok(rows.every(({ backfill }) => backfill));
    assert.equal(existsSync(stateDir), false);
    assert.match(stderr, new RegExp(`^${rows.length} rows from \\d+ files? in 1 homes?`, 'm'));
  });

  it('prints rows for people and for spreadsheets', async () => {
    const { home, truth } = homeWithSession();

    const [text, csv] = await Promise.all([
      runCommand('scan', '--home', home),
      runCommand('scan', '--home', home, '--format', 'csv'),
    ]);

    assert.deepEqual([text.code, csv.code], [0, 0]);
    for (const said of truth) assert.ok(text.stdout.includes(said) && csv.stdout.includes(said), said);
    assert.equal(csv.stdout.split('\n')[0], Object.keys(ROW_FIELDS).join(','));
    assert.doesNotMatch(text.stdout, /\x1b/);
  });

  it('leaves the home it reads as it was, to the byte and to the nanosecond', async () => {
    const { home } = homeWithSession();
    const copy = join(tempDir(), 'copy');
    cpSync(home, copy, { recursive: true, preserveTimestamps: true });
    const before = snapshot(copy);

    const { code } = await runCommand('scan', '--home', copy, '-f', 'jsonl');

    assert.equal(code, 0);
    assert.ok(before.length > 5);
    assert.deepEqual(snapshot(copy), before);
  });

  it('writes to a file, and a summary beside it', async () => {
    const { home, truth } = homeWithSession();
    const file = join(tempDir(), 'rows.jsonl');

    const { code, stdout } = await runCommand('scan', '--home', home, '-f', 'jsonl', '-o', file, '--summary');

    assert.equal(code, 0);
    const rows = rowsOf(readFileSync(file, 'utf8'));
    const summary = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual(conversation(rows), truth);
    assert.deepEqual([summary['rows'], summary['homes'], summary['unreadable']], [rows.length, 1, []]);
  });

  it('reads the homes that are there when one is not, and ends with 3', async () => {
    const { home, truth } = homeWithSession();
    const none = join(tempDir(), 'none');

    const { code, stdout, stderr } = await runCommand('scan', '--home', home, none, home, '-f', 'jsonl');

    assert.equal(code, 3);
    assert.deepEqual(conversation(rowsOf(stdout)), truth);
    assert.match(stderr, /not read: .*none: ENOENT/);
  });

  it('tells a home without any store from one that is not there', async () => {
    const [empty, missing] = await Promise.all([
      runCommand('scan', '--home', tempDir(), '-f', 'jsonl'),
      runCommand('scan', '--home', join(tempDir(), 'none')),
    ]);

    assert.deepEqual([empty.code, empty.stdout], [0, '']);
    assert.equal(missing.code, 3);
    assert.match(missing.stderr, /none: ENOENT/);
  });

  it('ends with 3 when its output cannot be opened, or its disk is full', async () => {
    const { home } = homeWithSession();

    const [unopened, full] = await Promise.all([
      runCommand('scan', '--home', home, '-o', '/none/rows.csv'),
      runCommand('scan', '--home', home, '-f', 'jsonl', '-o', '/dev/full'),
    ]);

    assert.deepEqual([unopened.code, full.code], [3, 3]);
    assert.match(unopened.stderr, /cannot write to \/none\/rows\.csv/);
    assert.match(full.stderr, /cannot write to \/dev\/full: ENOSPC/);
  });

  it('shows no name of a file as anything but text', async () => {
    const { home } = homeWithSession();
    const name = 'session-\x1b]0;owned\x07\nnot read: fake-c0de0009';
    const dir = join(home, '.gemini/tmp/proj/chats');
    writeFileSync(join(dir, `${name}.jsonl`), '{"broken\n');

    const { stdout, stderr } = await runCommand('scan', '--home', home);

    assert.doesNotMatch(stdout + stderr, /[\x1b\x07]/);
    assert.doesNotMatch(stderr, /^not read: fake/m);
  });
});

function homeWithSession() {
  const home = tempDir();
  mkdirSync(join(home, '.gemini/empty'), { recursive: true });
  const writer = new SessionWriter(home);
  writer.begin();
  for (let n = 0; n < 3; n++) writer.turn();
  return { home, truth: writer.truth };
}

function rowsOf(text: string): Row[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
}

function conversation(rows: readonly Row[]): string[] {
  return rows.flatMap(({ turn_type, text }) =>
    turn_type === 'user' || turn_type === 'assistant' ? text : [],
  );
}

/** Every path with everything that reading it must not change; access times are the reader's own. */
function snapshot(dir: string): unknown[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const { mtimeNs, ctimeNs, mode, uid, ino, nlink, size } = lstatSync(path, { bigint: true });
      const text = lstatSync(path).isFile() ? readFileSync(path, 'latin1') : '';
      return { path, mtimeNs, ctimeNs, mode, uid, ino, nlink, size, text };
    });
}
