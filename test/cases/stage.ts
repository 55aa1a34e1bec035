import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentUnderTest, createAgent } from './agent-under-test.ts';
import type { Case } from './case.ts';
import { type Owner, ownAll } from './home.ts';
import type { Received } from './match.ts';
import { brokenHealth, brokenLog, brokenSequence, brokenTexts } from './promises.ts';
import { createPulse, type Pulse } from './pulse.ts';
import { createReceiver, type Receiver } from './receiver.ts';
import { environment, preloadOf, type StageFiles, stageFiles, writeConfig } from './stage-config.ts';
import { createWaits, type Waits } from './waits.ts';

export interface StageOptions {
  readonly caseOf: Case;
  readonly home: string;
  /** A fresh folder for everything of this run. */
  readonly dir: string;
  /** Error code with which the system refuses watches. */
  readonly watchCode: string | undefined;
  readonly owner: Owner | undefined;
}

/** What one run of the agent gave. */
export interface Outcome {
  readonly received: readonly Received[];
  readonly problems: readonly string[];
  /** What could not be tested. */
  readonly notes: readonly string[];
}

const TOKEN = 'token-of-the-case-runner';

/** Everything that one run needs, made and not yet started. */
export async function createStage(options: StageOptions): Promise<Stage> {
  const { caseOf, dir, owner, watchCode } = options;
  mkdirSync(dir);
  const files = stageFiles(options.home, dir);
  const receiver = await createReceiver(dir, TOKEN, caseOf);
  writeFileSync(files.tokenFile, TOKEN, { mode: 0o600 });
  writeConfig(caseOf, files, receiver);
  ownAll(dir, owner);
  const agent = createAgent({
    configFile: files.configFile,
    stateDir: files.stateDir,
    env: environment(caseOf, options.home),
    preload: preloadOf(caseOf, watchCode, files.trapFile),
    user: owner,
  });
  return new Stage({ agent, receiver, files, watchRefused: watchCode !== undefined });
}

interface StageParts {
  readonly agent: AgentUnderTest;
  readonly receiver: Receiver;
  readonly files: StageFiles;
  readonly watchRefused: boolean;
}

/** One run: an agent with a fresh state, and what it delivers to. */
export class Stage {
  readonly waits: Waits;
  readonly #parts: StageParts;
  readonly #pulse: Pulse;
  readonly #problems: string[] = [];
  #isOpen = true;

  constructor(parts: StageParts) {
    this.#parts = parts;
    this.#pulse = createPulse(parts.receiver.arrivals);
    this.waits = createWaits(parts.agent, this.#pulse);
  }

  get trapFile(): string {
    return this.#parts.files.trapFile;
  }

  get isRunning(): boolean {
    return this.#parts.agent.isRunning();
  }

  async start(): Promise<void> {
    await this.#parts.agent.start();
    this.changed();
  }

  async restart(how: 'sigterm' | 'sigkill'): Promise<void> {
    await this.#stop(how === 'sigterm' ? 'SIGTERM' : 'SIGKILL');
    await this.start();
  }

  /** The home was changed just now. */
  changed(): void {
    this.#pulse.changed();
  }

  /** Waits until everything is through, ends the agent in order and looks at what came. */
  async finish(): Promise<Outcome> {
    const { agent, receiver, files, watchRefused } = this.#parts;
    await this.waits.end();
    const health = await agent.health();
    await this.#stop('SIGTERM');
    const received = await receiver.received();
    const problems = [
      ...this.#problems,
      ...brokenHealth(health, watchRefused),
      ...receiver.problems(),
      ...brokenTexts(received),
      ...brokenSequence(received),
      ...brokenLog(agent.log(), TOKEN),
    ];
    writeFileSync(
      join(files.dir, 'rows.jsonl'),
      received.map(({ row }) => `${JSON.stringify(row)}\n`).join(''),
    );
    await this.close();
    return { received, problems, notes: receiver.notes() };
  }

  /** Ends everything at once; does nothing after `finish`. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { agent, receiver, files } = this.#parts;
    this.#pulse.stop();
    if (agent.isRunning()) await agent.stop('SIGKILL').catch(() => undefined);
    await receiver.close();
    writeFileSync(join(files.dir, 'agent.log'), agent.log());
  }

  async #stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const code = await this.#parts.agent.stop(signal);
    if (signal === 'SIGTERM' && code !== 0) {
      this.#problems.push(`SIGTERM ended the agent with ${code ?? 'no exit code'}`);
    }
  }
}
