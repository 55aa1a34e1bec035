import type { Clock, Timer } from '../contract/clock.ts';
import type { Cursor, RecordNote } from '../contract/commit.ts';
import { messageOf } from '../contract/errors.ts';
import type { Logger } from '../contract/logger.ts';
import type { MetricName, Metrics } from '../contract/metrics.ts';
import type { SelfProcess } from '../platform/spawn.ts';
import { type Channel, createChannel, type Frame } from './channel.ts';
import { checkFrame } from './check-frame.ts';
import type { Committer } from './committer.ts';
import {
  type CaptureInit,
  type CaptureState,
  decodeCommit,
  type FromCapture,
  MAX_FRAME_BYTES,
  type SweepReason,
  type ToCapture,
} from './protocol.ts';
import { Quarantine } from './quarantine.ts';

export interface SupervisorDeps {
  /** Name of the home in the store: its path. */
  readonly home: string;
  readonly spawn: () => SelfProcess;
  /** What the process is told; asked again at every start. */
  readonly init: () => Omit<CaptureInit, 'quarantined'>;
  readonly cursors: () => Iterable<readonly [string, Cursor]>;
  readonly records: () => Iterable<readonly [string, RecordNote]>;
  readonly committer: Committer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** The first scan is complete and durable. */
  readonly onFirstScan?: () => void;
  readonly onDone?: () => void;
  readonly onQuarantined?: (file: string, reason: string) => void;
}

export interface SupervisorState {
  readonly home: string;
  readonly running: boolean;
  readonly restarts: number;
  readonly lastExit: string | undefined;
  readonly quarantined: readonly string[];
  /** Files that wait now: newer than what `capture` says. */
  readonly waiting: number;
  /** What the process last said of itself. */
  readonly capture: CaptureState | undefined;
}

export interface Supervisor {
  start(): void;
  sweep(full: boolean, reason: SweepReason): void;
  state(): SupervisorState;
  /** Asks the process to end, and ends it when it does not. */
  stop(): Promise<void>;
}

const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 30_000;
const HEALTHY_MS = 60_000;
const STOP_MS = 4_000;
/** Cursors go in frames of about this size: those of settings hold all that their file said. */
const CURSOR_FRAME_CHARS = 512 * 1024;

/** A process that reads a file and has not said anything for this long hangs in it. */
const HANG_MS = 60_000;
const HANG_CHECK_MS = 5_000;

/** Keeps one capture process running, and finds out which file ends it. */
export function createSupervisor(deps: SupervisorDeps): Supervisor {
  return new CaptureSupervisor(deps);
}

class CaptureSupervisor implements Supervisor {
  readonly #deps: SupervisorDeps;
  readonly #quarantine = new Quarantine();
  #process: SelfProcess | undefined;
  #channel: Channel<FromCapture, ToCapture> | undefined;
  #restarts = 0;
  #failures = 0;
  #startedAt = 0;
  #heardAt = 0;
  #reading: string | null = null;
  #unanswered = 0;
  #waiting = 0;
  #lastExit: string | undefined;
  #state: CaptureState | undefined;
  #stopping: PromiseWithResolvers<void> | undefined;
  /** The first scan is over, and the store does not know it yet. */
  #firstScanTold = true;
  /** We ended it ourselves, because it hung or broke the channel. */
  #killed = false;
  #timer: Timer | undefined;
  #hangTimer: Timer | undefined;

