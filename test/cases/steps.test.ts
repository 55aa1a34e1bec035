import assert from 'node:assert/strict';
import { existsSync, lstatSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { tempDir } from '../support/temp.ts';
import type { Step } from './case-form.ts';
import { lockDatabase, runSql, runSqlLoop } from './database-steps.ts';
import { applyFileStep, isFileStep, writeOnInode } from './file-steps.ts';
import type { Place } from './place.ts';
import { play } from './play.ts';

describe('test/cases/file-steps', () => {
  const steps: readonly [step: Step, text: string][] = [
    [{ op: 'append', path: 'a', from: 'in' }, 'old+new'],
    [{ op: 'write', path: 'a', from: 'in' }, '+new'],
    [{ op: 'replace', path: 'a', from: 'in' }, '+new'],
    [{ op: 'truncate', path: 'a', size: 2 }, 'ol'],
    [{ op: 'touch', path: 'a' }, 'old'],
    [{ op: 'generate', path: 'a', recipe: [{ from: 'in' }, { repeat: 'ab', times: 3 }] }, '+newababab'],
  ];

  for (const [step, text] of steps) {
    it(`does ${step.op}`, () => {
      const place = makePlace({ a: 'old' }, { in: '+new' });

      const paths = apply(step, place);

      assert.ok(paths.includes('a'));
      assert.equal(readFileSync(join(place.home, 'a'), 'utf8'), text);
    });
  }

  it('writes in place, and replaces by another file', () => {
    const place = makePlace({ a: 'old' }, { in: 'new' });
    const inode = () => statSync(join(place.home, 'a')).ino;
    const before = inode();

    apply({ op: 'write', path: 'a', from: 'in' }, place);
    const written = inode();
    apply({ op: 'replace', path: 'a', from: 'in' }, place);

    assert.equal(written, before);
    assert.notEqual(inode(), before);
  });

  it('keeps the old time of a replaced file when asked to', () => {
    const place = makePlace({ a: 'old' }, { in: 'new' });
    utimesSync(join(place.home, 'a'), 1000, 2000);

    apply({ op: 'replace', path: 'a', from: 'in', keep_mtime: true }, place);

    assert.equal(statSync(join(place.home, 'a')).mtimeMs, 2_000_000);
  });

  it('renames, copies and deletes, and makes folders on the way', () => {
    const place = makePlace({ a: 'old' });

    apply({ op: 'copy', from_path: 'a', to_path: 'deep/b' }, place);
    apply({ op: 'rename', from_path: 'a', to_path: 'deeper/c' }, place);
    apply({ op: 'delete', path: 'deep' }, place);

    assert.equal(readFileSync(join(place.home, 'deeper/c'), 'utf8'), 'old');
    assert.ok(!existsSync(join(place.home, 'a')));
    assert.ok(!existsSync(join(place.home, 'deep')));
  });

  it('sets modes', () => {
    const place = makePlace({ a: 'old' });

    apply({ op: 'chmod', path: 'a', mode: '0400' }, place);

    assert.equal(statSync(join(place.home, 'a')).mode & 0o777, 0o400);
  });

  it('makes many files of one recipe', () => {
    const place = makePlace({});

    const paths = apply(
      { op: 'generate_many', path: 'd/{n}', count: 3, recipe: [{ repeat: 'x', times: 2 }] },
      place,
    );

    assert.deepEqual(paths, ['d/0', 'd/1', 'd/2']);
    assert.equal(readFileSync(join(place.home, 'd/2'), 'utf8'), 'xx');
  });

  it('says whether a new file got the inode of the deleted one', async () => {
    const place = makePlace({ a: 'old', b: 'other' }, { in: 'new' });
    const { ino: taken } = lstatSync(join(place.home, 'b'), { bigint: true });

    const reused = await writeOnInode({ op: 'write', path: 'c', from: 'in' }, place, taken);

    assert.equal(reused, false);
    assert.equal(readFileSync(join(place.home, 'c'), 'utf8'), 'new');
  });
});

describe('test/cases/database-steps', () => {
  it('runs statements', () => {
    const place = makeDatabase({ 'add.sql': "INSERT INTO conversations VALUES ('k', 'v');" });

    runSql({ op: 'sql', path: 'db', from: 'add.sql' }, place);

    assert.deepEqual(values(place, 'conversations'), ['v']);
  });

  it('counts the writes that a lock kept out', async () => {
    const place = makeDatabase({ 'add.sql': "INSERT OR REPLACE INTO conversations VALUES ('k', 'v');" });
    const loop = {
      op: 'sql_loop',
      path: 'db',
      from: 'add.sql',
      times: 3,
      every_ms: 1,
      busy_timeout_ms: 0,
    } as const;

    const free = await runSqlLoop(loop, place);
    const locked = lockDatabase({ op: 'lock_db', path: 'db', ms: 100 }, place);
    const failures = await runSqlLoop(loop, place);
    await locked;

    assert.deepEqual(free, []);
    assert.match(failures[0] ?? '', /^3 of 3 writes to db failed: .*locked/);
  });
});

describe('test/cases/play', () => {
  it('writes the states of a recording as the program did', async () => {
    const lines = [
      { mark: 'start' },
      { table: 'conversations', key: 'k', value: 'one' },
      { table: 'conversations', key: 'k', value: 'two' },
      {
        table: 'conversations_v2',
        key: 'k',
        conversation_id: 'c',
        value: 'one',
        created_at: 1,
        updated_at: 1,
      },
      {
        table: 'conversations_v2',
        key: 'k',
        conversation_id: 'c',
        value: 'two',
        created_at: 9,
        updated_at: 2,
      },
      { file: 'log', text: 'a' },
      { file: 'log', append: 'b' },
      { file: '.kiro/sessions/cli/s.json', text: '{}' },
      { file: 'gone', text: 'x' },
      { file: 'gone', deleted: true },
    ];
    const recording = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const place = makeDatabase({ 'saves.jsonl': recording });

    await play({ op: 'play', from: 'saves.jsonl', db: 'db', pause_ms: 0 }, place);

    assert.deepEqual(values(place, 'conversations'), ['two']);
    assert.deepEqual(values(place, 'conversations_v2'), ['two']);
    assert.deepEqual(values(place, 'conversations_v2', 'created_at'), [1]);
    assert.equal(readFileSync(join(place.home, 'log'), 'utf8'), 'ab');
    assert.equal(readFileSync(join(place.home, '.kiro/sessions/cli/s.json'), 'utf8'), '{}');
    assert.ok(!existsSync(join(place.home, 'gone')));
  });

  it('deletes a row', async () => {
    const lines = [
      { table: 'conversations', key: 'k', value: 'one' },
      { table: 'conversations', key: 'k', deleted: true },
    ];
    const place = makeDatabase({ 'saves.jsonl': lines.map((line) => JSON.stringify(line)).join('\n') });

    await play({ op: 'play', from: 'saves.jsonl', db: 'db' }, place);

    assert.deepEqual(values(place, 'conversations'), []);
  });
});

function apply(step: Step, place: Place): string[] {
  assert.ok(isFileStep(step));
  return applyFileStep(step, place);
}

function makePlace(home: Record<string, string>, steps: Record<string, string> = {}): Place {
  const dir = tempDir();
  const place = { home: join(dir, 'home'), steps: join(dir, 'steps'), aside: join(dir, 'aside') };
  for (const path of Object.values(place)) mkdirSync(path);
  for (const [name, text] of Object.entries(home)) writeInto(join(place.home, name), text);
  for (const [name, text] of Object.entries(steps)) writeInto(join(place.steps, name), text);
  return place;
}

function writeInto(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function makeDatabase(steps: Record<string, string>): Place {
  const place = makePlace({}, steps);
  const db = new Database(join(place.home, 'db'));
  db.exec(`CREATE TABLE conversations (key TEXT PRIMARY KEY, value TEXT);
    CREATE TABLE conversations_v2 (key TEXT, conversation_id TEXT, value TEXT, created_at INTEGER,
      updated_at INTEGER, PRIMARY KEY (key, conversation_id));`);
  db.close();
  return place;
}

function values(place: Place, table: string, column = 'value'): unknown[] {
  const db = new Database(join(place.home, 'db'), { readonly: true });
  const found = db.prepare(`SELECT ${column} FROM ${table}`).pluck().all();
  db.close();
  return found;
}
