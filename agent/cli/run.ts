import { SOURCES } from '../../parsers/index.ts';
import { startAgent } from '../agent.ts';
import { EXIT } from '../contract/errors.ts';
import { watchConfig } from '../keeper/config-watch.ts';
import { systemClock } from '../platform/clock.ts';
import { exit, onCrash, onReloadSignal, onStopSignal, setTitle, VERSION } from '../platform/program.ts';
import { createLogger, type ProcessLogger } from '../telemetry/logger.ts';
import { createRedactor } from '../telemetry/redactor.ts';
import { type Context, type GlobalOptions, openContext } from './context.ts';

const CONFIG_LOOK_MS = 2_000;
const DRAIN_MS = 3_000;

/** `holdfast run`: the agent, until it is told to stop. */
export async function run(options: GlobalOptions): Promise<void> {
  setTitle('holdfast');
  const context = openContext(options);
  const { config, warnings } = context.loaded;
  const redactor = createRedactor();
  const { telemetry } = config;
  const logger = createLogger({
    level: telemetry.logLevel,
    clock: systemClock,
    json: telemetry.logFormat === 'json',
    file: telemetry.logFile,
    maxBytes: telemetry.logMaxBytes,
    maxFiles: telemetry.logMaxFiles,
    redactor,
  });
  for (const { file, line, message } of warnings)
    logger.warn('the configuration is suspicious', { event: 'config.warning', file, line, reason: message });
  onCrash((error) => crash(logger, error));
  const { loaded, load, stateDir, socket, facts } = context;
  const agent = await startAgent({
    loaded,
    load,
    stateDir,
    socket,
    facts,
    sources: SOURCES,
    clock: systemClock,
    logger,
    redactor,
  });
  logger.info('Holdfast runs', { version: VERSION, state_dir: stateDir });
  const reload = () => void reloadLogged(agent.reload(), logger);
  onReloadSignal(reload);
  const watching = watchFiles(context, reload);
  await stopSignal(logger);
  watching.cancel();
  await agent.stop(DRAIN_MS);
  logger.info('Holdfast stopped', {});
  await logger.close();
}

function watchFiles({ configFile, confDir }: Context, onChange: () => void) {
  return watchConfig({ files: [configFile], confDir, everyMs: CONFIG_LOOK_MS, clock: systemClock, onChange });
}

async function reloadLogged(reload: Promise<unknown>, logger: ProcessLogger): Promise<void> {
  try {
    await reload;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    logger.error('the changed configuration was refused; the old one stays', {
      event: 'config.refused',
      reason,
    });
  }
}

function stopSignal(logger: ProcessLogger): Promise<void> {
  return new Promise((resolve) => {
    onStopSignal((signal) => {
      logger.info('Holdfast stops', { signal });
      resolve();
    });
  });
}

/** Nothing that was committed is lost by ending; going on in an unknown state could lose something. */
function crash(logger: ProcessLogger, error: unknown): void {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  logger.error('an unexpected error ends Holdfast', { event: 'crash', reason });
  void logger.close().finally(() => exit(EXIT.bug));
}
