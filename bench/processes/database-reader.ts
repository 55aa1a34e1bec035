/**
 * Follows the databases of a home as a capture process does, with a parser that tells the last entry of each value.
 * Says "ready" when it follows; when its standard input ends it prints what it saw and the CPU it took.
 */
import { Capture } from '../../agent/capture/capture.ts';
import { silentLogger } from '../../agent/contract/logger.ts';
import type { Source } from '../../agent/contract/source.ts';
import { systemClock } from '../../agent/platform/clock.ts';
import { DEFAULTS } from '../lib/bench-store.ts';

const [home = ''] = process.argv.slice(2);
const seen: string[] = [];

const slots: Source = {
  id: 'amazon-q',
  title: 'Slots',
  version: 1,
  roots: [{ path: 'store' }],
  skipDirectory: () => false,
  files: [
    {
      kind: 'database',
      name: 'slots',
      role: 'primary',
      matches: (relative) => relative.endsWith('.sqlite3'),
      tables: [
        {
          name: 'conversations',
          key: ['key'],
          columns: ['value'],
          parse({ cells }) {
            const { value } = cells;
            if (Buffer.isBuffer(value))
              seen.push(/"(version \d+)"\]$/.exec(value.toString('utf8', value.length - 40))?.[1] ?? 'torn');
            return undefined;
          },
        },
      ],
    },
  ],
};

const { capture, rows } = DEFAULTS;
const reader = new Capture({
  init: {
    home,
    user: null,
    ownerUid: null,
    mode: 'watch',
    sources: [],
    host: { id: 'bench', name: 'bench' },
    labels: {},
    limits: { ...capture, maxTextBytes: rows.maxTextBytes },
    vault: null,
    firstScan: false,
    quarantined: [],
  },
  sources: [{ source: slots, extraRoots: [] }],
  onWaiting() {},
  port: { commit: () => {}, room: () => Promise.resolve(), settled: () => Promise.resolve() },
  clock: systemClock,
  logger: silentLogger,
  count: () => {},
  onReading: () => {},
  onSwept: (_, first) => {
    if (first) process.stdout.write('ready\n');
  },
  onDone: () => {},
});
reader.start();
process.stdin.resume().on('end', async () => {
  await reader.stop();
  const { user, system } = process.cpuUsage();
  process.stdout.write(`${JSON.stringify({ seen, cpuMs: (user + system) / 1000 })}\n`);
  process.exit(0);
});
