import assert from 'node:assert/strict';
import type { DraftRow } from '../../../../agent/contract/row.ts';
import type { GoneRecord } from '../../../../agent/contract/source.ts';
import { talkTable } from '../../../../parsers/shared/conversation/tables.ts';
import { fakeContext } from '../../support.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-30T12:00:00.000Z');

/** The row of a conversation that was saved so many days ago and is missed now. */
function gone(savedDaysAgo: number | undefined, given: Partial<GoneRecord> = {}): DraftRow | undefined {
  const saved = savedDaysAgo === undefined ? null : BigInt(NOW - savedDaysAgo * DAY_MS);
  const { parse, gone: tell } = talkTable({ forks: true });
  const key = ['/home/alice/proj', 'c1'];
  const context = fakeContext('data.sqlite3');
  const cells = { value: Buffer.from('{"history":[]}'), updated_at: saved };
  const memory = parse({ key, cells, rowid: 1, memory: undefined, beside: () => [] }, context, () => {});
  const rows: DraftRow[] = [];
  const record: GoneRecord = {
    key,
    memory,
    cause: 'record',
    missedMs: NOW,
    together: 1,
    retention: { days: null, count: null },
    whileStopped: false,
    ...given,
  };
  tell?.(record, context, (row) => void rows.push(row));
  return rows[0];
}

describe('parsers/shared/conversation/tables', () => {
  it('says that a conversation was older than the program keeps it', () => {
    const row = gone(40, { retention: { days: 30, count: null }, whileStopped: true });

    assert.equal(
      row?.text,
      'conversation deleted from the database while Holdfast was not running: it was older than the coding agent keeps sessions; it was saved 40 days before',
    );
    assert.deepEqual(row?.attributes, {
      kind: 'conversation',
      cause: 'expired',
      while_stopped: true,
      age_days: 40,
      retention_days: 30,
      entries: 0,
    });
  });

  it('takes what the program does not explain for the doing of somebody', () => {
    const young = gone(2, { retention: { days: 30, count: null } });
    const kept = gone(400);
    const many = gone(2, { together: 5 });
    const untimed = gone(undefined);

    assert.deepEqual(
      [young, kept, many, untimed].map((row) => row?.attributes?.['cause']),
      ['user', 'user', 'mass_deletion', 'unknown'],
    );
  });

  it('tells the same deletion with the same identity, whatever is known of it', () => {
    const [one, other] = [gone(40, { whileStopped: true }), gone(undefined, { together: 9 })];

    assert.deepEqual([one?.record, one?.part, one?.content], [other?.record, other?.part, other?.content]);
  });

  it('leaves a database that went away as a whole to its reader', () => {
    assert.equal(gone(2, { cause: 'file' }), undefined);
  });
});
