import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Collector, createCollector } from '../../collector/collector.ts';
import type { Config } from '../../config/resolve.ts';
import type { Clock, Timer } from '../contract/clock.ts';
import { errnoOf } from '../contract/errors.ts';
import type { Logger } from '../contract/logger.ts';

export interface EmbeddedCollector {
  readonly url: string;
  readonly tokenFile: string;
  close(): Promise<void>;
}

export interface EmbeddedDeps {
  readonly stateDir: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The embedded collector runs when it is asked for, or when there is nowhere else to deliver to. */
export function wantsCollector({ collector, sinks }: Config): boolean {
  return collector.enabled === 'auto' ? sinks.length === 0 : collector.enabled;
}

/** Starts the collector of this machine, loopback by default, with a token that only its owner can read. */
export async function startEmbedded(config: Config, deps: EmbeddedDeps): Promise<EmbeddedCollector> {
  const { host, port, dir, tokenFile, keepDays } = config.collector;
  const token = tokenFile ?? join(deps.stateDir, 'collector-token');
  const collector: Collector = await createCollector({
    dir: dir ?? join(deps.stateDir, 'collector'),
    host,
    port,
    tokens: [readOrMakeToken(token)],
    clock: deps.clock,
    logger: deps.logger.child('collector'),
  });
  const pruning = prune(collector, keepDays, deps.clock);
  deps.logger.info('the embedded collector listens', { url: collector.url });
  return {
    url: collector.url,
    tokenFile: token,
    async close() {
      pruning.cancel();
      await collector.close();
    },
  };
}

const PRUNE_MS = 60_000;

/** Forgets what is older than it shall be kept, a bounded number of rows at a time. */
export function prune(collector: Collector, keepDays: number, clock: Clock): Timer {
  return clock.every(PRUNE_MS, () => collector.prune(clock.now() - keepDays * 86_400_000));
}

function readOrMakeToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
  const token = randomBytes(32).toString('base64url');
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
  writeFileSync(file, `${token}\n`, { mode: 0o600, flag: 'wx' });
  return token;
}
