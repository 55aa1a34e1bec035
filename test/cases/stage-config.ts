import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Case } from './case.ts';
import type { Receiver } from './receiver.ts';
import { AGENT_TIMES } from './times.ts';

/** Where one run of the agent has its files. */
export interface StageFiles {
  readonly home: string;
  readonly dir: string;
  readonly configFile: string;
  readonly stateDir: string;
  readonly tokenFile: string;
  /** Holds the path that is to be deleted when it is first opened. */
  readonly trapFile: string;
}

export function stageFiles(home: string, dir: string): StageFiles {
  return {
    home,
    dir,
    configFile: join(dir, 'config.yaml'),
    stateDir: join(dir, 'state'),
    tokenFile: join(dir, 'token'),
    trapFile: join(dir, 'trap'),
  };
}

export function writeConfig(
  caseOf: Pick<Case, 'homes_root'>,
  { home, configFile, stateDir, tokenFile }: StageFiles,
  { sink }: Pick<Receiver, 'sink'>,
): void {
  const homes =
    caseOf.homes_root === undefined ? { homes: [home] } : { homes_root: join(home, caseOf.homes_root) };
  const config = {
    ...homes,
    state_dir: stateDir,
    sinks: [{ ...sink, token_file: tokenFile }],
    capture: {
      settle_ms: AGENT_TIMES.settleMs,
      answer_wait_ms: AGENT_TIMES.settleMs,
      sweep_seconds: AGENT_TIMES.sweepSeconds,
      full_sweep_seconds: AGENT_TIMES.fullSweepSeconds,
    },
    telemetry: { log_format: 'json' },
  };
  writeFileSync(configFile, stringify(config), { mode: 0o600 });
}

/** Nothing of the runner's own environment but where programs are. */
export function environment({ env }: Pick<Case, 'env'>, home: string): Record<string, string> {
  const clean = { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', TZ: 'UTC' };
  const wanted = Object.entries(env).map(([name, value]) => [name, value?.replaceAll('$HOME', home)]);
  const merged = Object.entries({ ...clean, ...Object.fromEntries(wanted) });
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined)) as Record<string, string>;
}

/** URL of the module that makes the system refuse what the case says; undefined when it says nothing. */
export function preloadOf(
  { steps }: Pick<Case, 'steps'>,
  watchCode: string | undefined,
  trapFile: string,
): string | undefined {
  const wishes = new URLSearchParams();
  if (watchCode !== undefined) wishes.set('watch', watchCode);
  if (steps.some(({ op }) => op === 'delete_on_first_open')) wishes.set('trap', trapFile);
  return wishes.size === 0 ? undefined : `${import.meta.resolve('./inject.ts')}?${wishes}`;
}
