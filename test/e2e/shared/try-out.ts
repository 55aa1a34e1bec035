/**
 * Plays steps by hand and says what came of them. The program is installed first; then, where the machine allows it, this
 * starts itself again without any network but loopback.
 */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { HoldfastError, messageOf } from '../../../agent/contract/errors.ts';
import { endWithUs } from './endings.ts';
import { inLoopbackOnly, isLoopbackOnly } from './isolation.ts';

export interface TryOut {
  /** Where the program finds its home; undefined when the caller named none. */
  readonly home: string | undefined;
  readonly usage: string;
  readonly install: () => Promise<unknown>;
  /** Plays in the home and returns what to say at the end. */
  readonly play: (home: string) => Promise<string>;
}

export async function tryOut({ home, usage, install, play }: TryOut): Promise<void> {
  try {
    if (home === undefined) throw new WrongUsage(usage);
    await install();
    const isolated = isLoopbackOnly()
      ? undefined
      : inLoopbackOnly([process.execPath, ...process.argv.slice(1)]);
    if (isolated === undefined)
      console.log(`${await play(resolve(home))}, network: ${isLoopbackOnly() ? 'loopback only' : 'open'}`);
    else process.exitCode = await runToItsEnd(isolated);
  } catch (error) {
    console.error(messageOf(error));
    if (error instanceof HoldfastError && error.hint !== undefined) console.error(error.hint);
    process.exitCode = error instanceof WrongUsage ? 2 : 1;
  }
}

class WrongUsage extends Error {}

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
