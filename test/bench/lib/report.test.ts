import assert from 'node:assert/strict';
import { judge } from '../../../bench/lib/budget.ts';
import { withResults } from '../../../bench/lib/report.ts';
import { readResults, type StoredResult, writeResult } from '../../../bench/lib/results.ts';
import { tempDir } from '../../support/temp.ts';

const RESULT: StoredResult = {
  name: 'latency',
  title: 'From an append to the row',
  quick: false,
  at: '2026-11-30T12:00:00.000Z',
  seconds: 14.2,
  machine: { node: 'v24.0.0', platform: 'linux', cores: 2, cpu: 'Some CPU', memoryGb: 16, load: 0.5 },
  loadAfter: 0.75,
  tables: [{ title: 'Milliseconds', head: ['to', 'p50'], rows: [['row', '4.2']] }],
  verdicts: [
    judge({ what: 'append to row', unit: 'ms', bar: 60, aim: 10, better: 'lower' }, 4.2),
    judge({ what: 'speed', unit: 'x', bar: 0.35, aim: 0.7, better: 'higher' }, 0.2),
  ],
  notes: ['a note'],
  figures: {},
};
const DOCUMENT = 'before\n\n<!-- results: begin -->\nold\n<!-- results: end -->\n\nafter\n';

describe('bench/lib/report', () => {
  it('replaces what stands between the marks and nothing else', () => {
    const text = withResults(DOCUMENT, [RESULT]);

    assert.match(text, /^before\n\n<!-- results: begin -->\n\n### Budgets/);
    assert.match(text, /<!-- results: end -->\n\nafter\n$/);
    assert.doesNotMatch(text, /old/);
    assert.equal(withResults(text, [RESULT]), text);
  });

  it('shows every budget with its verdict, and what the run looked like', () => {
    const text = withResults(DOCUMENT, [RESULT]);

    assert.match(text, /\| append to row +\| +latency \| +4\.20 ms \| +≤ 60 ms \| +10 ms \| +met \|/);
    assert.match(
      text,
      /\| speed +\| +latency \| +\*\*0\.200x\*\* \| +≥ 0\.35x \| +0\.7x \| +\*\*not met\*\* \|/,
    );
    assert.match(text, /load 0\.5 before and 0\.75 after; Node v24\.0\.0, 2 × Some CPU/);
    assert.match(text, /- a note/);
  });

  it('says of a quick run that it was one', () => {
    const text = withResults(DOCUMENT, [{ ...RESULT, quick: true }]);

    assert.match(text, /latency \(quick\)/);
  });

  it('refuses a document without the marks', () => {
    assert.throws(() => withResults('nothing here', [RESULT]), /results: begin/);
  });

  it('reads back the last result of each bench', () => {
    const dir = tempDir();

    writeResult({ ...RESULT, seconds: 1 }, dir);
    writeResult(RESULT, dir);
    writeResult({ ...RESULT, name: 'append' }, dir);

    assert.deepEqual(readResults(dir), [{ ...RESULT, name: 'append' }, RESULT]);
  });

  it('has no results where nothing was run', () => {
    assert.deepEqual(readResults(`${tempDir()}/none`), []);
  });
});
