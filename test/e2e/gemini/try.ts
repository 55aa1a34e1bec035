/**
 * Plays steps and says what came of them. It installs the program first and then, where the machine allows it,
 * starts itself again without any network but loopback.
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { HoldfastError, messageOf } from '../../../agent/contract/errors.ts';
import { endWithUs } from '../shared/endings.ts';
import { inLoopbackOnly, isLoopbackOnly } from '../shared/isolation.ts';
import { installGeminiCli } from './install.ts';
import { playSteps } from './play.ts';
import { STEPS } from './steps.ts';
import { linesOf } from './table.ts';

const USAGE = 'usage: node test/e2e/gemini/try.ts --home DIR [--only STEP,STEP] [--json FILE]';

const { values } = parseArgs({
  options: { home: { type: 'string' }, only: { type: 'string' }, json: { type: 'string' } },
});

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
  await installGeminiCli();
  const isolated = isLoopbackOnly()
    ? undefined
    : inLoopbackOnly([process.execPath, ...process.argv.slice(1)]);
  if (isolated === undefined) return play(resolve(values.home));
  return runToItsEnd(isolated);
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
  const names = values.only?.split(',') ?? STEPS.map(({ name }) => name);
  const started = performance.now();
  const { truths, skipped } = await playSteps({
    home,
    names,
    onStep: (truth) => console.log(linesOf(truth).join('\n')),
  });
  for (const { step, reason } of skipped) console.log(`${step.padEnd(15)} skipped: ${reason}`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(truths, null, 2)}\n`);
  const network = isLoopbackOnly() ? 'loopback only' : 'open';
  console.log(`${truths.length} steps in ${Math.round(performance.now() - started)} ms, network: ${network}`);
  return 0;
}
