import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCollector } from '../../collector/collector.ts';
import { prune } from '../keeper/embedded-collector.ts';
import { systemClock } from '../platform/clock.ts';
import { onStopSignal, setTitle } from '../platform/program.ts';
import { createLogger } from '../telemetry/logger.ts';
import { type GlobalOptions, openContext } from './context.ts';

export interface CollectorOptions extends GlobalOptions {
  readonly dir?: string;
  readonly host?: string;
  readonly port?: number;
  readonly tokenFile?: string;
}

/** `holdfast collector`: the reference collector by itself, until it is told to stop. */
export async function collector(options: CollectorOptions): Promise<void> {
  setTitle('holdfast collector');
  const { loaded, stateDir } = openContext(options);
  const config = loaded.config.collector;
  const logger = createLogger({ level: loaded.config.telemetry.logLevel, clock: systemClock });
  const tokenFile = options.tokenFile ?? config.tokenFile;
  const running = await createCollector({
    dir: options.dir ?? config.dir ?? join(stateDir, 'collector'),
    host: options.host ?? config.host,
    port: options.port ?? config.port,
    tokens: tokenFile === null ? [] : readTokens(tokenFile),
    clock: systemClock,
    logger,
  });
  logger.info('the collector listens', { url: running.url });
  const pruning = prune(running, config.keepDays, systemClock);
  await new Promise<void>((resolve) => onStopSignal(() => resolve()));
  pruning.cancel();
  await running.close();
  await logger.close();
}

function readTokens(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
