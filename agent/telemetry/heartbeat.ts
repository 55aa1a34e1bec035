import type { HealthDocument } from './health.ts';

/** What a heartbeat row says, and what makes it different from every other one. */
export interface Heartbeat {
  readonly event: 'holdfast.heartbeat';
  readonly text: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** RFC 3339: two heartbeats are never the same row. */
  readonly occasion: string;
}

/**
 * The row by which a collector knows that this host is alive and how it fares. Units are in the names;
 * `problems` holds the codes, joined by commas.
 */
export function heartbeat(health: HealthDocument): Heartbeat {
  const { status, totals } = health;
  const codes = [...new Set(health.problems.map(({ code }) => code))].sort().join(',');
  return {
    event: 'holdfast.heartbeat',
    occasion: health.checked_at,
    text: `heartbeat: ${status}, ${totals.backlog_rows} rows wait${codes === '' ? '' : ` (${codes})`}`,
    attributes: {
      version: health.version,
      status,
      problems: codes,
      uptime_seconds: health.uptime_seconds,
      homes: totals.homes,
      files: totals.files,
      rows: totals.rows,
      quarantined: totals.quarantined,
      waiting_files: totals.waiting_files,
      held_rows: totals.held_rows,
      backlog_rows: totals.backlog_rows,
      backlog_bytes: totals.backlog_bytes,
      oldest_seconds: totals.oldest_seconds ?? 0,
      sweep_age_seconds: Math.max(0, ...health.homes.map(({ sweep_age_seconds }) => sweep_age_seconds)),
    },
  };
}
