import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../support/temp.ts';
import { CaseError, findCases, loadCase } from './case.ts';
import { makeHome } from './home.ts';
import { makeCase } from './make-case.ts';
import { selectCases } from './select.ts';

describe('test/cases/case', () => {
  it('reads a case with what is left out', () => {
    const dir = makeCase({ home: { '.gemini/a': '' }, rows: [{ turn: 'user', text: 'hello' }] });

    const found = loadCase(dir);

    assert.deepEqual(found.listed, [{ turn: 'user', text: 'hello' }]);
    assert.deepEqual([found.steps, found.answers, found.platforms], [[], [], []]);
    assert.equal(found.sameIds, false);
  });

  it('makes a database of the home from its text', () => {
    const dir = makeCase({ home: { a: '' }, databases: { 'data/x.sqlite3': 'x.sql' } });
    writeFileSync(join(dir, 'x.sql'), "CREATE TABLE t (v); INSERT INTO t VALUES ('kept');");
    const home = tempDir();

    makeHome(loadCase(dir), home);

    assert.match(readFileSync(join(home, 'data/x.sqlite3'), 'latin1'), /^SQLite format 3[\s\S]*kept/);
  });

  it('reads scripted answers by their number', () => {
    const dir = makeCase({ home: { a: '' } });
    mkdirSync(join(dir, 'collector'));
    for (const number of [10, 2, 1])
      writeFileSync(
        join(dir, `collector/${number}.json`),
        JSON.stringify({ status: 200 + number, body: '' }),
      );

    const { answers } = loadCase(dir);

    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 202, 210],
    );
  });

  const refused: Readonly<Record<string, [change: Record<string, unknown>, why: RegExp]>> = {
    'a condition that it cannot set': [{ net: 'proxy' }, /net/],
    'a step that it does not know': [{ steps: [{ op: 'explode' }] }, /op/],
    'a step with a key that it does not know': [{ steps: [{ op: 'wait_idle', ms: 3 }] }, /ms/],
    'a path out of the home': [{ steps: [{ op: 'delete', path: '../x' }] }, /inside the home/],
    'an error that it cannot inject': [{ inject: { 'fs.open': ['EIO'] } }, /fs\.open/],
    'a text of a database that is not there': [
      { databases: { 'x.sqlite3': 'x.sql' } },
      /x\.sql is listed and missing/,
    ],
    'a file of the home that is not there': [{ home_files: ['b'] }, /home\/b is listed and missing/],
  };

  for (const [what, [change, why]] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      const dir = makeCase({ home: { a: '' }, ...change });

      assert.throws(
        () => loadCase(dir),
        (error) => error instanceof CaseError && why.test(error.message),
      );
    });
  }

  it('refuses a case that has nothing to run', () => {
    const dir = makeCase({ rows: [] });

    assert.throws(() => loadCase(dir), /neither a home nor steps/);
  });

  it('finds cases at any depth, by number and by agent', () => {
    const root = tempDir();
    const one = makeCase({ home: { a: '' } }, join(root, '01-one'));
    const two = makeCase({ home: { a: '' }, agents: ['gemini-cli', 'kiro-ide'] }, join(root, 'deep/02-two'));
    const none = makeCase({ home: { a: '' }, agents: [] }, join(root, '03-none'));
    const all = findCases(root);

    assert.deepEqual(all, [one, none, two].sort());
    assert.deepEqual(selectCases(all, { only: ['02'], agents: undefined }), [two]);
    assert.deepEqual(selectCases(all, { only: ['0'], agents: undefined }), []);
    assert.deepEqual(selectCases(all, { only: undefined, agents: ['gemini-cli'] }), [one]);
    assert.deepEqual(findCases(one), [one]);
  });
});