  constructor(deps: SupervisorDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { clock } = this.#deps;
    this.#launch();
    this.#hangTimer = clock.every(HANG_CHECK_MS, () => {
      this.#checkHang();
      this.#releaseQuarantined();
    });
  }

  sweep(full: boolean, reason: SweepReason): void {
    this.#channel?.send({ type: 'sweep', full, reason });
  }

  state(): SupervisorState {
    return {
      home: this.#deps.home,
      running: this.#process !== undefined,
      restarts: this.#restarts,
      lastExit: this.#lastExit,
      quarantined: this.#quarantine.files(),
      waiting: this.#waiting,
      capture: this.#state,
    };
  }

  stop(): Promise<void> {
    if (this.#stopping) return this.#stopping.promise;
    this.#stopping = Promise.withResolvers<void>();
    this.#timer?.cancel();
    this.#hangTimer?.cancel();
    if (!this.#process) this.#stopping.resolve();
    this.#channel?.send({ type: 'stop' });
    const timer = this.#deps.clock.after(STOP_MS, () => this.#process?.kill('SIGKILL'));
    return this.#stopping.promise.finally(() => timer.cancel());
  }

  #launch(): void {
    const { spawn, clock, logger } = this.#deps;
    this.#startedAt = clock.monotonic();
    this.#heardAt = this.#startedAt;
    this.#reading = null;
    this.#unanswered = 0;
    this.#waiting = 0;
    this.#killed = false;
    try {
      const process = spawn();
      const channel = createChannel<FromCapture, ToCapture>(process.channel, MAX_FRAME_BYTES);
      this.#process = process;
      this.#channel = channel;
      channel.onFrame((frame) => this.#onFrame(channel, frame));
      channel.onClose((reason, isBroken) => this.#onChannelClosed(process, { reason, isBroken }));
      const stderr = followStderr(process);
      process.onExit((how) => {
        if (process === this.#process) this.#onExit(how, stderr());
      });
      this.#greet(channel);
    } catch (error) {
      logger.error('a capture process could not be started', {
        event: 'capture.start_failed',
        reason: messageOf(error),
      });
      const halfStarted = this.#process;
      this.#onExit(messageOf(error), '');
      halfStarted?.kill('SIGKILL');
    }
  }

  #greet(channel: Channel<FromCapture, ToCapture>): void {
    const { init, cursors, records } = this.#deps;
    channel.send({ type: 'init', init: { ...init(), quarantined: this.#quarantine.files() } });
    for (const part of inParts(cursors())) channel.send({ type: 'cursors', cursors: part });
    for (const part of inParts(records())) channel.send({ type: 'records', records: part });
    channel.send({ type: 'start' });
  }

  #onFrame(channel: Channel<FromCapture, ToCapture>, { header, payload }: Frame<FromCapture>): void {
    const { home, committer, logger, metrics, clock } = this.#deps;
    checkFrame(header);
    this.#heardAt = clock.monotonic();
    switch (header.type) {
      case 'commit': {
        const { n } = header;
        const commit = decodeCommit(header, payload);
        this.#unanswered++;
        if (commit.file !== null && commit.cursor)
          this.#quarantine.progress(commit.file, commit.cursor.offset);
        committer.submit(home, commit, () => {
          this.#unanswered = Math.max(0, this.#unanswered - 1);
          channel.send({ type: 'ack', n });
        });
        break;
      }
      case 'at':
        this.#reading = header.file;
        break;
      case 'log':
        logger[header.level](header.message, { event: 'capture.log', ...header.fields, home });
        break;
      case 'count':
        metrics.add(header.name as MetricName, header.amount, header.labels);
        break;
      case 'state':
        this.#state = header.state;
        this.#waiting = header.state.waiting;
        break;
      case 'waiting':
        this.#waiting = header.files;
        break;
      case 'swept':
        if (header.first) this.#firstScanTold = false;
        this.#tellFirstScan();
        break;
      case 'done':
        this.#deps.onDone?.();
        break;
    }
  }

  /** A store that cannot be written now is told after a later sweep. */
  #tellFirstScan(): void {
    if (this.#firstScanTold) return;
    try {
      this.#deps.onFirstScan?.();
      this.#firstScanTold = true;
    } catch (error) {
      this.#deps.logger.error('the end of the first scan could not be noted; it is tried again', {
        event: 'store.write_failed',
        home: this.#deps.home,
        reason: messageOf(error),
      });
    }
  }

  /**
   * A process that sends what is no frame, or closes its end, is of no use any more. The end of one that was
   * killed closes its channel too, before we hear of it: that is no fault of the file it read.
   */
  #onChannelClosed(
    process: SelfProcess,
    { reason, isBroken }: { readonly reason: string; readonly isBroken: boolean },
  ): void {
    if (this.#stopping || process !== this.#process) return;
    this.#deps.logger.debug('the channel of a capture process closed', { reason });
    if (isBroken) this.#killed = true;
    process.kill('SIGKILL');
  }

  #onExit(how: string, stderr: string): void {
    const { logger, metrics, clock, home } = this.#deps;
    this.#process = undefined;
    this.#channel = undefined;
    this.#lastExit = how;
    if (this.#stopping) {
      this.#stopping.resolve();
      return;
    }
    this.#restarts++;
    metrics.add('holdfast_capture_restarts_total');
    this.#failures = clock.monotonic() - this.#startedAt > HEALTHY_MS ? 1 : this.#failures + 1;
    const delay = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.min(this.#failures - 1, 10));
    logger.error('a capture process ended; it is started again', {
      event: 'capture.ended',
      home,
      how,
      reading: this.#reading,
      stderr: lastWords(stderr),
      delay_ms: delay,
    });
    this.#blame(how);
    this.#timer = clock.after(delay, () => this.#launch());
  }

  #blame(how: string): void {
    const file = this.#reading;
    const { logger, metrics, home, clock, onQuarantined } = this.#deps;
    const wasKilled = how === 'signal SIGKILL' && !this.#killed;
    if (file === null || !this.#quarantine.blame(file, wasKilled, clock.monotonic())) return;
    metrics.set('holdfast_quarantined_files', this.#quarantine.files().length, { home });
    logger.error('a source file is set aside: reading it ended the capture process again and again', {
      event: 'capture.quarantined',
      home,
      file,
      how,
    });
    onQuarantined?.(file, how);
  }

  #releaseQuarantined(): void {
    const { clock, metrics, home } = this.#deps;
    if (this.#quarantine.release(clock.monotonic()).length === 0) return;
    metrics.set('holdfast_quarantined_files', this.#quarantine.files().length, { home });
    this.#channel?.send({ type: 'quarantine', files: this.#quarantine.files() });
    this.sweep(true, 'request');
  }

  #checkHang(): void {
    const silent = this.#deps.clock.monotonic() - this.#heardAt;
    if (this.#reading === null || this.#unanswered > 0 || silent < HANG_MS) return;
    this.#deps.logger.error('a capture process hangs in a file; it is ended', {
      event: 'capture.hangs',
      home: this.#deps.home,
      file: this.#reading,
      silent_ms: Math.round(silent),
    });
    this.#killed = true;
    this.#process?.kill('SIGKILL');
  }
}

/** Keeps the end of what a process said before it died. */
function followStderr(process: SelfProcess): () => string {
  let text = '';
  process.stderr.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString('utf8')).slice(-8_000);
  });
  return () => text;
}

/** Why it died and where, without the message of an error, which may quote the text it stumbled over. */
function lastWords(stderr: string): string {
  const fatal = /^FATAL ERROR: .{0,200}/m.exec(stderr)?.[0];
  const name = /^\w*Error\b/m.exec(stderr)?.[0];
  const place = /^ {4}at .{0,200}/m.exec(stderr)?.[0].trim();
  return fatal ?? [name, place].filter(Boolean).join(' ');
}

/** As many entries together as one frame takes. */
function* inParts<T>(entries: Iterable<T>): Generator<readonly T[]> {
  let part: T[] = [];
  let chars = 0;
  for (const entry of entries) {
    part.push(entry);
    chars += JSON.stringify(entry).length;
    if (chars < CURSOR_FRAME_CHARS) continue;
    yield part;
    [part, chars] = [[], 0];
  }
  if (part.length > 0) yield part;
}
