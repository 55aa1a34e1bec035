import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { createCollector } from '../../collector/collector.ts';
import type { CollectorTls } from '../../collector/options.ts';
import { EnvironmentError, errnoOf, messageOf, UsageError } from '../contract/errors.ts';
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
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly clientCa?: string;
  readonly allowInsecure?: boolean;
}

/** `holdfast collector`: the reference collector by itself, until it is told to stop. */
export async function collector(options: CollectorOptions): Promise<void> {
  setTitle('holdfast collector');
  const { loaded, stateDir } = openContext(options);
  const config = loaded.config.collector;
  const logger = createLogger({ level: loaded.config.telemetry.logLevel, clock: systemClock });
  const tokenFile = options.tokenFile ?? config.tokenFile;
  const tls = tlsOf(options);
  const running = await createCollector({
    dir: options.dir ?? config.dir ?? join(stateDir, 'collector'),
    host: options.host ?? config.host,
    port: options.port ?? config.port,
    tokens: tokenFile === null ? [] : readTokens(tokenFile),
    ...(tls && { tls }),
    allowInsecure: options.allowInsecure ?? false,
    clock: systemClock,
    logger,
  });
  logger.info('the collector listens', { url: running.url });
  const pruning = prune(running, { days: () => config.keepDays, clock: systemClock, logger });
  await new Promise<void>((resolve) => onStopSignal(() => resolve()));
  pruning.cancel();
  await running.close();
  await logger.close();
}

function tlsOf({ tlsCert, tlsKey, clientCa }: CollectorOptions): CollectorTls | undefined {
  if (tlsCert === undefined && tlsKey === undefined && clientCa === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new UsageError('COLLECTOR_TLS', 'TLS needs a certificate and its private key.', {
      hint: 'Give both --tls-cert and --tls-key; --client-ca goes beside them.',
    });
  }
  const tls = {
    cert: readText(tlsCert),
    key: readText(tlsKey),
    ...(clientCa !== undefined && { ca: readText(clientCa) }),
  };
  checkUsable(tls);
  return tls;
}

/** What is no certificate or does not fit its key would otherwise look like an error of ours. */
function checkUsable(tls: CollectorTls): void {
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new EnvironmentError('COLLECTOR_TLS', `The TLS files cannot be used: ${messageOf(error)}.`, {
      hint: 'Check that they are PEM files and that the key belongs to the certificate.',
      cause: error,
    });
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const message = `${file} cannot be read: ${errnoOf(error) ?? 'error'}.`;
    throw new EnvironmentError('FILE_UNREADABLE', message, { cause: error });
  }
}

/** One token a line. A file without any was meant to hold one: serving everybody instead is not what was asked for. */
function readTokens(file: string): string[] {
  const tokens = readText(file)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (tokens.length > 0) return tokens;
  throw new EnvironmentError('COLLECTOR_TOKEN', `${file} holds no token.`, {
    hint: 'Write a token into it, one a line, or leave --token-file (collector.token_file) out.',
  });
}
