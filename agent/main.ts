#!/usr/bin/env node
import { nodeProblem } from './platform/program.ts';

/**
 * Entry of every process of Holdfast. The capture process loads nothing that it does not need: it runs as
 * a user, once for each home.
 */
async function main(): Promise<void> {
  const problem = nodeProblem();
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 3;
    return;
  }
  if (process.argv[2] === 'capture') {
    const { runCapture } = await import('./cli/capture.ts');
    runCapture();
    return;
  }
  const { runCommandLine } = await import('./cli/program.ts');
  process.exitCode = await runCommandLine(process.argv.slice(2));
}

void main();
