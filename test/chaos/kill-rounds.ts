import type { AgentUnderTest } from '../support/agent-process.ts';
import { until } from '../support/until.ts';
import { SessionWriter } from './writer.ts';

export interface KillOutcome {
  readonly rounds: number;
  readonly written: number;
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly missingSeqs: number;
  readonly keeperKills: number;
  readonly captureKills: number;
}

/**
 * Writes without pause while keeper and capture are killed at random points, then lets the agent finish and
 * compares the collector with the truth. `random` decides the points, so that a seed gives them again.
 */
export async function killRounds(
  agent: AgentUnderTest,
  rounds: number,
  random: () => number,
): Promise<KillOutcome> {
  const writer = new SessionWriter(agent.home);
  writer.begin();
  const writing = writeOn(writer, random);
  let [keeperKills, captureKills] = [0, 0];
  agent.launch();
  for (let round = 0; round < rounds; round++) {
    if (random() < 0.5) {
      const [capture] = await until('a capture process', () => someOf(agent.capturePids()));
      await pause(random() * 400);
      if (killProcess(capture)) captureKills++;
      continue;
    }
    await pause(50 + random() * 1_000);
    await agent.kill('SIGKILL');
    keeperKills++;
    if (random() < 0.3) await pause(random() * 200);
    agent.launch();
  }
  await writing.stop();
  const texts = await finalTexts(agent, writer.truth);
  return {
    rounds,
    written: writer.truth.length,
    lost: writer.truth.filter((text) => !texts.has(text)),
    doubled: [...texts].filter(([, count]) => count > 1).map(([text]) => text),
    missingSeqs: (await agent.missing()).length,
    keeperKills,
    captureKills,
  };
}

/** Waits until everything arrived, or until nothing more has for a while. */
async function finalTexts(agent: AgentUnderTest, truth: readonly string[]): Promise<Map<string, number>> {
  let texts = new Map<string, number>();
  let quietSince = performance.now();
  await until(
    'the collector to have everything, or to hear nothing more',
    async () => {
      const now = await textCounts(agent);
      if (now.size !== texts.size) quietSince = performance.now();
      texts = now;
      return truth.every((text) => texts.has(text)) || performance.now() - quietSince > 45_000;
    },
    180_000,
  );
  return texts;
}

async function textCounts(agent: AgentUnderTest): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const row of await agent.rows()) {
    if (row.turn_type === 'user' || row.turn_type === 'assistant')
      counts.set(row.text, (counts.get(row.text) ?? 0) + 1);
  }
  return counts;
}

function writeOn(writer: SessionWriter, random: () => number) {
  let running = true;
  const done = (async () => {
    while (running) {
      if (random() < 0.05) writer.begin();
      writer.turn(Math.floor(random() * writer.sessions));
      await pause(5 + random() * 30);
    }
  })();
  return {
    stop(): Promise<void> {
      running = false;
      return done;
    },
  };
}

function someOf<T>(values: readonly T[]): readonly [T, ...T[]] | undefined {
  const [first, ...rest] = values;
  return first === undefined ? undefined : [first, ...rest];
}

function killProcess(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** mulberry32: small, and good enough to spread points of time. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
