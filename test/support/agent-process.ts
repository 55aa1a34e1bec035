import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { silentLogger } from '../../agent/contract/logger.ts';
import type { Row } from '../../agent/contract/row.ts';
import { systemClock } from '../../agent/platform/clock.ts';
import { type ControlClient, createControlClient } from '../../agent/telemetry/control-client.ts';
import type { HealthDocument } from '../../agent/telemetry/health.ts';
import { type Collector, createCollector } from '../../collector/collector.ts';
import { onCleanUp, tempDir } from './temp.ts';
import { until } from './until.ts';

const ROOT = join(import.meta.dirname, '../..');
export const MAIN = join(ROOT, 'agent/main.ts');
const TOKEN = 'test-token';

/** The real agent as a process of its own, a home that it observes, and a collector that it delivers to. */
export class AgentUnderTest {
  readonly home: string;
  readonly stateDir: string;
  readonly collector: Collector;
  readonly configFile: string;
  readonly #settings: Record<string, unknown>;
  #child: ChildProcess | undefined;
  #log = '';

  private constructor(dir: string, collector: Collector, settings: Record<string, unknown>) {
    this.home = join(dir, 'home');
    this.stateDir = join(dir, 'state');
    this.collector = collector;
    this.configFile = join(dir, 'config.yaml');
    mkdirSync(this.home, { recursive: true });
    const tokenFile = join(dir, 'token');
    writeFileSync(tokenFile, TOKEN, { mode: 0o600 });
    this.#settings = {
      homes: [this.home],
      state_dir: this.stateDir,
      sinks: [{ type: 'http', url: collector.url, compression: 'zstd', token_file: tokenFile }],
      capture: { settle_ms: 500, answer_wait_ms: 8_000, sweep_seconds: 2, full_sweep_seconds: 10 },
      ...settings,
    };
    this.configure({});
  }

  /** Writes the configuration with these changes; a running agent notices it. */
  configure(changes: Record<string, unknown>): void {
    writeFileSync(this.configFile, stringify({ ...this.#settings, ...changes }));
  }

  /** The collector keeps its database in a folder of the test, unless it is to lie on another disk. */
  static async create(
    settings: Record<string, unknown> = {},
    { collectorDir }: { readonly collectorDir?: string | undefined } = {},
  ): Promise<AgentUnderTest> {
    const dir = tempDir('agent');
    const collector = await createCollector({
      dir: collectorDir ?? join(dir, 'collector'),
      tokens: [TOKEN],
      clock: systemClock,
      logger: silentLogger,
    });
    const agent = new AgentUnderTest(dir, collector, settings);
    onCleanUp(async () => {
      await agent.kill('SIGKILL');
      await collector.close();
    });
    return agent;
  }

  get control(): ControlClient {
    return createControlClient(join(this.stateDir, 'control.sock'));
  }

  get log(): string {
    return this.#log;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts the keeper, by another program if wanted; does not wait for anything. */
  launch(under: readonly string[] = []): void {
    const [program = '', ...args] = [...under, process.execPath, MAIN, '-c', this.configFile, 'run'];
    const child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: this.home, TZ: 'UTC' },
    });
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#log = (this.#log + chunk.toString('utf8')).slice(-200_000);
    });
    this.#child = child;
  }

  /** Starts the keeper and waits until its first full sweep is over. */
  async start(under: readonly string[] = []): Promise<void> {
    this.launch(under);
    await until('the agent to have swept', async () => {
      if (this.#child?.exitCode != null)
        throw new Error(`the agent ended with ${this.#child.exitCode}:\n${this.#log}`);
      const health = await this.health();
      return health?.homes.every((home) => home.last_full_sweep_at !== null);
    });
  }

  /** What `holdfast status` would tell, or undefined while nothing answers. */
  health(): Promise<HealthDocument | undefined> {
    return this.control.health().catch(() => undefined);
  }

  /** Runs a command of the program against this agent. */
  command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [MAIN, '-c', this.configFile, ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
      child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
      child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
      child.on('close', (code) =>
        resolve({
          code: code ?? -1,
          stdout: Buffer.concat(stdout).toString(),
          stderr: Buffer.concat(stderr).toString(),
        }),
      );
    });
  }

  /** Process ids of the capture processes, from the kernel. */
  capturePids(): number[] {
    const file = `/proc/${this.pid}/task/${this.pid}/children`;
    if (this.pid === undefined || !existsSync(file)) return [];
    return readFileSync(file, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  }

  /** Ends the keeper and waits until it is gone. */
  async kill(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    child.kill(signal);
    return await ended;
  }

  /** Every row the collector holds, in the order of arrival; asked over the wire like anyone else would. */
  async rows(): Promise<Row[]> {
    const rows: Row[] = [];
    let next: string | null = '0';
    for (let page = 0; next !== null && page < 10_000; page++) {
      const response: Response = await fetch(`${this.collector.url}/v1/rows?limit=5000&after=${next}`, {
        headers: { authorization: `Bearer ${TOKEN}` },
      });
      const text = await response.text();
      if (!response.ok) throw new Error(`the collector answered ${response.status}: ${text}`);
      for (const line of text.split('\n')) if (line !== '') rows.push(JSON.parse(line) as Row);
      next = response.headers.get('x-holdfast-next');
    }
    return rows;
  }

  /** Ranges of row numbers that are missing at the collector, over every host and epoch. */
  async missing(): Promise<unknown[]> {
    const response = await fetch(`${this.collector.url}/v1/hosts`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    const { hosts } = (await response.json()) as { hosts: { missing: unknown[] }[] };
    return hosts.flatMap(({ missing }) => missing);
  }
}
