import type { Clock } from '../contract/clock.ts';
import type { Logger } from '../contract/logger.ts';
import type { Metrics } from '../contract/metrics.ts';

/**
 * - ok: the last send was acknowledged, or nothing was sent yet.
 * - retrying: the sink cannot be reached or is busy.
 * - unauthorized: it does not take our credential.
 * - refusing: it can be reached and refuses every row.
 */
export type SinkState = 'ok' | 'retrying' | 'unauthorized' | 'refusing';

export interface SinkStatus {
  readonly sink: string;
  readonly state: SinkState;
  /** Milliseconds since 1970, or null. */
  readonly lastSuccessAt: number | null;
  /** One printable line without credentials; null while all is well. */
  readonly lastError: string | null;
  /** Failures in a row. */
  readonly failures: number;
  /** Rows set aside because the sink will never take them, since the start. */
  readonly rejectedRows: number;
}

/** What is known about a sink's health; logs and counts its changes. */
export interface Condition {
  acknowledged(): void;
  /** Returns the number of failures in a row. */
  failed(state: Exclude<SinkState, 'ok'>, reason: string): number;
  rejected(rows: number, reason: string): void;
  status(): SinkStatus;
}

export interface ConditionDeps {
  readonly sink: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const REASON_CHARS = 300;

const EVENTS = {
  retrying: ['Sink is not taking rows; they are kept and sent again', 'sink.retrying'],
  unauthorized: ['Sink does not accept the credential; rows are kept', 'sink.unauthorized'],
  refusing: ['Sink refuses every row; rows are kept', 'sink.refusing'],
} as const;

export function createCondition({ sink, clock, logger, metrics }: ConditionDeps): Condition {
  let state: SinkState = 'ok';
  let lastSuccessAt: number | null = null;
  let lastError: string | null = null;
  let failures = 0;
  let rejectedRows = 0;

  return {
    acknowledged() {
      if (failures > 0) logger.info('Sink takes rows again', { sink, failures });
      state = 'ok';
      lastSuccessAt = clock.now();
      lastError = null;
      failures = 0;
      metrics.set('holdfast_sink_up', 1, { sink });
    },
    failed(next, reason) {
      failures++;
      lastError = shortReason(reason);
      metrics.set('holdfast_sink_up', 0, { sink });
      metrics.add('holdfast_send_retries_total', 1, { sink });
      const [message, event] = EVENTS[next];
      if (next === state) logger.debug(message, { sink, reason: lastError, failures });
      else logger.warn(message, { event, sink, reason: lastError });
      state = next;
      return failures;
    },
    rejected(rows, reason) {
      if (rows === 0) return;
      rejectedRows += rows;
      metrics.add('holdfast_rejected_rows_total', rows, { sink });
      logger.warn('Sink refused rows for good; they are set aside', {
        event: 'sink.rejected',
        sink,
        rows,
        reason: shortReason(reason),
      });
    },
    status: () => ({ sink, state, lastSuccessAt, lastError, failures, rejectedRows }),
  };
}

/** One printable line of bounded length. */
export function shortReason(reason: string): string {
  const line = reason.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.length <= REASON_CHARS ? line : `${line.slice(0, REASON_CHARS)}...`;
}
