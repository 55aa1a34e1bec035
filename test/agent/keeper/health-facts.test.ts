import assert from 'node:assert/strict';
import type { Committer } from '../../../agent/capture/committer.ts';
import type { CaptureState } from '../../../agent/capture/protocol.ts';
import type { SupervisorState } from '../../../agent/capture/supervisor.ts';
import type { Store } from '../../../agent/contract/store.ts';
import { createHealthGatherer } from '../../../agent/keeper/health-facts.ts';
import type { Runtime } from '../../../agent/keeper/runtime.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const HOUR = 3_600_000;
const CAPTURE: CaptureState = {
  watchMode: 'polling',
  roots: [],
  files: { 'gemini-cli': 3 },
  parsed: { 'gemini-cli': 2 },
  rows: {},
  unreadable: Array.from({ length: 50 }, (_, n) => `/p${n}: EACCES`),
  waiting: 0,
  minDaysToExpiry: null,
  pinned: 0,
  readBytes: 0,
  lastFullSweep: 5,
};

describe('agent/keeper/health-facts', () => {
  it('tells of each home what its capture process said', () => {
    const { facts } = setUp({ capture: CAPTURE, quarantined: ['.gemini/a'] });

    const [home] = facts().homes;

    assert.deepEqual(home?.sources, [{ source: 'gemini-cli', files: 3, parsed: 2 }]);
    assert.deepEqual([home?.watch, home?.lastFullSweepAt, home?.running], ['polling', 5, true]);
    assert.deepEqual(home?.quarantined, ['.gemini/a']);
    assert.equal(home?.unreadable.length, 20);
  });

  it('tells how many files and copies wait', () => {
    const { homes, heldRows } = setUp({}).facts();

    assert.deepEqual([homes[0]?.waiting, heldRows], [2, 4]);
  });

  it('compares the bound with stored bytes, not with the JSON that waits', () => {
    const { bytes, maxBytes } = setUp({}).facts().store;

    assert.deepEqual([bytes, maxBytes], [77, 1]);
  });

  it('knows of a home whose process has not spoken yet that it was not swept', () => {
    const [home] = setUp({ capture: undefined }).facts().homes;

    assert.deepEqual([home?.lastFullSweepAt, home?.sources], [null, []]);
  });

  it('counts restarts of late, and not for ever', async () => {
    const { facts, clock, state } = setUp({});
    const counts: (number | undefined)[] = [];
    const look = () => counts.push(facts().homes[0]?.restarts);
    look();
    state.restarts = 2;
    look();
    await clock.advance(2 * HOUR);
    look();
    state.restarts = 3;
    look();

    assert.deepEqual(counts, [0, 2, 0, 1]);
  });

  it('counts no restarts below none when a changed configuration started all processes anew', async () => {
    const { facts, clock, state } = setUp({});
    state.restarts = 5;
    facts();
    await clock.advance(2 * HOUR);
    facts();

    state.restarts = 0;

    assert.equal(facts().homes[0]?.restarts, 0);
  });

  it('notices that the wall clock jumped, and by how much', async () => {
    const { facts, clock, gatherer } = setUp({});
    await clock.advance(HOUR);
    gatherer.watchClock();
    const before = facts().clockJump;

    clock.jumpWall(-2 * 24 * HOUR);
    gatherer.watchClock();
    const jump = facts().clockJump;
    await clock.advance(HOUR);
    gatherer.watchClock();

    assert.equal(before, null);
    assert.equal(jump?.ms, -2 * 24 * HOUR);
    assert.deepEqual(facts().clockJump, jump);
    assert.equal(facts().uptimeMs, 2 * HOUR);
  });

  it('tells what is wrong with the store now rather than what was wrong at the start', () => {
    const { facts, committer } = setUp({});
    const atFirst = facts().store.trouble;

    committer.error = 'disk full';

    assert.equal(atFirst, 'was damaged');
    assert.equal(facts().store.trouble, 'disk full');
  });
});

function setUp(changes: Partial<SupervisorState>) {
  const clock = new FakeClock();
  const state = {
    home: '/home/alice',
    running: true,
    restarts: 0,
    lastExit: undefined,
    quarantined: [],
    waiting: 2,
    capture: CAPTURE,
    ...changes,
  } as { -readonly [Key in keyof SupervisorState]: SupervisorState[Key] };
  const committer = { error: undefined as string | undefined };
  const gatherer = createHealthGatherer({
    clock,
    host: { id: 'h', name: 'laptop' },
    version: '1.2.3',
    committer: { state: () => ({ waiting: 0, full: false, error: committer.error }) } as Committer,
    store: { lastSeq: () => 9, heldRows: () => 4, waitingBytes: () => 77 } as Store,
    storeTrouble: 'was damaged',
  });
  const home = { path: '/home/alice', user: 'alice', uid: 1, gid: 1 };
  const runtime = {
    config: { capture: { fullSweepSeconds: 120, watch: 'auto' }, store: { maxOutboxBytes: 1 } },
    captures: { states: () => [{ home, state }] },
    deliveries: { states: () => [] },
    unreadable: () => [],
  } as unknown as Runtime;
  return { clock, gatherer, committer, state, facts: () => gatherer.facts(runtime) };
}
