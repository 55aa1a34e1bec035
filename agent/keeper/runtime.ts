import type { Config, SinkConfig } from '../../config/resolve.ts';
import type { Committer } from '../capture/committer.ts';
import type { HomeSearch, UnreadableHome } from '../platform/homes.ts';
import { createDeliveries, type Deliveries, type DeliveryDeps } from './deliveries.ts';
import { createHomeCaptures, type HomeCaptureDeps, type HomeCaptures } from './home-captures.ts';
import { everySeconds, type Schedule } from './schedules.ts';

export interface RuntimeDeps {
  readonly config: Config;
  readonly sinks: readonly SinkConfig[];
  /** Looks which homes there are; asked again while running, since a person may begin to work here any day. */
  readonly findHomes: () => HomeSearch;
  readonly captures: HomeCaptureDeps;
  readonly deliveries: DeliveryDeps;
}

/** What one configuration starts and a reload replaces: capture of all homes, delivery, the sweeps. */
export interface Runtime {
  readonly config: Config;
  readonly captures: HomeCaptures;
  readonly deliveries: Deliveries;
  unreadable(): readonly UnreadableHome[];
  /** Capture first, so that nothing new comes while what there is goes out. */
  stop(committer: Committer, drainMs: number): Promise<void>;
}

export function startRuntime({ config, sinks, findHomes, ...deps }: RuntimeDeps): Runtime {
  let { homes, unreadable } = findHomes();
  const captures = createHomeCaptures(homes, deps.captures);
  const deliveries = createDeliveries(sinks, deps.deliveries);
  deps.deliveries.store.prune(deliveries.ids(), deps.deliveries.clock.now());
  const { sweepSeconds, fullSweepSeconds } = config.capture;
  const { clock, logger } = deps.captures;
  const lookForHomes = () => {
    ({ homes, unreadable } = findHomes());
    for (const home of captures.update(homes)) logger.info('a new home is observed', { home: home.path });
  };
  const schedules: Schedule[] = [
    everySeconds({ seconds: sweepSeconds, name: 'sweep', clock }, () => captures.sweep(false, 'schedule')),
    everySeconds({ seconds: fullSweepSeconds, name: 'full sweep', clock }, () => {
      lookForHomes();
      captures.sweep(true, 'schedule');
    }),
  ];
  deliveries.start();
  captures.start();
  return {
    config,
    captures,
    deliveries,
    unreadable: () => unreadable,
    async stop(committer, drainMs) {
      for (const schedule of schedules) schedule.stop();
      await captures.stop();
      committer.flush();
      deliveries.poke();
      await deliveries.stop(drainMs);
    },
  };
}
