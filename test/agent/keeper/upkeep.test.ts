import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Committer } from '../../../agent/capture/committer.ts';
import type { Commit } from '../../../agent/contract/commit.ts';
import { silentLogger } from '../../../agent/contract/logger.ts';
import { noMetrics } from '../../../agent/contract/metrics.ts';
import type { Row } from '../../../agent/contract/row.ts';
import type { Store } from '../../../agent/contract/store.ts';
import type { Runtime } from '../../../agent/keeper/runtime.ts';
import { createSelfRows } from '../../../agent/keeper/self-rows.ts';
import { startUpkeep } from '../../../agent/keeper/upkeep.ts';
import { assessHealth } from '../../../agent/telemetry/assess-health.ts';
import type { HealthFacts } from '../../../agent/telemetry/health.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/temp.ts';

const MINUTE = 60_000;

describe('agent/keeper/upkeep', () => {
  it('beats as often as configured, each time a row of its own', async () => {
    const { clock, rows } = setUp();

    await clock.advance(5 * MINUTE);

    assert.equal(rows().length, 5);
    assert.equal(new Set(rows().map(({ row_id }) => row_id)).size, 5);
    assert.ok(rows().every(({ event }) => event === 'holdfast.heartbeat'));
  });

  it('goes on beating after a moment in which health could not be told', async () => {
    const { clock, rows, trouble } = setUp();
    trouble.health = new Error('input/output error');
    await clock.advance(MINUTE);
    const during = rows().length;

    trouble.health = undefined;
    await clock.advance(MINUTE);

    assert.deepEqual([during, rows().length], [0, 1]);
  });

  it('goes on when the store can neither be pruned nor marked', async () => {
    const { clock, rows, trouble, prunes } = setUp();
    trouble.store = new Error('disk full');
    await clock.advance(3 * MINUTE);

    trouble.store = undefined;
    await clock.advance(MINUTE);

    assert.equal(rows().length, 4);
    assert.equal(prunes.length, 1);
  });

  it('forgets a large backlog within minutes, and then looks once a minute', async () => {
    const { clock, prunes, store } = setUp();
    store.prunable = 30;

    await clock.advance(2 * MINUTE);
    const early = prunes.length;
    await clock.advance(10 * MINUTE);

    assert.ok(early > 30, `${early} prunes`);
    assert.ok(prunes.length - early <= 11, `${prunes.length - early} prunes with nothing to do`);
  });

  it('marks how far the numbers are, when they moved and at the end', async () => {
    const { clock, stateDir, store, upkeep } = setUp();
    store.seq = 7;
    await clock.advance(6_000);
    const marked = markOf(stateDir);

    store.seq = 9;
    upkeep.stop();

    assert.deepEqual(marked, { epoch: 'e1', seq: 7 });
    assert.deepEqual(markOf(stateDir), { epoch: 'e1', seq: 9 });
  });

  it('does nothing any more after its end', async () => {
    const { clock, rows, prunes, upkeep, store, stateDir } = setUp();
    store.prunable = 5;
    await clock.advance(MINUTE);
    upkeep.stop();
    const [beats, pruned] = [rows().length, prunes.length];
    store.seq = 99;

    await clock.advance(10 * MINUTE);

    assert.deepEqual([rows().length, prunes.length], [beats, pruned]);
    assert.notEqual(markOf(stateDir)?.seq, 99);
  });
});

function setUp() {
  const clock = new FakeClock();
  const stateDir = tempDir();
  const commits: Commit[] = [];
  const prunes: number[] = [];
  const trouble: { health: Error | undefined; store: Error | undefined } = {
    health: undefined,
    store: undefined,
  };
  const store = { seq: 1, prunable: 0 };
  const throwing = <T>(error: Error | undefined, value: () => T): T => {
    if (error) throw error;
    return value();
  };
  const upkeep = startUpkeep({
    stateDir,
    store: {
      epoch: 'e1',
      lastSeq: () => throwing(trouble.store, () => store.seq),
      releaseCopies: () => 0,
      prune: () => throwing(trouble.store, () => prunes.push(clock.now()) && Math.max(0, store.prunable--)),
    } as unknown as Store,
    committer: { submit: (_home, commit) => commits.push(commit) } as Partial<Committer> as Committer,
    clock,
    logger: silentLogger,
    metrics: noMetrics,
    renderMetrics: () => '',
    selfRows: createSelfRows({ id: 'h', name: 'h', labels: {}, maxTextBytes: 1_000 }, clock),
    health: () => throwing(trouble.health, () => assessHealth(healthy(clock))),
    runtime: () =>
      ({
        config: { telemetry: { heartbeatSeconds: 60, metricsFile: null } },
        deliveries: { ids: () => ['s'] },
      }) as unknown as Runtime,
    watchClock: () => {},
    onCommitted: () => {},
  });
  const rows = () => commits.map(({ rows: { lines } }) => JSON.parse(lines.toString('utf8')) as Row);
  return { clock, stateDir, store, trouble, prunes, rows, upkeep };
}

function healthy(clock: FakeClock): HealthFacts {
  return {
    now: clock.now(),
    version: '1.2.3',
    startedAt: 0,
    uptimeMs: 0,
    host: { id: 'h', name: 'h' },
    fullSweepMs: 1,
    pollWished: false,
    homes: [],
    unreadableHomes: [],
    store: { bytes: 0, maxBytes: 1, full: false, trouble: null },
    sinks: [],
    rows: 0,
    heldRows: 0,
    clockJump: null,
  };
}

function markOf(stateDir: string): { seq: number } | undefined {
  const file = join(stateDir, 'epoch.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}
