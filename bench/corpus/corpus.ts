import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CorpusAgent, CorpusPlan } from './agent.ts';
import { geminiCli } from './gemini-cli/home.ts';
import { MANIFEST_FILE, type Manifest, totalsOf } from './manifest.ts';
import { createRng } from './rng.ts';

/** Every coding agent that a corpus holds: a folder and one line each. They share the bytes evenly. */
const AGENTS: readonly CorpusAgent[] = [geminiCli];

const PLAN: Omit<CorpusPlan, 'bytes'> = { projects: 12, end: Date.UTC(2026, 10, 29, 18), days: 28 };
const MIB = 2 ** 20;

/** Writes a home of about `mb` MiB. The same seed and size give the same bytes, times included. */
export function writeCorpus(home: string, { mb, seed }: { mb: number; seed: string }): Manifest {
  mkdirSync(home, { recursive: true });
  const rng = createRng(seed);
  const bytes = Math.round((mb * MIB) / AGENTS.length);
  const sessions = AGENTS.flatMap((agent) => agent.write(home, rng.fork(agent.id), { ...PLAN, bytes }));
  const manifest = { seed, mb, totals: totalsOf(sessions), sessions };
  writeFileSync(join(home, MANIFEST_FILE), `${JSON.stringify(manifest, null, 1)}\n`);
  return manifest;
}
