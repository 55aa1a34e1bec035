import type { Clock } from '../contract/clock.ts';
import type { Logger } from '../contract/logger.ts';
import type { SourcePlaces } from './layout.ts';
import type { CommitPort } from './outlet.ts';
import type { CaptureInit, SweepReason } from './protocol.ts';
import type { Counter } from './reading.ts';

/** What the capture of one home needs. */
export interface CaptureDeps {
  readonly init: CaptureInit;
  readonly sources: readonly SourcePlaces[];
  readonly port: CommitPort;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly count: Counter;
  /** Which file is being read, so that the keeper knows what ended us; null when none is. */
  readonly onReading: (file: string | null) => void;
  /** How many files wait now (see CaptureState.waiting); told at every change. */
  readonly onWaiting: (files: number) => void;
  readonly onSwept: (reason: SweepReason, first: boolean) => void;
  readonly onDone: () => void;
}
