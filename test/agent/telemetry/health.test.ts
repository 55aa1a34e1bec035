import assert from 'node:assert/strict';
import { assessHealth } from '../../../agent/telemetry/assess-health.ts';
import {
  type HealthFacts,
  type HomeFacts,
  healthExitCode,
  type ProblemCode,
  type Severity,
  type SinkFacts,
} from '../../../agent/telemetry/health.ts';
import { heartbeat } from '../../../agent/telemetry/heartbeat.ts';
import { createRecentGrowth } from '../../../agent/telemetry/recent-growth.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const NOW = Date.UTC(2026, 10, 30, 12);
const MINUTE = 60_000;

function home(changes: Partial<HomeFacts> = {}): HomeFacts {
  return {
    path: '/home/alice',
    user: 'alice',
    running: true,
    restarts: 0,
    watch: 'watching',
    lastFullSweepAt: NOW - MINUTE,
    sources: [{ source: 'gemini-cli', files: 3, parsed: 3 }],
    unreadable: [],
    quarantined: [],
    waiting: 0,
    ...changes,
  };
}

function sink(changes: Partial<SinkFacts> = {}): SinkFacts {
  return {
    sink: 'siem',
    state: 'ok',
    lastSuccessAt: NOW - 5000,
    lastError: null,
    failures: 0,
    rejectedRows: 0,
    backlog: { rows: 0, bytes: 0, oldest: null },
    ...changes,
  };
}

function facts(changes: Partial<HealthFacts> = {}): HealthFacts {
  return {
    now: NOW,
    version: '1.2.3',
    startedAt: NOW - 60 * MINUTE,
    uptimeMs: 60 * MINUTE,
    host: { id: 'h1', name: 'laptop' },
    fullSweepMs: 2 * MINUTE,
    pollWished: false,
    homes: [home()],
    unreadableHomes: [],
    store: { bytes: 10, maxBytes: 1000, full: false, trouble: null },
    sinks: [sink()],
    rows: 99,
    heldRows: 0,
    clockJump: null,
    ...changes,
  };
}

type Expected = readonly [ProblemCode, Severity, subject: string][];

