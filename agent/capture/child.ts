import type { Clock } from '../contract/clock.ts';
import type { Cursor, RecordNote } from '../contract/commit.ts';
import type { LogFields, Logger } from '../contract/logger.ts';
import type { Source } from '../contract/source.ts';
import { Capture } from './capture.ts';
import type { Channel, Frame } from './channel.ts';
import { createCommitWindow } from './commit-window.ts';
import type { CaptureInit, FromCapture, ToCapture } from './protocol.ts';

export interface ChildDeps {
  readonly channel: Channel<ToCapture, FromCapture>;
  readonly sources: readonly Source[];
  readonly clock: Clock;
  /** Ends the process. */
  readonly exit: (code: number) => void;
}

const STATE_MS = 2_000;

/** The capture process: does what the keeper's frames say, and ends with the channel. */
export function runCaptureChild({ channel, sources, clock, exit }: ChildDeps): void {
  const window = createCommitWindow(channel);
  const counts = createCounts(channel);
  const cursors: (readonly [string, Cursor])[] = [];
  const records: (readonly [string, RecordNote])[] = [];
  let init: CaptureInit | undefined;
  let capture: Capture | undefined;

  function start(): void {
    if (!init || capture) return;
    capture = new Capture({
      init,
      sources: chooseSources(sources, init),
      port: window.port,
      clock,
      logger: channelLogger(channel, 'capture'),
      count: counts.add,
      onReading: markReading(channel),
      onWaiting: markWaiting(channel),
      onSwept: (reason, first) => {
        counts.flush();
        sendState();
        channel.send({ type: 'swept', reason, first });
      },
      onDone: () => {
        counts.flush();
        sendState();
        channel.send({ type: 'done' });
      },
    });
    capture.load(cursors);
    for (const [file, note] of records) capture.loadNotes(file, [note]);
    cursors.length = 0;
    records.length = 0;
    capture.start();
    clock.every(STATE_MS, () => {
      counts.flush();
      sendState();
    });
  }

  let lastState = '';
  function sendState(): void {
    if (!capture) return;
    const state = capture.state();
    const json = JSON.stringify(state);
    if (json !== lastState) channel.send({ type: 'state', state });
    lastState = json;
  }

  async function stop(): Promise<void> {
    await capture?.stop();
    await channel.flushed();
    exit(0);
  }

  channel.onClose(() => exit(0));
  channel.onFrame(({ header }: Frame<ToCapture>) => {
    switch (header.type) {
      case 'init':
        init = header.init;
        break;
      case 'cursors':
        cursors.push(...header.cursors);
        break;
      case 'records':
        records.push(...header.records);
        break;
      case 'start':
        start();
        break;
      case 'ack':
        window.onAck(header.n);
        break;
      case 'sweep':
        capture?.sweep(header.full, header.reason);
        break;
      case 'quarantine':
        capture?.quarantine(header.files);
        break;
      case 'stop':
        void stop();
        break;
    }
  });
}

function chooseSources(sources: readonly Source[], init: CaptureInit) {
  return init.sources.flatMap(({ id, ...places }) => {
    const source = sources.find((candidate) => candidate.id === id);
    return source ? [{ source, ...places }] : [];
  });
}

/** A crash must be traced to a file, so the keeper is told before a file is read; only when it is another. */
function markReading(channel: Channel<ToCapture, FromCapture>): (file: string | null) => void {
  let last: string | null = null;
  return (file) => {
    if (file !== last) channel.send({ type: 'at', file });
    last = file;
  };
}

/** Told at once when files begin to wait and when none does any more; how many they are goes with the state. */
function markWaiting(channel: Channel<ToCapture, FromCapture>): (files: number) => void {
  let last = false;
  return (files) => {
    if (files > 0 !== last) channel.send({ type: 'waiting', files });
    last = files > 0;
  };
}

/** Counts are summed up and sent now and then, not one by one. */
function createCounts(channel: Channel<ToCapture, FromCapture>) {
  const sums = new Map<string, { name: string; amount: number; labels: Record<string, string> }>();
  return {
    add(name: string, amount: number, labels: Record<string, string>): void {
      if (amount === 0) return;
      const key = `${name} ${Object.values(labels).join(' ')}`;
      const sum = sums.get(key);
      if (sum) sum.amount += amount;
      else sums.set(key, { name, amount, labels });
    },
    flush(): void {
      for (const sum of sums.values()) channel.send({ type: 'count', ...sum });
      sums.clear();
    },
  };
}

/** Log lines of a capture process go through the keeper's log. */
function channelLogger(channel: Channel<ToCapture, FromCapture>, component: string): Logger {
  const send =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: LogFields = {}) =>
      channel.send({ type: 'log', level, message, fields: { component, ...withoutUndefined(fields) } });
  return {
    debug: send('debug'),
    info: send('info'),
    warn: send('warn'),
    error: send('error'),
    child: (name) => channelLogger(channel, `${component}.${name}`),
  };
}

function withoutUndefined(fields: LogFields): Record<string, string | number | boolean | null> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
