/** Writes a corpus: `node bench/corpus/main.ts --out DIR [--mb N] [--seed N]`. Prints the totals as JSON. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeCorpus } from './corpus.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    mb: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});

if (values.out === undefined || !(Number(values.mb) > 0)) {
  console.error('usage: node bench/corpus/main.ts --out DIR [--mb N] [--seed N]');
  process.exitCode = 2;
} else {
  const { totals } = writeCorpus(resolve(values.out), { mb: Number(values.mb), seed: values.seed });
  console.log(JSON.stringify(totals, null, 2));
}
