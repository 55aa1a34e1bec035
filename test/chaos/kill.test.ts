import assert from 'node:assert/strict';
import { AgentUnderTest } from '../support/agent-process.ts';
import { killRounds, seededRandom } from './kill-rounds.ts';

describe('chaos: kills', function () {
  this.timeout(240_000);

  it('loses nothing and doubles nothing when keeper and capture are killed at random points', async () => {
    const agent = await AgentUnderTest.create();

    const outcome = await killRounds(agent, 10, seededRandom(20261130));

    assert.deepEqual(outcome.lost, []);
    assert.deepEqual(outcome.doubled, []);
    assert.equal(outcome.missingSeqs, 0);
    assert.ok(
      outcome.written > 100 && outcome.keeperKills > 0 && outcome.captureKills > 0,
      JSON.stringify(outcome),
    );
  });
});
