/**
 * Plays steps and says what came of them. It installs the program first and then, where the machine allows it,
 * starts itself again without any network but loopback.
 */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { HoldfastError, messageOf } from '../../../agent/contract/errors.ts';
import { endWithUs } from '../shared/endings.ts';
import { inLoopbackOnly, isLoopbackOnly } from '../shared/isolation.ts';
import { installQwenCode } from './install.ts';
import { playSteps } from './play.ts';
import type { StepTruth } from './truth.ts';

const USAGE = 'usage: node test/e2e/qwen/try.ts --home DIR [--only STEP,STEP]';

const { values } = parseArgs({ options: { home: { type: 'string' }, only: { type: 'string' } } });

try {
  process.exitCode = await main();
} catch (error) {
  console.error(messageOf(error));
  if (error instanceof HoldfastError && error.hint !== undefined) console.error(error.hint);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  if (values.home === undefined) {
    console.error(USAGE);
    return 2;
  }
  await installQwenCode();
  const isolated = isLoopbackOnly()
    ? undefined
    : inLoopbackOnly([process.execPath, ...process.argv.slice(1)]);
  return isolated === undefined ? play(resolve(values.home)) : runToItsEnd(isolated);
}

function runToItsEnd([program = '', ...args]: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit' });
  const release = endWithUs(() => child.kill());
  return new Promise((ended, fail) => {
    child.once('error', fail);
    child.once('close', (code) => {
      release();
      ended(code ?? 1);
    });
  });
}

async function play(home: string): Promise<number> {
  const names = values.only?.split(',');
  const { truths, skipped } = await playSteps({
    home,
    names,
    onStep: (truth) => console.log(lineOf(truth)),
  });
  if (skipped !== undefined) console.log(`steps at a terminal skipped: ${skipped}`);
  console.log(`${truths.length} steps, network: ${isLoopbackOnly() ? 'loopback only' : 'open'}`);
  return 0;
}

function lineOf({ step, ms, prompts, answers, outcomes, facts }: StepTruth): string {
  const counts = `${prompts.length} prompts, ${answers.length} answers, ${facts.length} facts on disk`;
  return `${step.padEnd(12)} ${String(ms).padStart(6)} ms  ${counts}  [${outcomes.join(' ')}]`;
}
