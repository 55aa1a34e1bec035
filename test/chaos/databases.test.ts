import assert from 'node:assert/strict';
import { databaseRounds } from './database-rounds.ts';

describe('chaos: a program that writes its database', function () {
  this.timeout(120_000);

  for (const journal of ['delete', 'wal'] as const)
    it(`never waits for us and loses no turn (${journal})`, async () => {
      const outcome = await databaseRounds({ journal, megabytes: 1, everyMs: 50, rounds: 1, seconds: 1.5 });

      assert.ok(outcome.writes > 20, `${outcome.writes} writes`);
      assert.deepEqual(outcome.failures, []);
      assert.deepEqual(outcome.lost, []);
      assert.deepEqual(outcome.doubled, []);
      assert.deepEqual(outcome.left, ['data.sqlite3']);
    });
});
