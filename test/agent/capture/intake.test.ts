import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Intake, type IntakeItem, RISK, riskOf } from '../../../agent/capture/intake.ts';

const DAY = 86_400_000;
const NOW = 1_000 * DAY;

describe('agent/capture/intake', () => {
  it('gives each file once, in the order of its best reason', () => {
    fc.assert(
      fc.property(items(), (added) => {
        const intake = new Intake();
        for (const item of added) intake.add(item);

        const size = intake.size;
        const taken = takeAll(intake);

        assert.deepEqual(
          taken.map(({ risk, rank }) => [risk, rank]),
          bestOf(added),
        );
        assert.equal(size, taken.length);
        assert.equal(new Set(taken.map(({ key }) => key)).size, taken.length);
      }),
    );
  });

  it('keeps its order when files are added between takes', () => {
    fc.assert(
      fc.property(fc.array(fc.option(item(), { nil: undefined }), { maxLength: 80 }), (steps) => {
        const intake = new Intake();
        const model = new Map<string, IntakeItem>();

        for (const step of steps) {
          if (step) {
            intake.add(step);
            const known = model.get(step.key);
            if (!known || compare(step, known) < 0) model.set(step.key, step);
            continue;
          }
          const taken = intake.take();
          const [best] = [...model.values()].sort(compare);
          assert.deepEqual(taken && [taken.risk, taken.rank], best && [best.risk, best.rank]);
          if (taken) model.delete(taken.key);
        }
        assert.equal(intake.size, model.size);
      }),
    );
  });

  it('takes a file again that was added after it was taken', () => {
    const intake = new Intake();
    intake.add({ key: 'a', risk: RISK.old, rank: 1 });
    intake.take();

    intake.add({ key: 'a', risk: RISK.old, rank: 1 });

    assert.equal(intake.take()?.key, 'a');
    assert.equal(intake.take(), undefined);
  });

  it('puts what is about to be deleted before what was used lately, and that before the rest', () => {
    const order = [
      riskOf('old', NOW - 5 * DAY, NOW, 30),
      riskOf('older', NOW - 9 * DAY, NOW, 30),
      riskOf('recent', NOW - 1_000, NOW, 30),
      riskOf('expiring', NOW - 28 * DAY, NOW, 30),
      riskOf('overdue', NOW - 40 * DAY, NOW, 30),
      riskOf('future', NOW + 40 * DAY, NOW, 30),
    ];
    const intake = new Intake();
    for (const item of order) intake.add(item);

    assert.deepEqual(
      takeAll(intake).map(({ key }) => key),
      ['overdue', 'expiring', 'future', 'recent', 'old', 'older'],
    );
  });
});

function item() {
  return fc.record({
    key: fc.constantFrom(...'abcdefghij'),
    risk: fc.nat(3),
    rank: fc.integer({ min: -5, max: 5 }),
  });
}

function items() {
  return fc.array(item(), { maxLength: 60 });
}

function compare(a: IntakeItem, b: IntakeItem): number {
  return a.risk - b.risk || a.rank - b.rank;
}

function takeAll(intake: Intake): IntakeItem[] {
  const taken: IntakeItem[] = [];
  for (let next = intake.take(); next; next = intake.take()) taken.push(next);
  return taken;
}

function bestOf(added: readonly IntakeItem[]): number[][] {
  const best = new Map<string, IntakeItem>();
  for (const candidate of added.toSorted(compare))
    if (!best.has(candidate.key)) best.set(candidate.key, candidate);
  return [...best.values()].sort(compare).map(({ risk, rank }) => [risk, rank]);
}
