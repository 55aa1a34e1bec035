import type { Clock } from '../contract/clock.ts';
import type { Logger } from '../contract/logger.ts';
import type { Metrics } from '../contract/metrics.ts';
import type { BatchOrigin } from '../contract/sink.ts';

/** What a sink gets from the composition root. */
export interface SinkDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** For what no result of a send can tell. */
  readonly metrics?: Metrics;
  readonly origin: BatchOrigin;
  /** Version of Holdfast, for the user agent. */
  readonly version: string;
  /** Value of an environment variable that holds a secret; only agent/platform reads the environment. */
  readonly secret: (name: string) => string | undefined;
}
