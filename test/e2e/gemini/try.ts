/** Plays steps of the real Gemini CLI by hand: see try-out.ts. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { tryOut } from '../shared/try-out.ts';
import { installGeminiCli } from './install.ts';
import { playSteps } from './play.ts';
import { STEPS } from './steps.ts';
import { linesOf } from './table.ts';

const { values } = parseArgs({
  options: { home: { type: 'string' }, only: { type: 'string' }, json: { type: 'string' } },
});

await tryOut({
  home: values.home,
  usage: 'usage: node test/e2e/gemini/try.ts --home DIR [--only STEP,STEP] [--json FILE]',
  install: installGeminiCli,
  play,
});

async function play(home: string): Promise<string> {
  const started = performance.now();
  const { truths, skipped } = await playSteps({
    home,
    names: values.only?.split(',') ?? STEPS.map(({ name }) => name),
    onStep: (truth) => console.log(linesOf(truth).join('\n')),
  });
  for (const { step, reason } of skipped) console.log(`${step.padEnd(15)} skipped: ${reason}`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(truths, null, 2)}\n`);
  return `${truths.length} steps in ${Math.round(performance.now() - started)} ms`;
}
