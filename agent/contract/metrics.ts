/**
 * Every metric there is: one table, from which the Prometheus text, the type of `Metrics` and
 * docs/metrics.md come. Labels have few values by construction: sources, sinks, lanes, fixed codes.
 */
export const METRICS = {
  holdfast_rows_total: { type: 'counter', help: 'Rows committed, by lane.', labels: ['lane'] },
  holdfast_rows_duplicate_total: {
    type: 'counter',
    help: 'Rows read again and known by their ids.',
    labels: [],
  },
  holdfast_commits_total: { type: 'counter', help: 'Transactions of rows and cursors.', labels: [] },
  holdfast_read_bytes_total: { type: 'counter', help: 'Bytes read from source files.', labels: ['source'] },
  holdfast_files: { type: 'gauge', help: 'Source files known, by source.', labels: ['source'] },
  holdfast_pins_total: {
    type: 'counter',
    help: 'Source files pinned, by how: link, clone, copy, or none where nothing was possible.',
    labels: ['method'],
  },
  holdfast_pinned_files: { type: 'gauge', help: 'Source files that are pinned now.', labels: ['home'] },
  holdfast_waiting_files: {
    type: 'gauge',
    help: 'Source files that wait to be read, for their unfinished end to be final, or to be believed gone.',
    labels: ['home'],
  },
  holdfast_held_rows: {
    type: 'gauge',
    help: 'Copies from secondary sources, kept back until it is certain that no record claims them.',
    labels: [],
  },
  holdfast_reads_total: { type: 'counter', help: 'Reads of source files, by outcome.', labels: ['outcome'] },
  holdfast_notes_total: {
    type: 'counter',
    help: 'Things worth counting that give no row, by code.',
    labels: ['code'],
  },
  holdfast_sweeps_total: { type: 'counter', help: 'Sweeps, by what started them.', labels: ['reason'] },
  holdfast_sweep_age_seconds: {
    type: 'gauge',
    help: 'Seconds since the last full sweep ended.',
    labels: ['home'],
  },
  holdfast_min_days_to_expiry: {
    type: 'gauge',
    help: 'Days until the coding agent may delete the first of the files that wait to be read, under the retention in force; below 0 it already may, +Inf while none waits.',
    labels: ['home'],
  },
  holdfast_watch_errors_total: { type: 'counter', help: 'Errors of the watcher, by code.', labels: ['code'] },
  holdfast_watch_degraded: {
    type: 'gauge',
    help: '1 while a home is polled instead of watched.',
    labels: ['home'],
  },
  holdfast_capture_restarts_total: {
    type: 'counter',
    help: 'Capture processes that ended and were started again.',
    labels: [],
  },
  holdfast_quarantined_files: {
    type: 'gauge',
    help: 'Files set aside because reading them ended a capture process.',
    labels: ['home'],
  },
  holdfast_outbox_rows: { type: 'gauge', help: 'Rows that wait for a sink.', labels: ['sink'] },
  holdfast_outbox_bytes: { type: 'gauge', help: 'Bytes of row JSON that wait for a sink.', labels: ['sink'] },
  holdfast_outbox_stored_bytes: {
    type: 'gauge',
    help: 'Bytes on disk that some sink has not taken, as store.max_outbox_bytes counts them.',
    labels: [],
  },
  holdfast_outbox_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest row that waits for a sink.',
    labels: ['sink'],
  },
  holdfast_outbox_full: {
    type: 'gauge',
    help: '1 while reading is paused because the outbox is full.',
    labels: [],
  },
  holdfast_sent_rows_total: {
    type: 'counter',
    help: 'Rows that a sink has acknowledged.',
    labels: ['sink', 'lane'],
  },
  holdfast_sent_bytes_total: {
    type: 'counter',
    help: 'Bytes of row JSON that a sink has acknowledged.',
    labels: ['sink'],
  },
  holdfast_send_retries_total: {
    type: 'counter',
    help: 'Sends that will be tried again, by sink.',
    labels: ['sink'],
  },
  holdfast_rejected_rows_total: {
    type: 'counter',
    help: 'Rows that a sink refused for good and that were set aside.',
    labels: ['sink'],
  },
  holdfast_sink_up: {
    type: 'gauge',
    help: '1 while the last send to the sink was acknowledged.',
    labels: ['sink'],
  },
  holdfast_resident_bytes: { type: 'gauge', help: 'Resident memory of the keeper.', labels: [] },
} as const satisfies Record<string, MetricSpec>;

export interface MetricSpec {
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly labels: readonly string[];
}

export type MetricName = keyof typeof METRICS;
export type MetricLabels = Readonly<Record<string, string>>;

export interface Metrics {
  add(name: MetricName, amount?: number, labels?: MetricLabels): void;
  set(name: MetricName, value: number, labels?: MetricLabels): void;
}

export const noMetrics: Metrics = { add() {}, set() {} };
