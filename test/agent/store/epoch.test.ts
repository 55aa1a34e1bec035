import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../../agent/contract/store.ts';
import { writeMarker } from '../../../agent/store/epoch.ts';
import { missingBetween, rangesOf } from '../../../collector/gaps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/temp.ts';
import { commitOf, HOME, open, seqsOf, textsOf } from './support.ts';

const LIMITS = { maxRows: 2, maxBytes: 1 << 20 };

describe('agent/store/epoch', () => {
  it('leaves no gap in either epoch after an older state was restored', () => {
    const { opened, seen, lifeOf } = restored();

    commitEach(opened.store, 'x', 'y');
    deliver(opened.store, seen, 9);

    assert.deepEqual(lifeOf(0), { missing: [], last: 5 });
    assert.deepEqual(lifeOf(1), { missing: [], last: 2 });
    assert.match(opened.trouble ?? '', /2 rows of an earlier run are missing here/);
  });

  it('still shows a number that never came', () => {
    const { opened, seen, lifeOf, epochs } = restored();
    seen.get(epochs()[0] ?? '')?.delete(4);

    commitEach(opened.store, 'x');
    deliver(opened.store, seen, 9);

    assert.deepEqual(lifeOf(0).missing, [{ first: 4, last: 4 }]);
    assert.deepEqual(lifeOf(1).missing, []);
  });

  it('keeps rows of two epochs apart in batches, also over a further restart', () => {
    const { opened, dir } = restored();
    commitEach(opened.store, 'x');
    opened.close();

    const { store } = open(new FakeClock(), dir);
    const first = store.take('s', 'live', { ...LIMITS, maxRows: 500 });
    assert.ok(first);
    store.settle('s', first, []);
    const second = store.take('s', 'live', LIMITS);

    assert.deepEqual(textsOf(first.ndjson), ['c']);
    assert.deepEqual([first.epoch === undefined, second?.epoch], [false, undefined]);
    assert.deepEqual(seqsOf(second?.ndjson ?? Buffer.from('')), [1]);
  });

  it('does not take a database that was made anew for a restored one', () => {
    const dir = tempDir();
    const first = open(new FakeClock(), dir);
    commitEach(first.store, 'a');
    writeMarker(dir, { epoch: first.store.epoch, seq: 1 });
    first.close();
    rmSync(join(dir, 'state.db'));
    const anew = open(new FakeClock(), dir);
    commitEach(anew.store, 'a');
    anew.close();

    const again = open(new FakeClock(), dir);

    assert.deepEqual([again.store.epoch, again.trouble], [anew.store.epoch, null]);
  });

  it('takes a state of an earlier epoch for restored too', () => {
    const { opened, dir, backup, epochs } = restored();
    commitEach(opened.store, 'x');
    opened.close();

    cpSync(backup, join(dir, 'state.db'));
    const again = open(new FakeClock(), dir);

    assert.ok(![...epochs(), opened.store.epoch].includes(again.store.epoch));
    assert.match(again.trouble ?? '', /an older state was found/);
  });
});

type Seen = Map<string, Set<number>>;

/** Rows 1 to 3 are in the backup, of which 1 and 2 were delivered; 4 and 5 were delivered and then lost. */
function restored() {
  const dir = tempDir();
  const backup = join(tempDir(), 'state.db');
  const seen: Seen = new Map();
  const first = open(new FakeClock(), dir);
  commitEach(first.store, 'a', 'b');
  deliver(first.store, seen, 1);
  commitEach(first.store, 'c');
  first.close();
  cpSync(join(dir, 'state.db'), backup);
  const second = open(new FakeClock(), dir);
  commitEach(second.store, 'd', 'e');
  const lost = second.store.take('s', 'live', { ...LIMITS, maxRows: 9 });
  assert.ok(lost);
  note(seen, second.store.epoch, seqsOf(lost.ndjson).slice(1));
  writeMarker(dir, { epoch: second.store.epoch, seq: 5 });
  second.close();
  cpSync(backup, join(dir, 'state.db'));
  const opened = open(new FakeClock(), dir);
  const epochs = () => [...seen.keys()];
  const lifeOf = (index: number) => {
    const ranges = rangesOf([...(seen.get(epochs()[index] ?? '') ?? [])]);
    return { missing: missingBetween(ranges), last: ranges.at(-1)?.last };
  };
  return { dir, backup, opened, seen, epochs, lifeOf };
}

function commitEach(store: Store, ...texts: string[]): void {
  for (const text of texts) store.commit(HOME, [commitOf([text])]);
}

/** Delivers batches as a collector sees them: numbers by epoch. */
function deliver(store: Store, seen: Seen, batches: number): void {
  for (let count = 0; count < batches; count++) {
    const batch = store.take('s', 'live', LIMITS);
    if (!batch) return;
    note(seen, batch.epoch ?? store.epoch, seqsOf(batch.ndjson));
    store.settle('s', batch, []);
  }
}

function note(seen: Seen, epoch: string, seqs: readonly number[]): void {
  const known = seen.get(epoch) ?? new Set();
  for (const seq of seqs) known.add(seq);
  seen.set(epoch, known);
}
