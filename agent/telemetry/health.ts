import { EXIT } from '../contract/errors.ts';

/** What is known about one source in one home. */
export interface SourceFacts {
  readonly source: string;
  /** Source files seen. */
  readonly files: number;
  /** Those among them that gave at least one record. */
  readonly parsed: number;
}

/** A home that is observed. */
export interface HomeFacts {
  readonly path: string;
  readonly user: string | null;
  /** False while the capture process of this home is down. */
  readonly running: boolean;
  /** Times the capture process was started again of late (see recent-growth.ts). */
  readonly restarts: number;
  readonly watch: 'watching' | 'polling';
  /** Milliseconds since 1970, as all times here; null before the first full sweep ended. */
  readonly lastFullSweepAt: number | null;
  /** Sources that have at least one file here. */
  readonly sources: readonly SourceFacts[];
  /** Paths inside that could not be read, a bounded list of examples. */
  readonly unreadable: readonly string[];
  /** Files set aside because reading them ended a capture process. */
  readonly quarantined: readonly string[];
  /** Files that wait to be read, for their unfinished end to be final, or to be believed gone. */
  readonly waiting: number;
}

/** A home that should be observed and cannot be looked at. */
export interface UnreadableHomeFacts {
  readonly path: string;
  readonly reason: string;
}

export interface StoreFacts {
  /** Stored bytes that some sink has not taken, as the bound counts them. */
  readonly bytes: number;
  readonly maxBytes: number;
  readonly full: boolean;
  /** Why the store is not what it should be ("made anew after damage"); null when all is well. */
  readonly trouble: string | null;
}

export interface SinkFacts {
  readonly sink: string;
  readonly state: 'ok' | 'retrying' | 'unauthorized' | 'refusing';
  readonly lastSuccessAt: number | null;
  /** Reason of the last failure, free of secrets. */
  readonly lastError: string | null;
  /** Failures in a row. */
  readonly failures: number;
  /** Rows set aside because the sink will never take them, since the start. */
  readonly rejectedRows: number;
  readonly backlog: { readonly rows: number; readonly bytes: number; readonly oldest: number | null };
}

/** Everything that health is judged by, gathered by the agent. */
export interface HealthFacts {
  readonly now: number;
  readonly version: string;
  readonly startedAt: number;
  readonly uptimeMs: number;
  readonly host: { readonly id: string; readonly name: string };
  readonly fullSweepMs: number;
  /** True when the configuration asks for polling, which is then no problem. */
  readonly pollWished: boolean;
  readonly homes: readonly HomeFacts[];
  readonly unreadableHomes: readonly UnreadableHomeFacts[];
  readonly store: StoreFacts;
  readonly sinks: readonly SinkFacts[];
  /** Rows kept in the present epoch: since the state directory was made, or found to be an older one. */
  readonly rows: number;
  /** Copies kept back until it is certain that no record claims them. */
  readonly heldRows: number;
  /** The last jump of the wall clock against the monotonic one. */
  readonly clockJump: { readonly at: number; readonly ms: number } | null;
}

export type HealthStatus = 'ok' | 'degraded' | 'failing';
export type Severity = 'info' | 'warning' | 'error';

export type ProblemCode =
  | 'no_agents_here'
  | 'home_unreadable'
  | 'watch_degraded'
  | 'sweep_late'
  | 'parsed_nothing'
  | 'capture_restarting'
  | 'file_quarantined'
  | 'outbox_full'
  | 'store_degraded'
  | 'sink_retrying'
  | 'sink_unauthorized'
  | 'sink_refusing_rows'
  | 'clock_jumped';

export interface Problem {
  readonly code: ProblemCode;
  readonly severity: Severity;
  /** What it is about: a home, a home and a source, a sink; empty for the host. */
  readonly subject: string;
  readonly message: string;
  /** What to do next. */
  readonly hint: string;
  /** RFC 3339. */
  readonly since: string;
}

export interface HealthDocument {
  readonly schema: 1;
  readonly status: HealthStatus;
  readonly version: string;
  readonly checked_at: string;
  readonly started_at: string;
  readonly uptime_seconds: number;
  readonly host: { readonly id: string; readonly name: string };
  readonly problems: readonly Problem[];
  readonly homes: readonly HealthHome[];
  readonly unreadable_homes: readonly UnreadableHomeFacts[];
  readonly store: { readonly bytes: number; readonly max_bytes: number; readonly full: boolean };
  readonly sinks: readonly HealthSink[];
  readonly totals: HealthTotals;
}

export interface HealthHome {
  readonly path: string;
  readonly user: string | null;
  readonly watch: HomeFacts['watch'];
  readonly running: boolean;
  readonly restarts: number;
  readonly last_full_sweep_at: string | null;
  /** Age of the last full sweep; of the service, before the first one ended. */
  readonly sweep_age_seconds: number;
  readonly sources: readonly SourceFacts[];
  readonly unreadable: readonly string[];
  readonly quarantined: readonly string[];
  readonly waiting_files: number;
}

export interface HealthSink {
  readonly id: string;
  readonly state: SinkFacts['state'];
  readonly last_success_at: string | null;
  readonly last_error: string | null;
  readonly backlog_rows: number;
  readonly backlog_bytes: number;
  readonly oldest_seconds: number | null;
  readonly rejected_rows: number;
}

export interface HealthTotals {
  readonly homes: number;
  readonly files: number;
  readonly rows: number;
  readonly quarantined: number;
  readonly waiting_files: number;
  readonly held_rows: number;
  readonly backlog_rows: number;
  readonly backlog_bytes: number;
  /** Age of the oldest row that waits for any sink; null when none waits. */
  readonly oldest_seconds: number | null;
}

/** Exit code of `holdfast status` for a health document. */
export function healthExitCode({ status }: Pick<HealthDocument, 'status'>): number {
  return status === 'ok' ? EXIT.ok : EXIT.unhealthy;
}