const TABLE: readonly (readonly [string, Partial<HealthFacts>, Expected])[] = [
  ['all is well', {}, []],
  ['no coding agent was ever used', { homes: [home({ sources: [] })] }, [['no_agents_here', 'info', '']]],
  ['there is no home', { homes: [] }, [['no_agents_here', 'info', '']]],
  [
    'the first sweep is still under way',
    { homes: [home({ sources: [], lastFullSweepAt: null })], uptimeMs: 1000 },
    [],
  ],
  ['one home of two is empty', { homes: [home(), home({ path: '/home/bob', sources: [] })] }, []],
  [
    'a home may not be entered',
    { unreadableHomes: [{ path: '/Users/bob', reason: 'EACCES' }] },
    [['home_unreadable', 'error', '/Users/bob']],
  ],
  [
    'the only home may not be entered',
    { homes: [], unreadableHomes: [{ path: '/Users/bob', reason: 'EPERM' }] },
    [['home_unreadable', 'error', '/Users/bob']],
  ],
  [
    'some paths may not be read',
    { homes: [home({ unreadable: ['.gemini/tmp/x'] })] },
    [['home_unreadable', 'warning', '/home/alice']],
  ],
  [
    'watching failed',
    { homes: [home({ watch: 'polling' })] },
    [['watch_degraded', 'warning', '/home/alice']],
  ],
  ['polling was asked for', { homes: [home({ watch: 'polling' })], pollWished: true }, []],
  ['a sweep is a little late', { homes: [home({ lastFullSweepAt: NOW - 6 * MINUTE })] }, []],
  [
    'a sweep is late',
    { homes: [home({ lastFullSweepAt: NOW - 7 * MINUTE })] },
    [['sweep_late', 'warning', '/home/alice']],
  ],
  [
    'sweeps have stopped',
    { homes: [home({ lastFullSweepAt: NOW - 30 * MINUTE })] },
    [['sweep_late', 'error', '/home/alice']],
  ],
  [
    'the first sweep never ends',
    { homes: [home({ lastFullSweepAt: null })], uptimeMs: 7 * MINUTE },
    [['sweep_late', 'warning', '/home/alice']],
  ],
  [
    'the clock jumped forward',
    {
      homes: [home({ lastFullSweepAt: NOW - 48 * 60 * MINUTE - MINUTE })],
      clockJump: { at: NOW - 1000, ms: 48 * 60 * MINUTE },
    },
    [['clock_jumped', 'info', '']],
  ],
  [
    'the clock jumped back',
    {
      homes: [home({ lastFullSweepAt: NOW + 10 * MINUTE })],
      clockJump: { at: NOW - 1000, ms: -11 * MINUTE },
    },
    [['clock_jumped', 'info', '']],
  ],
  ['the clock jumped two days ago', { clockJump: { at: NOW - 48 * 60 * MINUTE, ms: 5000 } }, []],
  [
    'files of an agent give no row',
    { homes: [home({ sources: [{ source: 'kiro-cli', files: 4, parsed: 0 }] })] },
    [['parsed_nothing', 'warning', '/home/alice kiro-cli']],
  ],
  [
    'files were not all looked at yet',
    {
      homes: [home({ sources: [{ source: 'kiro-cli', files: 4, parsed: 0 }], lastFullSweepAt: null })],
      uptimeMs: 1,
    },
    [],
  ],
  [
    'a capture process came back',
    { homes: [home({ restarts: 2 })] },
    [['capture_restarting', 'warning', '/home/alice']],
  ],
  [
    'a capture process is down',
    { homes: [home({ running: false, lastFullSweepAt: NOW - 60 * MINUTE })] },
    [['capture_restarting', 'error', '/home/alice']],
  ],
  [
    'a file is set aside',
    { homes: [home({ quarantined: ['.gemini/tmp/bomb.jsonl'] })] },
    [['file_quarantined', 'warning', '/home/alice']],
  ],
  [
    'the outbox is full',
    { store: { bytes: 1000, maxBytes: 1000, full: true, trouble: null } },
    [['outbox_full', 'error', '']],
  ],
  [
    'the store was made anew',
    { store: { bytes: 0, maxBytes: 1000, full: false, trouble: 'made anew after damage' } },
    [['store_degraded', 'error', '']],
  ],
  [
    'a sink stumbles',
    { sinks: [sink({ state: 'retrying', failures: 1, lastError: 'ECONNRESET' })] },
    [['sink_retrying', 'info', 'siem']],
  ],
  [
    'a sink stays away',
    { sinks: [sink({ state: 'retrying', failures: 9 })] },
    [['sink_retrying', 'warning', 'siem']],
  ],
  [
    'a sink does not take the credential',
    { sinks: [sink({ state: 'unauthorized', failures: 1 })] },
    [['sink_unauthorized', 'error', 'siem']],
  ],
  [
    'a sink refuses everything',
    { sinks: [sink({ state: 'refusing', rejectedRows: 5 })] },
    [['sink_refusing_rows', 'error', 'siem']],
  ],
  [
    'a sink refused some rows',
    { sinks: [sink({ rejectedRows: 1 })] },
    [['sink_refusing_rows', 'warning', 'siem']],
  ],
];

