import { existsSync } from 'node:fs';
import { messageOf } from '../contract/errors.ts';
import type { Logger } from '../contract/logger.ts';
import { makeVaultDir, vaultDirOf } from '../platform/vault-dirs.ts';
import type { HomeCaptureDeps } from './home-captures.ts';

/** Gives the vaults of homes. A home whose vault cannot be made is captured without one, and the log says so. */
export function createVaultDirs(stateDir: string, logger: Logger): HomeCaptureDeps['vaultDir'] {
  return (home, make) => {
    if (!make) {
      const dir = vaultDirOf(stateDir, home);
      return existsSync(dir) ? dir : null;
    }
    try {
      return makeVaultDir(stateDir, home);
    } catch (error) {
      const reason = messageOf(error);
      logger.error('session files of a home are not pinned', {
        event: 'vault.unable',
        home: home.path,
        reason,
      });
      return null;
    }
  };
}
