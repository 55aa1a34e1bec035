/**
 * The long form of the chaos tests: `npm run chaos [-- --rounds 200 --seed 1]`. Prints what happened and exits
 * with 1 when a row was lost or doubled.
 */
import { parseArgs } from 'node:util';
import { AgentUnderTest } from '../support/agent-process.ts';
import { cleanUp } from '../support/temp.ts';
import { killRounds, seededRandom } from './kill-rounds.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' } },
});
const agent = await AgentUnderTest.create();
const outcome = await killRounds(agent, Number(values.rounds), seededRandom(Number(values.seed)));
await cleanUp();

console.log(JSON.stringify(outcome, null, 2));
const bad = outcome.lost.length + outcome.doubled.length + outcome.missingSeqs;
console.log(`${bad === 0 ? 1 : 0} passed, ${bad === 0 ? 0 : 1} failed`);
process.exitCode = bad === 0 ? 0 : 1;
