import assert from 'node:assert/strict';
import type { Row } from '../../agent/contract/row.ts';
import { rowOf } from '../support/batches.ts';
import type { ListedRow } from './case-form.ts';
import { matchRows } from './match.ts';
import { differentIds, onlyInOne, type RunRows } from './same-ids.ts';

const LISTED: readonly ListedRow[] = [{ text: 'hello' }, { text: 'hello' }];
const first = rowOf('hello', 1);
const second = { ...first, row_id: 'second', seq: 2 };
const other = { ...first, row_id: 'other', seq: 2 };

describe('test/cases/same-ids', () => {
  it('finds nothing when equal rows only swapped their places', () => {
    assert.deepEqual(
      differentIds(
        LISTED,
        { warm: run('warm', [first, second]), cold: run('cold', [second, first]) },
        'conversation',
      ),
      [],
    );
  });

  it('reports a row that has another id when cold', () => {
    const found = differentIds(
      LISTED,
      { warm: run('warm', [first, second]), cold: run('cold', [first, other]) },
      'conversation',
    );

    assert.equal(found.length, 1);
    assert.match(found[0] ?? '', /^another row id when cold \(other\)/);
  });

  it('leaves rows alone that only one run gave', () => {
    assert.deepEqual(
      differentIds(
        LISTED,
        { warm: run('warm', [first, second]), cold: run('cold', [first]) },
        'conversation',
      ),
      [],
    );
  });

  it('compares system rows only where every row counts', () => {
    const listed: ListedRow[] = [{ turn: 'system' }];
    const setting = rowOf('setting', 1, { turn_type: 'system' });
    const runs = {
      warm: run('warm', [setting], listed),
      cold: run('cold', [{ ...setting, row_id: 'other' }], listed),
    };

    assert.deepEqual(differentIds(listed, runs, 'conversation'), []);
    assert.equal(differentIds(listed, runs, 'all').length, 1);
  });

  it('reports conversation rows of one run alone, and no system rows', () => {
    const notice = rowOf('note', 3, { turn_type: 'system' });

    const found = onlyInOne(run('warm', [first, notice]), run('cold', [other]));

    assert.deepEqual(
      found.map((text) => text.slice(0, 14)),
      ['only when warm', 'only when cold'],
    );
  });
});

function run(mode: 'warm' | 'cold', rows: readonly Row[], listed = LISTED): RunRows {
  const received = rows.map((row) => ({ row, copies: 1 }));
  return { received, result: matchRows(listed, received, { mode, allButLive: true, allowExtra: false }) };
}
