import type { LoadedConfig } from '../config/load.ts';
import { diffConfig } from '../config/reload.ts';
import type { Config } from '../config/resolve.ts';
import { type Committer, createCommitter } from './capture/committer.ts';
import type { Clock } from './contract/clock.ts';
import { EnvironmentError, UsageError } from './contract/errors.ts';
import type { Source } from './contract/source.ts';
import { controlHandlers, type FollowedCommits, followCommits } from './keeper/control.ts';
import { sinksOf } from './keeper/deliveries.ts';
import { type EmbeddedCollector, startEmbedded, wantsCollector } from './keeper/embedded-collector.ts';
import { setGauges } from './keeper/gauges.ts';
import { createHealthGatherer, type HealthGatherer } from './keeper/health-facts.ts';
import { createQuarantineTeller } from './keeper/quarantine-teller.ts';
import { type Runtime, startRuntime } from './keeper/runtime.ts';
import { createSelfRows } from './keeper/self-rows.ts';
import { openState, storeOptionsOf } from './keeper/state.ts';
import { startUpkeep, type Upkeep } from './keeper/upkeep.ts';
import { createVaultDirs } from './keeper/vaults.ts';
import { findHomes } from './platform/homes.ts';
import { type Host, identifyHost } from './platform/host.ts';
import type { PlatformFacts } from './platform/paths.ts';
import { residentBytes, VERSION } from './platform/program.ts';
import { spawnForHome } from './platform/spawn.ts';
import type { OpenedStore } from './store/open-store.ts';
import { assessHealth } from './telemetry/assess-health.ts';
import { type ControlServer, createControlServer } from './telemetry/control.ts';
import type { HealthDocument } from './telemetry/health.ts';
import type { ProcessLogger } from './telemetry/logger.ts';
import { createMetrics, type MetricsRegistry } from './telemetry/metrics.ts';
import type { Redactor } from './telemetry/redactor.ts';

export interface AgentDeps {
  readonly loaded: LoadedConfig;
  /** Reads the configuration again. Throws ConfigError. */
  readonly load: () => LoadedConfig;
  readonly stateDir: string;
  readonly socket: string;
  readonly facts: PlatformFacts;
  readonly sources: readonly Source[];
  readonly clock: Clock;
  readonly logger: ProcessLogger;
  readonly redactor: Redactor;
}

export interface ReloadOutcome {
  readonly changed: readonly string[];
}

/** The keeper: everything but the capture processes. */
export interface Agent {
  health(): HealthDocument;
  /** Applies a changed configuration whole, or refuses it whole. */
  reload(): Promise<ReloadOutcome>;
  /** Ends in order: reading stops, what waits is sent while `drainMs` lasts, everything is closed. */
  stop(drainMs: number): Promise<void>;
}

/** Builds everything and starts it. Throws StoreError, EnvironmentError or ConfigError when it cannot. */
export async function startAgent(deps: AgentDeps): Promise<Agent> {
  const { stateDir, clock, logger, loaded } = deps;
  const opened = openState(stateDir, loaded.config, { clock, logger });
  let embedded: EmbeddedCollector | undefined;
  let keeper: Keeper | undefined;
  try {
    if (wantsCollector(loaded.config))
      embedded = await startEmbedded(loaded.config, { stateDir, clock, logger });
    keeper = new Keeper(deps, opened, embedded);
    await keeper.start();
    return keeper;
  } catch (error) {
    await (keeper ? keeper.stop(0) : closeAll(opened, embedded));
    throw error;
  }
}

async function closeAll(
  { store, lock }: OpenedStore,
  embedded: EmbeddedCollector | undefined,
): Promise<void> {
  await embedded?.close();
  store.close();
  lock.release();
}

class Keeper implements Agent {
  readonly #deps: AgentDeps;
  readonly #opened: OpenedStore;
  readonly #embedded: EmbeddedCollector | undefined;
  readonly #host: Host;
  readonly #metrics: MetricsRegistry;
  readonly #followed: FollowedCommits;
  readonly #committer: Committer;
  readonly #gatherer: HealthGatherer;
  readonly #control: ControlServer;
  #config: Config;
  #runtime: Runtime;
  #upkeep: Upkeep;
  #lastHealth: HealthDocument | undefined;
  /** The last reload asked for; each waits for the one before. */
  #reloading: Promise<unknown> = Promise.resolve();
  #stopping = false;

