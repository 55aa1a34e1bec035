import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { errnoOf } from '../../agent/contract/errors.ts';
import { createControlClient } from '../../agent/telemetry/control-client.ts';
import type { HealthDocument } from '../../agent/telemetry/health.ts';
import type { Owner } from './home.ts';
import { LIMIT_MS } from './times.ts';

const MAIN = join(import.meta.dirname, '../../agent/main.ts');

export interface AgentOptions {
  readonly configFile: string;
  readonly stateDir: string;
  /** The whole environment of the agent. */
  readonly env: Readonly<Record<string, string>>;
  /** URL of a module that is loaded before the agent. */
  readonly preload: string | undefined;
  readonly user: Owner | undefined;
}

/** The real agent, as a process. */
export interface AgentUnderTest {
  isRunning(): boolean;
  /** Starts it and waits until it answers. */
  start(): Promise<void>;
  /** Ends it; returns its exit code, null when a signal ended it. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Undefined while nothing answers. Throws when the agent ended by itself. */
  health(): Promise<HealthDocument | undefined>;
  /** What it wrote to standard error since the first start. */
  log(): string;
}

/** The agent ended although nobody asked it to. */
export class AgentGone extends Error {}

const running = new Set<ChildProcess>();

/** Leaves no agent behind when the runner itself has to end. */
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function createAgent(options: AgentOptions): AgentUnderTest {
  const control = createControlClient(join(options.stateDir, 'control.sock'));
  let child: ChildProcess | undefined;
  let log = '';

  async function health(): Promise<HealthDocument | undefined> {
    if (child && hasEnded(child)) throw gone(child);
    try {
      return await control.health();
    } catch (error) {
      if (errnoOf(error) === 'NOT_RUNNING') return undefined;
      throw error;
    }
  }

  function gone({ exitCode, signalCode }: ChildProcess): AgentGone {
    const lines = log.trimEnd().split('\n').slice(-15).join('\n  ');
    return new AgentGone(`the agent ended by itself (${signalCode ?? `exit code ${exitCode}`}):\n  ${lines}`);
  }

  return {
    isRunning: () => child !== undefined,
    health,
    log: () => log,
    async start() {
      child = launch(options, (text) => {
        log += text;
      });
      const end = performance.now() + LIMIT_MS.start;
      while (!(await health())) {
        if (performance.now() > end) throw new Error(`the agent does not answer after ${LIMIT_MS.start} ms`);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
    async stop(signal) {
      const ending = child;
      child = undefined;
      if (!ending) return 0;
      if (hasEnded(ending)) throw gone(ending);
      return await end(ending, signal);
    },
  };
}

function launch(
  { configFile, env, preload, user }: AgentOptions,
  onLog: (text: string) => void,
): ChildProcess {
  const imports = preload === undefined ? [] : ['--import', preload];
  const child = spawn(process.execPath, [...imports, MAIN, '-c', configFile, 'run'], {
    cwd: '/',
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  });
  child.stderr?.setEncoding('utf8').on('data', onLog);
  child.on('error', (error) => onLog(`${error.message}\n`));
  running.add(child);
  child.once('close', () => running.delete(child));
  return child;
}

/** A stop that takes too long is cut short; the exit code then is null. */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const closed = once(child, 'close') as Promise<[number | null]>;
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS.stop);
  const [code] = await closed;
  clearTimeout(timer);
  return code;
}

function hasEnded({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}
