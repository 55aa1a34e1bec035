/** Runs of a program without its terminal interface. */
import { type ChildProcess, spawn } from 'node:child_process';
import { endWithUs } from './endings.ts';
import type { Environment } from './environment.ts';
import { StepError } from './errors.ts';
import type { InstalledCli } from './npm-program.ts';

const TIMEOUT_MS = 120_000;
const WATCH_MS = 50;

/** How the program was started and how it ended. */
export interface RunEnd {
  readonly pid: number;
  readonly args: readonly string[];
  /** Whether the command line asked to approve everything: the only trace of that mode. */
  readonly isTrustAll: boolean;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
  readonly ms: number;
}

export interface HeadlessRun {
  readonly cli: InstalledCli;
  readonly cwd: string;
  readonly env: Environment;
  readonly args: readonly string[];
  readonly timeoutMs?: number;
  /** The run is interrupted, as by Ctrl+C, as soon as this is true. */
  readonly interruptWhen?: () => boolean;
}

/** One run to its end. A run that passes its time is killed and is an error. */
export async function runHeadless(run: HeadlessRun): Promise<RunEnd> {
  const started = performance.now();
  const child = spawn(process.execPath, [run.cli.entry, ...run.args], {
    cwd: run.cwd,
    env: run.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const release = endWithUs(() => killGroup(child.pid));
  const output = collect(child);
  const timeoutMs = run.timeoutMs ?? TIMEOUT_MS;
  let isLate = false;
  const limit = setTimeout(() => {
    isLate = true;
    killGroup(child.pid);
  }, timeoutMs);
  const watch = setInterval(() => {
    if (!run.interruptWhen?.()) return;
    clearInterval(watch);
    signalGroup(child.pid, 'SIGINT');
  }, WATCH_MS);
  try {
    const { code, signal } = await ended(child);
    if (isLate)
      throw new StepError(`the program did not end within ${timeoutMs} ms: ${output().slice(-600)}`);
    const ms = Math.round(performance.now() - started);
    return {
      pid: child.pid ?? 0,
      args: run.args,
      isTrustAll: isTrustAll(run.args),
      code,
      signal,
      output: output(),
      ms,
    };
  } finally {
    clearTimeout(limit);
    clearInterval(watch);
    release();
  }
}

function isTrustAll(args: readonly string[]): boolean {
  return args.some((arg) => arg === '-y' || arg === '--yolo' || arg === '--approval-mode=yolo');
}

/** Ends a process and its group; gone already is fine. */
export function killGroup(pid: number | undefined): void {
  signalGroup(pid, 'SIGKILL');
}

/** As a terminal does it: a program that starts itself again gets the signal in each of its processes. */
function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined || pid <= 1) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // No such group any more.
  }
}

function collect(child: ChildProcess): () => string {
  const pieces: Buffer[] = [];
  child.stdout?.on('data', (piece: Buffer) => pieces.push(piece));
  child.stderr?.on('data', (piece: Buffer) => pieces.push(piece));
  return () => Buffer.concat(pieces).toString('utf8');
}

function ended(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((settle, fail) => {
    child.once('error', fail);
    child.once('close', (code, signal) => settle({ code, signal }));
  });
}
