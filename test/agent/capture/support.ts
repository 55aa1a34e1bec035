import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Capture } from '../../../agent/capture/capture.ts';
import type { SourcePlaces } from '../../../agent/capture/layout.ts';
import type { CaptureInit, CaptureLimits } from '../../../agent/capture/protocol.ts';
import { silentLogger } from '../../../agent/contract/logger.ts';
import type { Source } from '../../../agent/contract/source.ts';
import { systemClock } from '../../../agent/platform/clock.ts';
import { MemoryPort } from '../../support/memory-port.ts';
import { onCleanUp } from '../../support/temp.ts';
import { toySource } from '../../support/toy-source.ts';
import { until } from '../../support/until.ts';

export const LIMITS: CaptureLimits = {
  coalesceMs: 20,
  settleMs: 150,
  maxLineBytes: 1 << 20,
  maxDocumentBytes: 1 << 20,
  maxTextBytes: 1 << 20,
  enrichLive: true,
  watch: 'auto',
  pollMs: 100,
};

export interface StartOptions {
  readonly port?: MemoryPort;
  readonly limits?: Partial<CaptureLimits>;
  readonly mode?: CaptureInit['mode'];
  readonly firstScan?: boolean;
  readonly source?: Source;
  readonly extraRoots?: readonly string[];
  readonly systemRoots?: readonly string[];
  /** Where source files are pinned; without it they are not. */
  readonly vault?: string;
  readonly closing?: boolean;
  readonly extraFiles?: SourcePlaces['extraFiles'];
}

/** Starts capture on a home and waits until its first scan is over. */
export async function startCapture(home: string, options: StartOptions = {}) {
  const port = options.port ?? new MemoryPort();
  const reading: (string | null)[] = [];
  const waiting: number[] = [];
  let scanned = false;
  let done = false;
  const capture = new Capture({
    init: {
      home,
      user: 'alice',
      ownerUid: process.geteuid?.() ?? null,
      mode: options.mode ?? 'watch',
      sources: [],
      host: { id: 'host', name: 'host' },
      labels: {},
      limits: { ...LIMITS, ...options.limits },
      vault:
        options.vault === undefined
          ? null
          : { dir: options.vault, maxCopyBytes: 1 << 20, closing: options.closing ?? false },
      firstScan: options.firstScan ?? false,
      quarantined: [],
    },
    sources: [
      {
        source: options.source ?? toySource,
        extraRoots: options.extraRoots ?? [],
        systemRoots: options.systemRoots ?? [],
        extraFiles: options.extraFiles ?? [],
      },
    ],
    port,
    clock: systemClock,
    logger: silentLogger,
    count: () => {},
    onReading: (file) => reading.push(file),
    onWaiting: (files) => waiting.push(files),
    onSwept: (_, first) => {
      scanned ||= first;
    },
    onDone: () => {
      done = true;
    },
  });
  onCleanUp(() => capture.stop());
  capture.load(port.cursors);
  for (const [file, notes] of port.records) capture.loadNotes(file, [...notes]);
  capture.start();
  await until('the first scan', () => scanned);
  return { capture, port, reading, waiting, isDone: () => done };
}

export function storeOf(home: string): string {
  const store = join(home, '.toy');
  mkdirSync(store, { recursive: true });
  return store;
}

/** Long enough for every event, window and settle time of these tests to have had its effect. */
export function quiet(ms = 400): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
