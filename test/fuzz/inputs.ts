/** The inputs of one run, one after the other: the same seed gives the same ones. */
import { createRng } from '../../bench/corpus/rng.ts';
import { mutate } from './mutate.ts';
import type { Input, Target } from './targets.ts';

/** Larger samples are begun from their start only: what matters is how many inputs there are. */
const MAX_SAMPLE_BYTES = 60_000;

export interface Try {
  readonly target: Target;
  readonly input: Input;
}

/** Round after round, one input for each target that has samples. */
export function* inputsOf(targets: readonly Target[], seed: string): Generator<Try> {
  const rng = createRng(seed);
  const usable = targets.filter(({ samples }) => samples.length > 0);
  for (;;) {
    for (const target of usable) {
      const { path, bytes } = rng.pick(target.samples);
      const other = rng.pick(rng.pick(usable).samples).bytes;
      const input = { path, bytes: mutate(start(bytes), rng, start(other)) };
      yield { target, input };
    }
  }
}

function start(bytes: Buffer): Buffer {
  return bytes.subarray(0, MAX_SAMPLE_BYTES);
}
