import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { bundleAgent } from './bundle.ts';
import { treeOf } from './process-tree.ts';
import { hasState, readState, type StateReader } from './state-reader.ts';
import { waitFor } from './wait.ts';

const STOP_MS = 8_000;

/** `holdfast run` as it is installed: a keeper and a capture process, over one home. */
export interface RunningAgent {
  readonly state: StateReader;
  /** Ids of all its processes now. */
  processes(): number[];
  /** Asks for a sweep of everything; resolves when it was taken on. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

export interface AgentWishes {
  /** Folder for its state and configuration. */
  readonly dir: string;
  readonly home: string;
  /** Collector that rows go to. */
  readonly url: string;
}

/** Starts the agent with its default configuration and waits until the first scan of the home is durable. */
export async function startAgent({ dir, home, url }: AgentWishes): Promise<RunningAgent> {
  const stateDir = join(dir, 'state');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const program = await bundleAgent();
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=2', program, 'run', '--config', writeConfig(dir, { stateDir, home, url })],
    { stdio: ['ignore', 'inherit', 'inherit'], env: { PATH: process.env['PATH'], HOME: dir } },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const pid = child.pid ?? 0;
  try {
    await waitFor('the agent to open its state', () => isAlive(child.exitCode) && hasState(stateDir));
    const state = readState(stateDir);
    await waitFor('the first scan', () => isAlive(child.exitCode) && state.isScanned(home));
    return {
      state,
      processes: () => treeOf(pid),
      sweep: () => post(join(stateDir, 'control.sock'), '/sweep'),
      async stop() {
        state.close();
        child.kill('SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
        await ended;
        clearTimeout(timer);
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** JSON is YAML. The file is private, as the agent asks of a service's configuration. */
function writeConfig(dir: string, { stateDir, home, url }: Omit<AgentWishes, 'dir'> & { stateDir: string }) {
  const file = join(dir, 'config.yaml');
  const config = {
    state_dir: stateDir,
    homes: [home],
    sinks: [{ type: 'http', id: 'bench', url }],
    telemetry: { log_level: 'warn' },
  };
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  return file;
}

function isAlive(exitCode: number | null): boolean {
  if (exitCode !== null) throw new Error(`the agent ended with exit code ${exitCode}`);
  return true;
}

function post(socketPath: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ socketPath, path, method: 'POST' }, (response) => {
      response.resume();
      if (response.statusCode === 200) resolve();
      else reject(new Error(`the agent answered ${response.statusCode} to ${path}`));
    });
    request.once('error', reject).end();
  });
}
