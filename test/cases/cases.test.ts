import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { findCases } from './case.ts';
import { slowestFirst } from './cost.ts';
import { runPool } from './pool.ts';
import { type CaseResult, runCase } from './run-case.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/cases');
const JOBS = 2;

/** Every case of fixtures/cases with the real agent; docs/cases.md says how to add one. */
describe('fixtures/cases', function () {
  this.timeout(900_000);
  const dirs = findCases(FOLDER);
  const results = new Map<string, CaseResult>();

  before('run them all', async () => {
    await runPool(
      slowestFirst(dirs).map((dir) => () => runCase(dir)),
      JOBS,
      (result) => results.set(result.name, result),
    );
  });

  it('is not empty', () => {
    assert.ok(dirs.length >= 26, `${dirs.length} cases`);
  });

  for (const dir of dirs) {
    it(`passes ${basename(dir)}`, () => {
      const result = results.get(basename(dir));

      assert.ok(result && result.status !== 'failed', result?.reasons.join('\n'));
    });
  }
});
