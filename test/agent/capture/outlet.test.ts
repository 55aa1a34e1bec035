import assert from 'node:assert/strict';
import { createLayout } from '../../../agent/capture/layout.ts';
import { createOutlet } from '../../../agent/capture/outlet.ts';
import { newTrack, type Track } from '../../../agent/capture/track.ts';
import type { DraftRow } from '../../../agent/contract/row.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { MemoryPort } from '../../support/memory-port.ts';
import { toySource } from '../../support/toy-source.ts';

describe('agent/capture/outlet', () => {
  it('hands on nothing before it is told to, and then the cursor with the last of the rows', () => {
    const { outlet, port, track } = setUp();
    outlet.emit(track, draft('one'));
    outlet.emit(track, { ...draft('granted'), event: 'permission.decision' } as const);
    outlet.emit(track, draft('two'));
    const early = port.commits.length;

    outlet.flush(track, null);

    assert.equal(early, 0);
    assert.deepEqual(
      port.commits.map(({ lane, cursor, rows }) => [lane, cursor, rows.count]),
      [
        ['alert', undefined, 1],
        ['live', null, 2],
      ],
    );
    outlet.flush(track, undefined);
    assert.equal(port.commits.length, 2, 'nothing left');
  });

  it('is full when one commit has come together', () => {
    const { outlet, track } = setUp();
    for (let n = 0; n < 499; n++) outlet.emit(track, draft(`row ${n}`));
    const before = outlet.isFull();

    outlet.emit(track, draft('one more'));

    assert.deepEqual([before, outlet.isFull()], [false, true]);
  });

  it('holds no more than a few mebibytes of a file that gives everything at once, and loses nothing of it', () => {
    const { outlet, port, track } = setUp();
    const text = 'x'.repeat(100_000);

    for (let n = 0; n < 200; n++) outlet.emit(track, draft(`${n} ${text}`));
    for (let n = 200; n < 10_000; n++) outlet.emit(track, draft(`${n}`));
    const early = port.rows.length;
    outlet.flush(track, null);

    const sizes = port.commits.map(({ rows }) => rows.lines.length);
    assert.ok(early > 5_000, `${early} rows before the end`);
    assert.ok(Math.max(...sizes) < 8 * 1024 * 1024, `${Math.max(...sizes)} bytes at once`);
    assert.equal(port.rows.length, 10_000);
    assert.deepEqual(
      port.commits.flatMap(({ cursor }) => (cursor === undefined ? [] : [cursor])),
      [null],
    );
  });

  it('counts rows by source, and knows a file that gave more than complaints', () => {
    const { outlet, track } = setUp();
    outlet.emit(track, { ...draft('broken'), event: 'parser.error' });
    const whileBroken = track.productive;

    outlet.emit(track, draft('fine'));

    assert.deepEqual([whileBroken, track.productive], [false, true]);
    assert.deepEqual(outlet.rows(), { 'gemini-cli': 2 });
  });

  it('says of copies alone that they are ahead of their records, where their file is', () => {
    const { outlet, port, track } = setUp({ isAhead: true });
    outlet.emit(track, { ...draft('typed'), copyOf: 'a' });
    outlet.emit(track, draft('told'));

    outlet.flush(track, null);

    assert.deepEqual(
      port.commits.map(({ isAhead, rows }) => [isAhead, rows.count]),
      [
        [true, 1],
        [undefined, 1],
      ],
    );
  });

  it('delivers what a first scan or a sweep over old files found behind what is live', () => {
    const { outlet, port, track } = setUp();
    const alert = { ...draft('granted'), event: 'permission.decision' } as const;
    track.backfill = true;
    outlet.emit(track, alert);
    outlet.flush(track, undefined);
    track.backfill = false;
    track.bulk = true;
    outlet.emit(track, draft('old'));
    outlet.flush(track, undefined);

    assert.deepEqual(
      port.commits.map(({ lane }) => lane),
      ['backfill', 'backfill'],
    );
    assert.deepEqual(
      port.rows.map(({ backfill }) => backfill),
      [true, false],
    );
  });

  it('takes records of the time since it observes for no backfill, in a file of the first scan too', async () => {
    const { clock, outlet, port, track } = setUp();
    const before = clock.now() - 1_000;
    await clock.advance(5_000);
    track.backfill = true;
    track.seen = { birthNs: String(BigInt(before) * 1_000_000n) } as Track['seen'];
    const at = (text: string, ms: number) => ({ ...draft(text), timestamp_utc: new Date(ms).toISOString() });
    outlet.emit(track, at('old', before));
    outlet.emit(track, at('new', clock.now() - 1_000));
    outlet.emit(track, at('of a clock that is ahead', clock.now() + 3_600_000));
    outlet.emit(track, draft('of an old file'));
    outlet.emit(track, { ...at('granted', clock.now()), event: 'permission.decision' } as const);
    track.seen = { birthNs: String(BigInt(clock.now()) * 1_000_000n) } as Track['seen'];
    outlet.emit(track, draft('of a new file'));

    outlet.flush(track, null);

    assert.deepEqual(Object.fromEntries(port.rows.map(({ text, backfill }) => [text, backfill])), {
      old: true,
      new: false,
      'of a clock that is ahead': true,
      'of an old file': true,
      granted: false,
      'of a new file': false,
    });
    assert.deepEqual(
      port.commits.map(({ lane }) => lane),
      ['alert', 'backfill'],
    );
  });
});

function setUp(more: { readonly isAhead?: boolean } = {}) {
  const layout = createLayout({ home: '/home/alice', sources: [{ source: toySource, extraRoots: [] }] });
  const ref = layout.byKey('.toy/a.log');
  assert.ok(ref);
  const port = new MemoryPort();
  const clock = new FakeClock();
  const host = { id: 'h', name: 'h', labels: {}, maxTextBytes: 1 << 20 };
  const outlet = createOutlet({ port, host, user: 'alice', clock });
  const track: Track = newTrack({ ...ref, spec: { ...ref.spec, ...more } }, undefined);
  return { clock, outlet, port, track };
}

function draft(text: string): DraftRow {
  return { record: text, part: 'text', turn_type: 'user', text, session_id: 's' };
}
