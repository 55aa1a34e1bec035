import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Collector, createCollector } from '../../collector/collector.ts';
import type { Config } from '../../config/resolve.ts';
import type { Clock, Timer } from '../contract/clock.ts';
import { EnvironmentError, errnoOf, messageOf } from '../contract/errors.ts';
import type { Logger } from '../contract/logger.ts';

export interface EmbeddedCollector {
  readonly url: string;
  readonly tokenFile: string;
  /** Keeps rows so many days from now on. */
  keep(days: number): void;
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
  let days = keepDays;
  const pruning = prune(collector, { ...deps, days: () => days });
  deps.logger.info('the embedded collector listens', { url: collector.url });
  return {
    url: collector.url,
    tokenFile: token,
    keep(changed) {
      days = changed;
    },
    async close() {
      pruning.cancel();
      await collector.close();
    },
  };
}

const PRUNE_MS = 60_000;

/** Forgets what is older than it shall be kept, a bounded number of rows at a time. A full disk is no reason to end. */
export function prune(
  collector: Pick<Collector, 'prune'>,
  { days, clock, logger }: { days: () => number; clock: Clock; logger: Logger },
): Timer {
  return clock.every(PRUNE_MS, () => {
    try {
      collector.prune(clock.now() - days() * 86_400_000);
    } catch (error) {
      logger.error('old rows could not be forgotten', { event: 'upkeep.failed', reason: messageOf(error) });
    }
  });
}

/** A file that a power cut left empty holds no token: an empty one would let everybody in. */
function readOrMakeToken(file: string): string {
  const known = readToken(file);
  if (known !== '') return known;
  const token = randomBytes(32).toString('base64url');
  try {
    mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${token}\n`, { mode: 0o600 });
  } catch (error) {
    throw tokenError(file, error);
  }
  return token;
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return '';
    throw tokenError(file, error);
  }
}

function tokenError(file: string, cause: unknown): EnvironmentError {
  return new EnvironmentError('COLLECTOR_TOKEN', `the token in ${file} cannot be used: ${messageOf(cause)}`, {
    hint: 'Check owner and mode of the file (collector.token_file), or remove it: a new token is then made.',
    cause,
  });
}