describe('agent/telemetry/assess-health', () => {
  for (const [when, changes, expected] of TABLE) {
    it(`finds ${expected.length === 0 ? 'nothing' : expected.map(([code]) => code).join(', ')} when ${when}`, () => {
      const { problems, status } = assessHealth(facts(changes));

      assert.deepEqual(
        problems.map(({ code, severity, subject }) => [code, severity, subject]),
        expected,
      );
      const worst = problems.map(({ severity }) => severity);
      assert.equal(
        status,
        worst.includes('error') ? 'failing' : worst.includes('warning') ? 'degraded' : 'ok',
      );
      for (const { message, hint } of problems) {
        assert.doesNotMatch(message, /undefined|NaN|\bnull\b/);
        assert.match(hint, /\.$/);
      }
    });
  }

  it('tests every code that there is', () => {
    const codes = new Set(TABLE.flatMap(([, , expected]) => expected.map(([code]) => code)));

    assert.equal(codes.size, 13);
  });

  it('exits with 0 when well, with 1 otherwise', () => {
    assert.equal(healthExitCode(assessHealth(facts())), 0);
    assert.equal(healthExitCode({ status: 'degraded' }), 1);
    assert.equal(healthExitCode({ status: 'failing' }), 1);
  });

  it('says since when, as long as the problem stays', () => {
    const down = facts({ homes: [home({ running: false })] });

    const first = assessHealth(down);
    const second = assessHealth({ ...down, now: NOW + MINUTE }, first);
    const well = assessHealth({ ...facts(), now: NOW + 2 * MINUTE }, second);
    const third = assessHealth({ ...down, now: NOW + 3 * MINUTE }, well);

    assert.equal(first.problems[0]?.since, '2026-11-30T12:00:00.000Z');
    assert.equal(second.problems[0]?.since, '2026-11-30T12:00:00.000Z');
    assert.equal(third.problems[0]?.since, '2026-11-30T12:03:00.000Z');
  });

  it('keeps problems of two homes and two sinks apart', () => {
    const { problems } = assessHealth(
      facts({
        homes: [home({ running: false }), home({ path: '/home/bob', running: false })],
        sinks: [sink({ state: 'unauthorized' }), sink({ sink: 'b', state: 'retrying', failures: 5 })],
      }),
    );

    assert.deepEqual(
      problems.map(({ subject }) => subject),
      ['/home/alice', '/home/bob', 'siem', 'b'],
    );
  });

  it('sums up homes, sinks and the store', () => {
    const document = assessHealth(
      facts({
        homes: [home(), home({ path: '/home/bob', quarantined: ['x'], waiting: 5, lastFullSweepAt: null })],
        heldRows: 6,
        sinks: [
          sink({ backlog: { rows: 3, bytes: 30, oldest: NOW - 90_000 } }),
          sink({ sink: 'b', lastSuccessAt: null, backlog: { rows: 4, bytes: 40, oldest: NOW - 30_000 } }),
        ],
      }),
    );

    assert.deepEqual(document.totals, {
      homes: 2,
      files: 6,
      rows: 99,
      quarantined: 1,
      waiting_files: 5,
      held_rows: 6,
      backlog_rows: 7,
      backlog_bytes: 70,
      oldest_seconds: 90,
    });
    assert.deepEqual(
      document.homes.map(({ sweep_age_seconds }) => sweep_age_seconds),
      [60, 3600],
    );
    assert.deepEqual(document.sinks[1], {
      id: 'b',
      state: 'ok',
      last_success_at: null,
      last_error: null,
      backlog_rows: 4,
      backlog_bytes: 40,
      oldest_seconds: 30,
      rejected_rows: 0,
    });
    assert.deepEqual(JSON.parse(JSON.stringify(document)), document);
  });
});

describe('agent/telemetry/heartbeat', () => {
  it('tells how the host fares in flat attributes', () => {
    const health = assessHealth(
      facts({
        sinks: [
          sink({ state: 'retrying', failures: 4, backlog: { rows: 8, bytes: 80, oldest: NOW - 5000 } }),
        ],
      }),
    );

    assert.deepEqual(heartbeat(health), {
      event: 'holdfast.heartbeat',
      occasion: '2026-11-30T12:00:00.000Z',
      text: 'heartbeat: degraded, 8 rows wait (sink_retrying)',
      attributes: {
        version: '1.2.3',
        status: 'degraded',
        problems: 'sink_retrying',
        uptime_seconds: 3600,
        homes: 1,
        files: 3,
        rows: 99,
        quarantined: 0,
        waiting_files: 0,
        held_rows: 0,
        backlog_rows: 8,
        backlog_bytes: 80,
        oldest_seconds: 5,
        sweep_age_seconds: 60,
      },
    });
  });

  it('names each code once', () => {
    const health = assessHealth(
      facts({
        homes: [home({ running: false }), home({ path: '/home/bob', running: false, quarantined: ['x'] })],
      }),
    );

    const { attributes } = heartbeat(health);

    assert.equal(attributes['problems'], 'capture_restarting,file_quarantined');
  });

  it('has no homes to be late in on an empty machine', () => {
    const { attributes, text } = heartbeat(assessHealth(facts({ homes: [], sinks: [] })));

    assert.equal(attributes['sweep_age_seconds'], 0);
    assert.equal(text, 'heartbeat: ok, 0 rows wait (no_agents_here)');
  });
});

describe('agent/telemetry/recent-growth', () => {
  it('forgets growth that is older than the window', async () => {
    const clock = new FakeClock();
    const recent = createRecentGrowth(clock, 1000);

    const seen = [recent(0), recent(2)];
    await clock.advance(600);
    seen.push(recent(3));
    await clock.advance(500);
    seen.push(recent(3));
    await clock.advance(600);
    seen.push(recent(3));

    assert.deepEqual(seen, [0, 2, 3, 1, 0]);
  });
});
