import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rowOf } from '../support/batches.ts';
import { findCases } from './case.ts';
import { brokenMusts, mustsIn } from './musts.ts';

const ROOT = join(import.meta.dirname, '../..');
const NOTES = [
  'Why.',
  '',
  'Must:',
  '- a decision that names both calls',
  '  `{"event":"permission.decision","attrs":{"candidates":"a,b"}}`',
  '  `{"event":"permission.decision","sid":"other","count":0}`',
  '- nobody says how',
  '',
  'Must not:',
  '- be read',
].join('\n');

describe('cases/musts', () => {
  it('reads each sentence with the rows below it', () => {
    assert.deepEqual(mustsIn(NOTES), [
      {
        says: 'a decision that names both calls',
        rows: [
          { event: 'permission.decision', attrs: { candidates: 'a,b' } },
          { event: 'permission.decision', sid: 'other', count: 0 },
        ],
      },
      { says: 'nobody says how', rows: [] },
    ]);
    assert.deepEqual(mustsIn('Nothing.'), []);
  });

  it('refuses a row of a form that it does not know', () => {
    assert.throws(() => mustsIn('Must:\n- a\n  `{"branch":"main"}`'), /branch/);
  });

  it('passes over the rest of a sentence that is longer than a line', () => {
    assert.deepEqual(mustsIn('Must:\n- a sentence\n  of two lines\n  `{"event":"x"}`\n- b\n'), [
      { says: 'a sentence', rows: [{ event: 'x' }] },
      { says: 'b', rows: [] },
    ]);
  });

  it('refuses a line below a sentence that is no row', () => {
    assert.throws(() => mustsIn('Must:\n- a\n  {"event":"x"}'), /neither/);
    assert.throws(() => mustsIn('Must:\n- a\n  `{"event":"x"}` or so'), /neither/);
  });

  it('wants as many rows as it says, with these attributes among their own', () => {
    const musts = mustsIn(NOTES);
    const decision = (attributes: Record<string, string>, session = 's') => ({
      row: rowOf('denied', 1, {
        turn_type: 'system',
        event: 'permission.decision',
        attributes,
        session_id: session,
      }),
      copies: 1,
    });

    assert.deepEqual(brokenMusts(musts, [decision({ candidates: 'a,b', by: 'n' })], 'warm'), []);
    assert.equal(brokenMusts(musts, [decision({ candidates: 'a' })], 'warm').length, 1);
    assert.equal(brokenMusts(musts, [], 'cold').length, 1);
    assert.equal(
      brokenMusts(musts, [decision({ candidates: 'a,b' }), decision({ candidates: 'a,b' }, 'other')], 'warm')
        .length,
      2,
    );
  });

  it('asks of a cold run nothing that only a running agent can see', () => {
    const musts = mustsIn('Must:\n- a\n  `{"event":"x","live":true}`');

    assert.equal(brokenMusts(musts, [], 'warm').length, 1);
    assert.deepEqual(brokenMusts(musts, [], 'cold'), []);
  });

  it('every sentence of the recorded scenes says which rows it means', () => {
    const notes = findCases(join(ROOT, 'fixtures/recorded')).map((dir) =>
      readFileSync(join(dir, 'expect.md'), 'utf8'),
    );
    const all = notes.flatMap(mustsIn);
    const hyphens = notes.flatMap((text) => text.match(/^\s*- .+$/gm) ?? []);

    assert.equal(all.length, 43);
    assert.equal(hyphens.length, all.length);
    assert.deepEqual(
      all.filter(({ rows }) => rows.length === 0),
      [],
    );
  });
});
