import { spawn } from 'node:child_process';
import { MAIN } from './agent-process.ts';
import { tempDir } from './temp.ts';

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program as a process of its own, in an empty home and without anything that the caller has set. */
export function runCommand(...args: readonly string[]): Promise<CommandResult> {
  const home = tempDir();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: home,
      env: { HOME: home, PATH: process.env['PATH'], TZ: 'UTC', XDG_CONFIG_HOME: home, XDG_STATE_HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 15_000,
      killSignal: 'SIGKILL',
    });
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('close', (code) =>
      resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() }),
    );
  });
}
