/** A fuzz run in a thread that can be ended: crashes, hangs and broken rows come back with the input that shows them. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { allTargets } from './targets.ts';
import type { Fault, WorkerSettings } from './worker.ts';

export interface FuzzOptions {
  readonly seed: string;
  readonly minutes: number;
  /** Most inputs. */
  readonly most: number;
}

export interface FuzzResult {
  readonly tried: number;
  /** One fault of each kind. */
  readonly faults: readonly Fault[];
}

/** Longest time for one input. */
const HANG_MS = 5_000;
const POLL_MS = 250;
const MAX_INPUT_BYTES = 4 << 20;
const HEAP_MB = 512;

export async function fuzz({ seed, minutes, most }: FuzzOptions): Promise<FuzzResult> {
  const counters = new SharedArrayBuffer(16);
  const current = new SharedArrayBuffer(MAX_INPUT_BYTES);
  const settings: WorkerSettings = { seed, minutes, most, counters, current };
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: settings,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  const faults = new Map<string, Fault>();
  const keep = (fault: Fault) => {
    const kind = `${fault.target} ${kindOf(fault.fault)}`;
    if (!faults.has(kind)) faults.set(kind, fault);
  };
  let isOver = false;
  worker.on('message', keep);
  worker.on('error', (error) => keep(underWay(settings, `the thread died: ${error.message}`)));
  worker.on('exit', () => {
    isOver = true;
  });
  const counts = new Int32Array(counters);
  let seen = { tried: -1, since: performance.now() };
  while (!isOver) {
    await sleep(POLL_MS);
    const tried = Atomics.load(counts, 0);
    if (tried !== seen.tried) seen = { tried, since: performance.now() };
    else if (tried > 0 && performance.now() - seen.since > HANG_MS) {
      keep(underWay(settings, `no answer within ${HANG_MS} ms`));
      await worker.terminate();
    }
  }
  return { tried: Atomics.load(counts, 0), faults: [...faults.values()] };
}

/** The input that was being parsed. */
function underWay({ counters, current }: WorkerSettings, fault: string): Fault {
  const [, target = 0, bytes = 0, path = 0] = new Int32Array(counters);
  const shared = Buffer.from(current);
  const pathAt = shared.length - 4_096;
  return {
    target: allTargets()[target]?.name ?? '',
    path: shared.toString('utf8', pathAt, pathAt + path),
    bytes: Buffer.from(shared.subarray(0, bytes)),
    fault,
  };
}

/** What two faults of one kind have in common: the error and where it was thrown, without what it quotes. */
function kindOf(fault: string): string {
  const frames = fault.split('\n').filter((line) => line.includes(' at '));
  return `${fault.split('\n', 1)[0]?.replace(/\d+/g, 'N')} ${frames.slice(0, 2).join(' ')}`;
}
