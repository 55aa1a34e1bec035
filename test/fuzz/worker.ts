/**
 * Tries inputs until the time is over. The input under way stands in shared memory, so that whoever watches can keep
 * it when this thread hangs or dies.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { faultOf } from './check.ts';
import { inputsOf } from './inputs.ts';
import { allTargets } from './targets.ts';

export interface WorkerSettings {
  readonly seed: string;
  readonly minutes: number;
  readonly most: number;
  /** [inputs tried, index of the target, bytes of the input, bytes of its path]. */
  readonly counters: SharedArrayBuffer;
  readonly current: SharedArrayBuffer;
}

export interface Fault {
  readonly target: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly fault: string;
}

const { seed, minutes, most, counters, current } = workerData as WorkerSettings;
const targets = allTargets();
const counts = new Int32Array(counters);
const shared = Buffer.from(current);
const end = performance.now() + minutes * 60_000;
for (const { target, input } of inputsOf(targets, seed)) {
  const tried = Atomics.load(counts, 0);
  if (tried >= most || performance.now() > end) break;
  Atomics.store(counts, 1, targets.indexOf(target));
  Atomics.store(counts, 2, input.bytes.copy(shared));
  Atomics.store(counts, 3, Buffer.from(input.path).copy(shared, shared.length - 4_096));
  const fault = faultOf(target, input);
  if (fault !== undefined) parentPort?.postMessage({ target: target.name, ...input, fault } satisfies Fault);
  Atomics.store(counts, 0, tried + 1);
}
