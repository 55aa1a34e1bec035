import type { Clock } from '../contract/clock.ts';
import { messageOf } from '../contract/errors.ts';
import type { Logger } from '../contract/logger.ts';
import type { Store } from '../contract/store.ts';
import { quarantinedEvent, type SelfEvent } from './self-rows.ts';

export interface QuarantineTellerDeps {
  readonly store: Pick<Store, 'episode'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly tell: (event: SelfEvent) => void;
}

/**
 * A file is tried again after ten minutes aside, and after a restart: when it is set aside once more within this
 * time, that is the same quarantine, and no further row.
 */
const GOES_ON_MS = 3_600_000;

/** Writes one row for each quarantine of a file, however often the file is tried again meanwhile. */
export function createQuarantineTeller({ store, clock, logger, tell }: QuarantineTellerDeps) {
  function since(home: string, file: string): number {
    try {
      return store.episode(`quarantine ${home} ${file}`, GOES_ON_MS);
    } catch (error) {
      logger.error('a quarantine could not be noted; it may be told twice', {
        event: 'store.write_failed',
        reason: messageOf(error),
      });
      return clock.now();
    }
  }
  return (home: string, file: string, reason: string): void =>
    tell(quarantinedEvent({ home, file, reason, since: since(home, file) }));
}
