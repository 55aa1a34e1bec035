import type { Config } from '../../config/resolve.ts';
import type { Committer } from '../capture/committer.ts';
import type { CaptureInit, SourceInit, SweepReason } from '../capture/protocol.ts';
import { createSupervisor, type Supervisor, type SupervisorState } from '../capture/supervisor.ts';
import type { Clock } from '../contract/clock.ts';
import type { Cursor, RecordNote } from '../contract/commit.ts';
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
  readonly platform: string;
  readonly mode: CaptureInit['mode'];
  /** The directory for the pins of a home, made when `make` says so; null where there is none. */
  readonly vaultDir: (home: Home, make: boolean) => string | null;
  /** A copied home belongs to whoever copied it: its files are taken as they are. */
  readonly anyOwner: boolean;
  readonly cursors: (home: string) => Iterable<readonly [string, Cursor]>;
  readonly records: (home: string) => Iterable<readonly [string, RecordNote]>;
  readonly isScanned: (home: string) => boolean;
  readonly onFirstScan: (home: string) => void;
  readonly onDone: (home: string) => void;
  readonly onQuarantined: (home: string, file: string, reason: string) => void;
}

/** The capture processes of all homes. */
export interface HomeCaptures {
  start(): void;
  /** Begins to observe homes that were not there before; one that is gone keeps its process, for it may come back. */
  update(homes: readonly Home[]): readonly Home[];
  sweep(full: boolean, reason: SweepReason): void;
  states(): { readonly home: Home; readonly state: SupervisorState }[];
  stop(): Promise<void>;
}

export function createHomeCaptures(homes: readonly Home[], deps: HomeCaptureDeps): HomeCaptures {
  const captures = homes.map((home) => ({ home, supervisor: supervise(home, deps) }));
  let stopped = false;
  return {
    start: () => {
      for (const { supervisor } of captures) supervisor.start();
    },
    update(found) {
      const fresh = stopped
        ? []
        : found.filter(({ path }) => !captures.some(({ home }) => home.path === path));
      for (const home of fresh) {
        const supervisor = supervise(home, deps);
        captures.push({ home, supervisor });
        supervisor.start();
      }
      return fresh;
    },
    sweep: (full, reason) => {
      for (const { supervisor } of captures) supervisor.sweep(full, reason);
    },
    states: () => captures.map(({ home, supervisor }) => ({ home, state: supervisor.state() })),
    stop: async () => {
      stopped = true;
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
    records: () => deps.records(home.path),
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
      .map((source) => placesOf(source, home, deps)),
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
    vault: vaultOf(home, deps),
    firstScan: !deps.isScanned(home.path),
  };
}

function vaultOf(home: Home, { config, vaultDir }: HomeCaptureDeps): CaptureInit['vault'] {
  const { pin, vaultBytes } = config.capture;
  const dir = vaultDir(home, pin);
  return dir === null ? null : { dir, maxCopyBytes: vaultBytes, closing: !pin };
}

/** Where a source is read beside its usual stores. A copied home says nothing of this machine. */
function placesOf(source: Source, home: Home, deps: HomeCaptureDeps): SourceInit {
  const { roots, files } = deps.config.sources[source.id];
  const isLive = deps.mode === 'watch';
  // Only our own environment is known, so it speaks for our own home alone.
  const env: Env = home.path === deps.ownHome ? deps.env : () => undefined;
  return {
    id: source.id,
    extraRoots: [...roots, ...rootsFromEnv(source, env)],
    systemRoots: isLive ? (source.systemDirectories?.[deps.platform] ?? []) : [],
    extraFiles: [
      ...Object.entries(files).map(([spec, path]) => ({ spec, path })),
      ...filesFromEnv(source, env),
    ],
  };
}

type Env = HomeCaptureDeps['env'];

function rootsFromEnv({ roots }: Source, env: Env): string[] {
  return roots.flatMap(({ path, env: variables = [] }) =>
    variables.flatMap(({ name, names, path: below = path }) => {
      const value = env(name);
      if (!value) return [];
      return [names === 'parent' ? `${value}/${below}` : value];
    }),
  );
}

function filesFromEnv({ filesFromEnv: variables = {} }: Source, env: Env): SourceInit['extraFiles'] {
  return Object.entries(variables).flatMap(([name, spec]) => {
    const path = env(name);
    return path ? [{ spec, path }] : [];
  });
}
