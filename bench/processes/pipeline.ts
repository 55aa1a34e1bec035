/**
 * The way of a row up to the outbox, as `holdfast run` goes it: a keeper that owns the store, and a capture
 * process for the home. Reads a home for the first time and ends when all of it is durable.
 * Arguments: the home and an empty state directory. The keeper starts this file again as `capture`.
 */
import { statSync } from 'node:fs';
import { createCommitter } from '../../agent/capture/committer.ts';
import { createSupervisor } from '../../agent/capture/supervisor.ts';
import { runCapture } from '../../agent/cli/capture.ts';
import { silentLogger } from '../../agent/contract/logger.ts';
import { noMetrics } from '../../agent/contract/metrics.ts';
import { systemClock as clock } from '../../agent/platform/clock.ts';
import { spawnForHome } from '../../agent/platform/spawn.ts';
import { SOURCES } from '../../parsers/index.ts';
import { DEFAULTS, openBenchStore } from '../lib/bench-store.ts';
import { report } from '../lib/child-run.ts';
import { sessionFiles } from '../lib/session-files.ts';

const [home = '', stateDir = ''] = process.argv.slice(2);
if (home === 'capture') runCapture();
else void scan();

async function scan(): Promise<void> {
  const uid = process.getuid?.();
  const { store, lock } = openBenchStore(stateDir);
  const shared = { clock, logger: silentLogger, metrics: noMetrics };
  const committer = createCommitter({ ...shared, target: store, onCommitted: () => {} });
  const scanned = Promise.withResolvers<void>();
  const supervisor = createSupervisor({
    ...shared,
    home,
    committer,
    spawn: () =>
      spawnForHome('capture', { path: home, user: 'alice', uid, gid: undefined }, DEFAULTS.capture.memoryMb),
    init: () => ({
      home,
      user: 'alice',
      ownerUid: uid ?? null,
      mode: 'watch',
      sources: SOURCES.map(({ id }) => ({ id, extraRoots: [], systemRoots: [], extraFiles: [] })),
      host: { id: 'bench', name: 'bench' },
      labels: {},
      limits: { ...DEFAULTS.capture, maxTextBytes: DEFAULTS.rows.maxTextBytes },
      vault: null,
      firstScan: true,
    }),
    records: () => [],
    cursors: () => store.cursors(home),
    onFirstScan: scanned.resolve,
  });
  supervisor.start();
  await scanned.promise;
  const { user, system } = process.cpuUsage();
  report(bytesOf(home), { rows: store.lastSeq(), keeperCpuMs: (user + system) / 1000 });
  await supervisor.stop();
  store.close();
  lock.release();
}

function bytesOf(dir: string): number {
  let bytes = 0;
  for (const file of sessionFiles(dir)) bytes += statSync(file).size;
  return bytes;
}
