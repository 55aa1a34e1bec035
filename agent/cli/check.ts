import { accessSync, constants, mkdirSync } from 'node:fs';
import { messageOf } from '../contract/errors.ts';
import { silentLogger } from '../contract/logger.ts';
import { sinksOf } from '../keeper/deliveries.ts';
import { wantsCollector } from '../keeper/embedded-collector.ts';
import { systemClock } from '../platform/clock.ts';
import { findHomes } from '../platform/homes.ts';
import { VERSION } from '../platform/program.ts';
import { createSink } from '../sinks/index.ts';
import { type Context, type GlobalOptions, openContext } from './context.ts';
import { flat, paint, printJson, standardOutput } from './output.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

const PROBE_MS = 10_000;

/** `holdfast check`: configuration, permissions, and whether every collector answers. Changes nothing, sends no row. */
export async function check(options: GlobalOptions): Promise<number> {
  const context = openContext(options);
  const checks = [
    ...checkConfig(context),
    checkState(context),
    ...checkHomes(context),
    ...(await checkSinks(context)),
  ];
  const output = standardOutput();
  if (options.json === true) await printJson(output, checks);
  else
    for (const { ok, name, detail } of checks)
      await output.line(`${ok ? paint('green', 'ok  ') : paint('red', 'FAIL')} ${name}: ${flat(detail)}`);
  return checks.every(({ ok }) => ok) ? 0 : 1;
}

function checkConfig({ loaded }: Context): Check[] {
  const files = loaded.files.length === 0 ? 'defaults only' : loaded.files.join(', ');
  const warnings = loaded.warnings.map(({ file, line, message }) => ({
    name: 'configuration',
    ok: false,
    detail: `${file}:${line}: ${message}`,
  }));
  return [{ name: 'configuration', ok: true, detail: files }, ...warnings];
}

function checkState({ stateDir }: Context): Check {
  try {
    mkdirSync(stateDir, { recursive: true, mode: 0o700 });
    accessSync(stateDir, constants.W_OK);
    return { name: 'state directory', ok: true, detail: stateDir };
  } catch (error) {
    return { name: 'state directory', ok: false, detail: messageOf(error) };
  }
}

function checkHomes({ loaded, facts }: Context): Check[] {
  const { homes, unreadable } = findHomes(loaded.config, facts);
  const none: Check[] =
    homes.length + unreadable.length === 0 ? [{ name: 'homes', ok: false, detail: 'none found' }] : [];
  return [
    ...none,
    ...homes.map(({ path, user }) => ({
      name: 'home',
      ok: true,
      detail: user === null ? path : `${path} (${user})`,
    })),
    ...unreadable.map(({ path, reason }) => ({ name: 'home', ok: false, detail: `${path}: ${reason}` })),
  ];
}

async function checkSinks({ loaded, facts }: Context): Promise<Check[]> {
  const checks: Check[] = wantsCollector(loaded.config)
    ? [{ name: 'sink', ok: true, detail: 'embedded collector on this machine' }]
    : [];
  for (const config of sinksOf(loaded.config, undefined)) {
    const sink = createSink(config, {
      clock: systemClock,
      logger: silentLogger,
      version: VERSION,
      origin: { hostId: 'check', epoch: 'check' },
      secret: (name) => facts.env[name],
    });
    const result = await sink.probe(AbortSignal.timeout(PROBE_MS));
    await sink.close();
    checks.push({
      name: `sink ${config.id}`,
      ok: result.ok,
      detail: result.ok ? 'answers and takes our credential' : result.reason,
    });
  }
  return checks;
}
