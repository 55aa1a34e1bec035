import type { Config } from '../../config/resolve.ts';
import type { Clock } from '../contract/clock.ts';
import type { Logger } from '../contract/logger.ts';
import { ownPid, ownUid } from '../platform/program.ts';
import { type OpenedStore, openStore } from '../store/open-store.ts';
import type { StoreOptions } from '../store/store.ts';

/** Opens the state directory, and tells what was wrong with it. Throws StoreError. */
export function openState(
  dir: string,
  config: Config,
  { clock, logger }: { clock: Clock; logger: Logger },
): OpenedStore {
  const opened = openStore(clock, {
    dir,
    uid: ownUid(),
    pid: ownPid(),
    ...storeOptionsOf(config),
  });
  if (opened.trouble !== null)
    logger.error('the state is not what it was', { event: 'store.trouble', reason: opened.trouble });
  return opened;
}

export function storeOptionsOf({ store, capture }: Config): StoreOptions {
  return {
    maxOutboxBytes: store.maxOutboxBytes,
    keepMs: store.keepDays * 86_400_000,
    keepBytes: store.keepBytes,
    copySettleMs: capture.settleMs,
    answerWaitMs: capture.answerWaitMs,
  };
}
