import { isoTime } from '../contract/clock.ts';
import type { Finding } from './finding.ts';
import type {
  HealthDocument,
  HealthFacts,
  HealthHome,
  HealthSink,
  HealthStatus,
  HealthTotals,
  HomeFacts,
  Problem,
  SinkFacts,
} from './health.ts';
import { findProblems } from './health-problems.ts';
import { sweepAgeMs } from './home-problems.ts';

/**
 * What the facts mean. The previous document, when given, tells since when a problem has been there.
 */
export function assessHealth(
  facts: HealthFacts,
  previous?: Pick<HealthDocument, 'problems'>,
): HealthDocument {
  const problems = findProblems(facts).map((finding) => dated(finding, facts.now, previous));
  return {
    schema: 1,
    status: statusOf(problems),
    version: facts.version,
    checked_at: isoTime(facts.now),
    started_at: isoTime(facts.startedAt),
    uptime_seconds: seconds(facts.uptimeMs),
    host: facts.host,
    problems,
    homes: facts.homes.map((home) => homeEntry(home, facts)),
    unreadable_homes: facts.unreadableHomes,
    store: { bytes: facts.store.bytes, max_bytes: facts.store.maxBytes, full: facts.store.full },
    sinks: facts.sinks.map((sink) => sinkEntry(sink, facts.now)),
    totals: totalsOf(facts),
  };
}

function statusOf(problems: readonly Problem[]): HealthStatus {
  if (problems.some(({ severity }) => severity === 'error')) return 'failing';
  return problems.some(({ severity }) => severity === 'warning') ? 'degraded' : 'ok';
}

function dated(finding: Finding, now: number, previous?: Pick<HealthDocument, 'problems'>): Problem {
  const earlier = previous?.problems.find(
    ({ code, subject }) => code === finding.code && subject === finding.subject,
  );
  return { ...finding, since: earlier?.since ?? isoTime(now) };
}

function homeEntry({ lastFullSweepAt, waiting, ...home }: HomeFacts, facts: HealthFacts): HealthHome {
  return {
    ...home,
    last_full_sweep_at: lastFullSweepAt === null ? null : isoTime(lastFullSweepAt),
    sweep_age_seconds: seconds(sweepAgeMs(lastFullSweepAt, facts)),
    waiting_files: waiting,
  };
}

function sinkEntry(facts: SinkFacts, now: number): HealthSink {
  return {
    id: facts.sink,
    state: facts.state,
    last_success_at: facts.lastSuccessAt === null ? null : isoTime(facts.lastSuccessAt),
    last_error: facts.lastError,
    backlog_rows: facts.backlog.rows,
    backlog_bytes: facts.backlog.bytes,
    oldest_seconds: ageSeconds(facts.backlog.oldest, now),
    rejected_rows: facts.rejectedRows,
  };
}

function totalsOf({ homes, sinks, rows, heldRows, now }: HealthFacts): HealthTotals {
  const sources = homes.flatMap((home) => home.sources);
  const oldest = sinks.flatMap(({ backlog }) => backlog.oldest ?? []);
  return {
    homes: homes.length,
    files: sum(sources.map(({ files }) => files)),
    rows,
    quarantined: sum(homes.map(({ quarantined }) => quarantined.length)),
    waiting_files: sum(homes.map(({ waiting }) => waiting)),
    held_rows: heldRows,
    backlog_rows: sum(sinks.map(({ backlog }) => backlog.rows)),
    backlog_bytes: sum(sinks.map(({ backlog }) => backlog.bytes)),
    oldest_seconds: oldest.length === 0 ? null : ageSeconds(Math.min(...oldest), now),
  };
}

/** Never negative: the wall clock may have been set back since. */
function ageSeconds(at: number | null, now: number): number | null {
  return at === null ? null : seconds(Math.max(0, now - at));
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
