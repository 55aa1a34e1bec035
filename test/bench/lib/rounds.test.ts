import assert from 'node:assert/strict';
import { interleave, measureHere, summarise } from '../../../bench/lib/rounds.ts';

const SAMPLE = { work: 100, wallMs: 10, cpuMs: 5 };

describe('bench/lib/rounds', () => {
  it('runs every case in turn, and keeps nothing of the warm-up', async () => {
    const order: string[] = [];
    const cases = ['a', 'b'].map((name) => ({
      name,
      run: () => {
        order.push(name);
        return { ...SAMPLE, work: order.length };
      },
    }));

    const runs = await interleave(cases, { rounds: 2, warmup: 1 });

    assert.deepEqual(order, ['a', 'b', 'a', 'b', 'a', 'b']);
    assert.deepEqual(
      runs.map(({ samples }) => samples.map(({ work }) => work)),
      [
        [3, 5],
        [4, 6],
      ],
    );
  });

  it('compares rates inside each round, so that a slow round does not count for one case alone', () => {
    const samples = (times: number[]) => times.map((wallMs) => ({ work: 100, wallMs, cpuMs: wallMs / 2 }));

    const [, half] = summarise([
      { name: 'first', samples: samples([10, 100, 1_000]) },
      { name: 'half as fast', samples: samples([20, 200, 2_000]) },
    ]);

    assert.equal(half?.wallRatio, 0.5);
    assert.equal(half?.cpuRatio, 0.5);
    assert.equal(half?.wallMs, 200);
    assert.deepEqual(half?.wallRange, [20, 2_000]);
  });

  it('takes different amounts of work into account', () => {
    const [, other] = summarise([
      { name: 'first', samples: [SAMPLE] },
      { name: 'other', samples: [{ ...SAMPLE, work: 200 }] },
    ]);

    assert.equal(other?.wallRatio, 2);
  });

  it('takes the median of further figures', () => {
    const samples = [1, 9, 5].map((rss) => ({ ...SAMPLE, extra: { rss } }));

    const [summary] = summarise([{ name: 'only', samples }]);

    assert.deepEqual(summary?.extra, { rss: 5 });
  });

  it('hands on the work that was done here', () => {
    const { work, wallMs, cpuMs } = measureHere(() => 42);

    assert.equal(work, 42);
    assert.ok(wallMs >= 0 && cpuMs >= 0);
  });
});
