import assert from 'node:assert/strict';
import { createLayout } from '../../../agent/capture/layout.ts';
import {
  ageDaysOf,
  createRetentionInForce,
  soonestExpiry,
} from '../../../agent/capture/retention-in-force.ts';
import type { Track } from '../../../agent/capture/track.ts';
import { Tracks } from '../../../agent/capture/tracks.ts';
import type { Source, StandingEntry } from '../../../agent/contract/source.ts';
import { toySource } from '../../support/toy-source.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-11-30T12:00:00.000Z');

const source: Source = {
  ...toySource,
  retention: ({ settings }) => ({ days: Number(settings.at(-1)?.value ?? 30), count: null }),
};

function entry(value: string, project?: string): StandingEntry {
  const facts = { key: 'days', value, label: 'session retention', event: 'retention.setting' } as const;
  return { ...facts, subject: value, ...(project !== undefined && { project }) };
}

function setUp(projectOf: (track: Track) => string | undefined = () => undefined, of: Source = source) {
  const layout = createLayout({ home: '/home/alice', sources: [{ source: of, extraRoots: [] }] });
  const tracks = new Tracks();
  const track = (name: string) => {
    const ref = layout.byKey(`.toy/${name}`);
    assert.ok(ref);
    return tracks.ensure(ref);
  };
  return { retention: createRetentionInForce(tracks, projectOf), track };
}

/** A standing file that was read and holds these entries. */
function holding(track: Track, entries: readonly StandingEntry[]): void {
  const standing = Object.fromEntries(entries.map((one, at) => [String(at), one]));
  track.cursor = { standing } as unknown as Track['cursor'];
}

describe('agent/capture/retention-in-force', () => {
  it('is for ever where the source names no period', () => {
    const { retention: _, ...keeps } = toySource;
    const { retention, track } = setUp(undefined, keeps);

    assert.deepEqual(retention.of(track('a.log')), { days: null, count: null });
  });

  it('is what the source says without settings, and what settings say as soon as they were read', () => {
    const { retention, track } = setUp();
    const log = track('a.log');

    const before = retention.of(log);
    holding(track('settings.grants'), [entry('7')]);
    retention.changed();

    assert.equal(before.days, 30);
    assert.equal(retention.of(log).days, 7);
  });

  it('takes settings of a project for sessions of that project only', () => {
    const { retention, track } = setUp(({ ref }) => (ref.relative === 'a.log' ? '/srv/shop' : '/srv/other'));
    holding(track('settings.grants'), [entry('7'), entry('2', '/srv/shop')]);

    assert.equal(retention.of(track('a.log')).days, 2);
    assert.equal(retention.of(track('b.log')).days, 7);
  });

  it('counts age from the last record, else from the last change, and never below zero', () => {
    const { track } = setUp();
    const [recorded, changed, future] = [track('a.log'), track('b.log'), track('c.log')];
    recorded.tally = { ...recorded.tally, last: '2026-11-28T12:00:00.000Z' };
    recorded.foundMs = NOW;
    changed.foundMs = NOW - 3 * DAY_MS;
    future.tally = { ...future.tally, last: '2027-11-28T12:00:00.000Z' };

    assert.deepEqual(
      [recorded, changed, future].map((one) => ageDaysOf(one, NOW)),
      [2, 3, 0],
    );
  });

  it('finds the soonest end among session files that wait', () => {
    const { retention, track } = setUp();
    const [old, overdue, settings] = [track('a.log'), track('b.log'), track('settings.grants')];
    old.foundMs = NOW - 10 * DAY_MS;
    overdue.foundMs = NOW - 31 * DAY_MS;
    settings.foundMs = NOW - 99 * DAY_MS;

    assert.equal(soonestExpiry([old], retention, NOW), 20);
    assert.equal(soonestExpiry([old, overdue, settings], retention, NOW), -1);
    assert.equal(soonestExpiry([settings], retention, NOW), null);
  });
});
