import assert from 'node:assert/strict';
import type { DraftRow } from '../../agent/contract/row.ts';
import { draftId } from '../parsers/support.ts';
import { faultOf } from './check.ts';
import { keptInputs } from './corpus.ts';
import { fuzz } from './run.ts';
import { allTargets, type Input, type Target } from './targets.ts';

/** Places at which a sample is cut; small ones are cut at every byte. */
const CUTS = 60;

/**
 * Where the end of a cut file may read as something else: a line of plain text looks whole wherever it ends, and what an
 * entry of these documents is depends on the one behind it; a `.chat` takes its last turn for its own. How many rows
 * stand before that.
 */
const CERTAIN = new Map<string, (rows: readonly DraftRow[]) => number>([
  ['gemini-cli/shell-history', allButLast],
  ['gemini-cli/chat-checkpoint', allButLast],
  ['qwen-code/shell-history', allButLast],
  ['amazon-q/typed-history', allButLast],
  ['kiro-cli/typed-history', allButLast],
  ['kiro-ide/chat', (rows) => rows.findLastIndex(({ turn_type }) => turn_type === 'user')],
]);

function allButLast(rows: readonly DraftRow[]): number {
  return rows.length - 1;
}

describe('parsers, on inputs that no program wrote', () => {
  const targets = allTargets();

  it('keep the contract for some thousand changed samples', async () => {
    const { tried, faults } = await fuzz({ seed: 'short', minutes: 1, most: 6_000 });

    assert.deepEqual(faults, []);
    assert.equal(tried, 6_000);
  }).timeout(90_000);

  it('keep it for every input that once showed a fault', () => {
    for (const { target: name, ...input } of keptInputs()) {
      const target = targets.find((one) => one.name === name);
      assert.ok(target, name);
      assert.equal(faultOf(target, input), undefined, `${name} ${input.path}`);
    }
  });

  for (const target of targets) {
    it(`invent nothing when a sample of ${target.name} is cut at any byte`, () => {
      for (const sample of target.samples) {
        const whole = new Set(told(target, sample).map((row) => draftId(target.source, row)));
        const step = Math.ceil(sample.bytes.length / CUTS);
        for (let end = 0; end < sample.bytes.length; end += step) {
          const cut = { path: sample.path, bytes: sample.bytes.subarray(0, end) };
          const rows = told(target, cut);
          const certain = rows.slice(0, Math.max(0, CERTAIN.get(target.name)?.(rows) ?? rows.length));
          const invented = certain.filter((row) => !whole.has(draftId(target.source, row)));
          assert.deepEqual(invented, [], `${sample.path} cut at ${end}`);
        }
      }
    });
  }

  it('are noticed when they break it', () => {
    const [target] = targets as [Target, ...Target[]];
    const broken = { ...target, parse: () => [{ record: '' } as DraftRow] };

    assert.match(faultOf(broken, target.samples[0] as Input) ?? '', /AssertionError/);
    assert.match(
      faultOf({ ...target, parse: () => JSON.parse('{') }, target.samples[0] as Input) ?? '',
      /JSON/,
    );
  });
});

/** What somebody said or did; what is said about the file itself may differ. */
function told(target: Target, input: Input): DraftRow[] {
  return target.parse(input).filter(({ turn_type }) => turn_type !== 'system');
}
