/** Plays steps of the real Qwen Code by hand: see try-out.ts. */
import { parseArgs } from 'node:util';
import { tryOut } from '../shared/try-out.ts';
import { installQwenCode } from './install.ts';
import { playSteps } from './play.ts';
import type { StepTruth } from './truth.ts';

const { values } = parseArgs({ options: { home: { type: 'string' }, only: { type: 'string' } } });

await tryOut({
  home: values.home,
  usage: 'usage: node test/e2e/qwen/try.ts --home DIR [--only STEP,STEP]',
  install: installQwenCode,
  play,
});

async function play(home: string): Promise<string> {
  const { truths, skipped } = await playSteps({
    home,
    names: values.only?.split(','),
    onStep: (truth) => console.log(lineOf(truth)),
  });
  if (skipped !== undefined) console.log(`steps at a terminal skipped: ${skipped}`);
  return `${truths.length} steps`;
}

function lineOf({ step, ms, prompts, answers, outcomes, facts }: StepTruth): string {
  const counts = `${prompts.length} prompts, ${answers.length} answers, ${facts.length} facts on disk`;
  return `${step.padEnd(12)} ${String(ms).padStart(6)} ms  ${counts}  [${outcomes.join(' ')}]`;
}
