import type { Config } from '../../config/resolve.ts';
import type { Committer } from '../capture/committer.ts';
import type { CaptureInit, SweepReason } from '../capture/protocol.ts';
import { createSupervisor, type Supervisor, type SupervisorState } from '../capture/supervisor.ts';
import type { Clock } from '../contract/clock.ts';
import type { Cursor } from '../contract/commit.ts';
import type { Logger } from '../contract/logger.ts';
import type { Metrics } from '../contract/metrics.ts';
import type { Source } from '../contract/source.ts';
import type { Home } from '../platform/homes.ts';
import type { Host } from '../platform/host.ts';
import type { SelfProcess } from '../platform/spawn.ts';

export interface HomeCaptureDeps {
  readonly config: Config;
  readonly host: Host;
  readonly sources: readonly Source[];
  readonly committer: Committer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly spawn: (home: Home, memoryMb: number) => SelfProcess;
  /** Value of an environment variable as the coding agents of our own user see it. */
  readonly env: (name: string) => string | undefined;
  readonly ownHome: string;
  readonly mode: CaptureInit['mode'];
  /** A copied home belongs to whoever copied it: its files are taken as they are. */
  readonly anyOwner: boolean;
  readonly cursors: (home: string) => Iterable<readonly [string, Cursor]>;
  readonly isScanned: (home: string) => boolean;
  readonly onFirstScan: (home: string) => void;
  readonly onDone: (home: string) => void;
  readonly onQuarantined: (home: string, file: string, reason: string) => void;
}

/** The capture processes of all homes. */
export interface HomeCaptures {
  start(): void;
  sweep(full: boolean, reason: SweepReason): void;
  states(): { readonly home: Home; readonly state: SupervisorState }[];
  stop(): Promise<void>;
}

export function createHomeCaptures(homes: readonly Home[], deps: HomeCaptureDeps): HomeCaptures {
  const captures = homes.map((home) => ({ home, supervisor: supervise(home, deps) }));
  return {
    start: () => {
      for (const { supervisor } of captures) supervisor.start();
    },
    sweep: (full, reason) => {
      for (const { supervisor } of captures) supervisor.sweep(full, reason);
    },
    states: () => captures.map(({ home, supervisor }) => ({ home, state: supervisor.state() })),
    stop: async () => {
      await Promise.all(captures.map(({ supervisor }) => supervisor.stop()));
    },
  };
}

function supervise(home: Home, deps: HomeCaptureDeps): Supervisor {
  const { config, committer, clock, logger, metrics } = deps;
  return createSupervisor({
    home: home.path,
    spawn: () => deps.spawn(home, config.capture.memoryMb),
    init: () => captureInit(home, deps),
    cursors: () => deps.cursors(home.path),
    committer,
    clock,
    logger,
    metrics,
    onFirstScan: () => deps.onFirstScan(home.path),
    onDone: () => deps.onDone(home.path),
    onQuarantined: (file, reason) => deps.onQuarantined(home.path, file, reason),
  });
}

function captureInit(home: Home, deps: HomeCaptureDeps): Omit<CaptureInit, 'quarantined'> {
  const { config, host } = deps;
  const { capture } = config;
  return {
    home: home.path,
    user: home.user,
    ownerUid: deps.anyOwner ? null : (home.uid ?? null),
    mode: deps.mode,
    sources: deps.sources
      .filter(({ id }) => config.sources[id].enabled)
      .map((source) => ({
        id: source.id,
        extraRoots: [...config.sources[source.id].roots, ...rootsFromEnv(source, home, deps)],
      })),
    host,
    labels: config.labels,
    limits: {
      coalesceMs: capture.coalesceMs,
      settleMs: capture.settleMs,
      maxLineBytes: capture.maxLineBytes,
      maxDocumentBytes: capture.maxDocumentBytes,
      maxTextBytes: config.rows.maxTextBytes,
      enrichLive: capture.enrichLive,
      watch: capture.watch,
      pollMs: capture.pollMs,
    },
    firstScan: !deps.isScanned(home.path),
  };
}

/** Only our own environment is known, so it speaks for our own home alone. */
function rootsFromEnv(source: Source, home: Home, { env, ownHome }: HomeCaptureDeps): string[] {
  if (home.path !== ownHome) return [];
  return source.roots.flatMap(({ path, env: name }) => {
    const parent = name === undefined ? undefined : env(name);
    return parent ? [`${parent}/${path}`] : [];
  });
}
