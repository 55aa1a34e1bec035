/** Runs of the program with its terminal interface, each in a tmux server of its own. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endWithUs } from './endings.ts';
import type { Environment } from './environment.ts';
import { StepError } from './errors.ts';
import type { InstalledCli } from './npm-program.ts';
import { killGroup } from './program.ts';

const WAIT_MS = 45_000;
const POLL_MS = 120;
/** The program takes characters that come faster for a paste, and a return right after one for a line break. */
const KEY_GAP_MS = 12;
const PAUSE_MS = 250;

export interface Terminal {
  readonly pid: number;
  screen(): Promise<string>;
  /** Waits until the screen shows the pattern. */
  shows(pattern: RegExp | string, timeoutMs?: number): Promise<void>;
  /** Presses named keys one after the other: Enter, Escape, Up, C-u, or one character. */
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
  /** Types a line, waits until the program has taken it all, and sends it. */
  submit(text: string): Promise<void>;
  /** Waits until the program has ended by itself. */
  ended(timeoutMs?: number): Promise<void>;
  /** Ends what is left of the program and its terminal. */
  close(): Promise<void>;
}

export interface TerminalRun {
  readonly cli: InstalledCli;
  readonly cwd: string;
  readonly env: Environment;
  readonly args?: readonly string[];
}

/** Why interactive steps cannot be played here, or undefined when they can. */
export function whyNoTerminal(): string | undefined {
  return spawnSync('tmux', ['-V']).status === 0 ? undefined : 'tmux is not installed';
}

export async function openTerminal({ cli, cwd, env, args = [] }: TerminalRun): Promise<Terminal> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-tmux-'));
  const socket = ['-f', '/dev/null', '-S', join(folder, 's')];
  const words = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const program = ['env', '-i', ...words, process.execPath, cli.entry, ...args];
  const size = ['-x', '160', '-y', '60'];
  await tmux(socket, ['new-session', '-d', ...size, '-c', cwd, '-s', 'main', ...program]);
  const { stdout } = await tmux(socket, ['list-panes', '-s', '-t', 'main', '-F', '#{pane_pid}']);
  const pid = Number(stdout);
  const end = () => {
    killGroup(pid);
    spawnSync('tmux', [...socket, 'kill-server']);
    rmSync(folder, { recursive: true, force: true });
  };
  const release = endWithUs(end);
  const close = () => {
    release();
    end();
    return Promise.resolve();
  };
  return { pid, close, ...driving(socket) };
}

function driving(socket: readonly string[]): Omit<Terminal, 'pid' | 'close'> {
  const send = (...keys: string[]) => tmux(socket, ['send-keys', '-t', 'main', ...keys]);
  const screen = () =>
    tmux(socket, ['capture-pane', '-p', '-t', 'main']).then(
      ({ stdout }) => stdout,
      () => '',
    );
  const isAlive = () =>
    tmux(socket, ['has-session', '-t', 'main']).then(
      () => true,
      () => false,
    );
  const shows: Terminal['shows'] = async (pattern, timeoutMs = WAIT_MS) => {
    const end = performance.now() + timeoutMs;
    for (let seen = await screen(); !matches(seen, pattern); seen = await screen()) {
      if (performance.now() > end || !(await isAlive()))
        throw new StepError(`the terminal never showed ${pattern}, but: ${wordsOn(seen)}`);
      await sleep(POLL_MS);
    }
  };
  const press: Terminal['press'] = async (...keys) => {
    for (const key of keys) {
      await send(key);
      await sleep(PAUSE_MS);
    }
  };
  const type: Terminal['type'] = async (text) => {
    for (const symbol of text) {
      await send('-l', symbol === ';' ? '\\;' : symbol);
      await sleep(KEY_GAP_MS);
    }
    await sleep(PAUSE_MS);
  };
  const submit: Terminal['submit'] = async (text) => {
    await type(text);
    await shows(text);
    await sleep(PAUSE_MS);
    await press('Enter');
  };
  const ended: Terminal['ended'] = async (timeoutMs = WAIT_MS) => {
    const end = performance.now() + timeoutMs;
    while (await isAlive()) {
      if (performance.now() > end) throw new StepError(`the program did not end: ${wordsOn(await screen())}`);
      await sleep(POLL_MS);
    }
  };
  return { screen, shows, press, type, submit, ended };
}

/** What a screen says, without its frames and empty lines. */
function wordsOn(screen: string): string {
  const lines = screen.split('\n').map((line) => line.replace(/[─-▟]/g, '').trim());
  return lines
    .filter((line) => line !== '')
    .slice(-12)
    .join(' | ');
}

function matches(seen: string, pattern: RegExp | string): boolean {
  return typeof pattern === 'string' ? seen.includes(pattern) : pattern.test(seen);
}

const execute = promisify(execFile);

function tmux(socket: readonly string[], args: readonly string[]): Promise<{ stdout: string }> {
  return execute('tmux', [...socket, ...args]);
}
