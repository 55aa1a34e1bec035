/**
 * Inputs that no program wrote, for every parser: `npm run fuzz [-- --minutes 10 --inputs 1000000 --seed 1]`. An input
 * that shows a fault is kept in fixtures/fuzz, where the tests try it from then on.
 */
import { parseArgs } from 'node:util';
import { keep } from './corpus.ts';
import { fuzz } from './run.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    inputs: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
  },
});
const { tried, faults } = await fuzz({
  seed: values.seed,
  minutes: Number(values.minutes),
  most: Number(values.inputs),
});
for (const fault of faults)
  console.log(`${keep(fault)}\n${fault.fault.split('\n').slice(0, 12).join('\n')}\n`);
console.log(`${tried} inputs, ${faults.length} kinds of faults, seed ${values.seed}`);
console.log(`${faults.length === 0 ? 1 : 0} passed, ${faults.length} failed`);
process.exitCode = faults.length === 0 ? 0 : 1;