  constructor(deps: AgentDeps, opened: OpenedStore, embedded: EmbeddedCollector | undefined) {
    const { clock, logger, stateDir, loaded } = deps;
    const { store } = opened;
    this.#deps = deps;
    this.#opened = opened;
    this.#embedded = embedded;
    this.#config = loaded.config;
    this.#host = identifyHost(stateDir);
    this.#metrics = createMetrics((problem) => logger.debug('a metric was misused', { problem }));
    this.#followed = followCommits(store);
    this.#committer = createCommitter({
      target: store,
      clock,
      logger: logger.child('store'),
      metrics: this.#metrics,
      onCommitted: () => this.#onCommitted(),
    });
    const storeTrouble = opened.trouble;
    this.#gatherer = createHealthGatherer({
      clock,
      host: this.#host,
      version: VERSION,
      committer: this.#committer,
      store,
      storeTrouble,
    });
    this.#runtime = this.#startRuntime();
    this.#upkeep = this.#startUpkeep();
    this.#control = createControlServer({
      path: deps.socket,
      logger: logger.child('control'),
      handlers: controlHandlers({
        agent: this,
        store,
        renderMetrics: () => this.#renderMetrics(),
        followed: this.#followed,
        sweep: () => this.#runtime.captures.sweep(true, 'request'),
      }),
    });
  }

  async start(): Promise<void> {
    await this.#control.start();
    this.#upkeep.beat();
  }

  health(): HealthDocument {
    this.#lastHealth = assessHealth(this.#gatherer.facts(this.#runtime), this.#lastHealth);
    return this.#lastHealth;
  }

  reload(): Promise<ReloadOutcome> {
    const outcome = this.#reloading.then(() => this.#applyReload());
    this.#reloading = outcome.catch(() => {});
    return outcome;
  }

  async stop(drainMs: number): Promise<void> {
    this.#stopping = true;
    await this.#control.close();
    await this.#reloading;
    await this.#runtime.stop(this.#committer, drainMs);
    this.#committer.stop();
    this.#upkeep.stop();
    await closeAll(this.#opened, this.#embedded);
  }

  #renderMetrics(): string {
    setGauges(this.#runtime, {
      metrics: this.#metrics,
      clock: this.#deps.clock,
      resident: residentBytes,
      store: this.#opened.store,
    });
    return this.#metrics.render();
  }

  #onCommitted(): void {
    this.#runtime.deliveries.poke();
    this.#followed.announce();
  }

  async #applyReload(): Promise<ReloadOutcome> {
    const { logger, load } = this.#deps;
    if (this.#stopping)
      throw new EnvironmentError('STOPPING', 'Holdfast is being stopped; nothing was changed');
    const { config } = load();
    const { changed, needsRestart } = diffConfig(this.#config, config);
    if (needsRestart.length > 0) {
      throw new UsageError(
        'NEEDS_RESTART',
        `these keys take effect only after a restart: ${needsRestart.join(', ')}`,
        {
          hint: 'Nothing was changed. Restart Holdfast to apply the whole file.',
        },
      );
    }
    if (changed.length === 0) return { changed };
    this.#config = config;
    await this.#runtime.stop(this.#committer, 0);
    this.#upkeep.stop();
    logger.setLevel(config.telemetry.logLevel);
    this.#opened.configure(storeOptionsOf(config));
    this.#embedded?.keep(config.collector.keepDays);
    this.#runtime = this.#startRuntime();
    this.#upkeep = this.#startUpkeep();
    logger.info('the configuration was applied', { changed: changed.join(', ') });
    return { changed };
  }

  #startRuntime(): Runtime {
    const { clock, logger, facts, sources, redactor, stateDir } = this.#deps;
    const { store } = this.#opened;
    const config = this.#config;
    return startRuntime({
      config,
      sinks: sinksOf(config, this.#embedded),
      findHomes: () => findHomes({ homes: config.homes, homesRoot: config.homesRoot }, facts),
      captures: {
        config,
        host: this.#host,
        sources,
        committer: this.#committer,
        clock,
        logger: logger.child('capture'),
        metrics: this.#metrics,
        spawn: (home, memoryMb) => spawnForHome('capture', home, memoryMb),
        env: (name) => facts.env[name],
        ownHome: facts.home,
        platform: facts.platform,
        mode: 'watch',
        vaultDir: createVaultDirs(stateDir, logger.child('vault')),
        anyOwner: false,
        cursors: (home) => store.cursors(home),
        records: (home) => store.records(home),
        isScanned: (home) => store.isScanned(home),
        onFirstScan: (home) => store.markScanned(home),
        onDone: () => {},
        onQuarantined: createQuarantineTeller({
          store,
          clock,
          logger: logger.child('capture'),
          tell: (event) => this.#upkeep.tell(event),
        }),
      },
      deliveries: {
        store,
        clock,
        logger,
        metrics: this.#metrics,
        onSettled: () => this.#committer.poke(),
        sinkDeps: {
          clock,
          logger,
          version: VERSION,
          origin: { hostId: this.#host.id, epoch: store.epoch },
          secret: (name) => noteSecret(facts.env[name], redactor),
        },
      },
    });
  }

  #startUpkeep(): Upkeep {
    const { clock, logger, stateDir } = this.#deps;
    const { labels, rows } = this.#config;
    return startUpkeep({
      stateDir,
      store: this.#opened.store,
      committer: this.#committer,
      clock,
      logger: logger.child('upkeep'),
      metrics: this.#metrics,
      renderMetrics: () => this.#renderMetrics(),
      selfRows: createSelfRows({ ...this.#host, labels, maxTextBytes: rows.maxTextBytes }, clock),
      health: () => this.health(),
      runtime: () => this.#runtime,
      watchClock: this.#gatherer.watchClock,
      onCommitted: () => this.#onCommitted(),
    });
  }
}

function noteSecret(secret: string | undefined, redactor: Redactor): string | undefined {
  if (secret !== undefined) redactor.add(secret);
  return secret;
}
