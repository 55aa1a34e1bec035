import { silentLogger } from '../../agent/contract/logger.ts';
import { openState } from '../../agent/keeper/state.ts';
import { systemClock } from '../../agent/platform/clock.ts';
import type { OpenedStore } from '../../agent/store/open-store.ts';
import { type Config, resolveConfig } from '../../config/resolve.ts';
import { CONFIG } from '../../config/schema.ts';

/** The configuration of an installation in which nothing was set. */
export const DEFAULTS: Config = resolveConfig(CONFIG.parse({}));

/** The store of a state directory, opened as the agent opens it. */
export function openBenchStore(stateDir: string): OpenedStore {
  return openState(stateDir, DEFAULTS, { clock: systemClock, logger: silentLogger });
}
