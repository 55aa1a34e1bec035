import { Writable } from 'node:stream';
import winston from 'winston';
import { type Clock, isoTime } from '../contract/clock.ts';
import { errnoOf, messageOf } from '../contract/errors.ts';
import type { LogFields, Logger } from '../contract/logger.ts';
import { createEventLimiter } from './event-limiter.ts';
import { cutText, jsonLine, type LogEntry, type LogLevel, textLine } from './log-line.ts';
import { type LogTarget, streamTarget, withFallback } from './log-target.ts';
import { createRedactor, type Redactor } from './redactor.ts';
import { createRotatingFile } from './rotating-file.ts';

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly clock: Clock;
  /** One JSON object a line instead of text. */
  readonly json?: boolean;
  /** File to log to; left out, or null: the stream. */
  readonly file?: string | null;
  readonly maxBytes?: number;
  /** Files kept, the current one included. */
  readonly maxFiles?: number;
  /** Standard error unless given. Also takes what the file cannot. */
  readonly stream?: Writable;
  readonly redactor?: Redactor;
}

/** The logger of a process: what components log through, and what its owner does with it. */
export interface ProcessLogger extends Logger {
  setLevel(level: LogLevel): void;
  /** Lines held back because they repeat, and lines that no place took. */
  counts(): { readonly suppressed: number; readonly lost: number };
  /** Writes what is still due. Lines that come later are dropped. */
  close(): Promise<void>;
}

/** A warning or error comes through this often in a window, then as one line with a count. */
const REPEAT_LIMIT = 5;
const REPEAT_WINDOW_MS = 60_000;

const MAX_VALUE_LENGTH = 2000;

const LEVELS = { error: 0, warn: 1, info: 2, debug: 3 } as const satisfies Record<LogLevel, number>;

/** Fields that tell things apart which fail for themselves; all others may differ between equal events. */
const IDENTITY_FIELDS = ['key', 'sink', 'home', 'source', 'code'];

export function createLogger(options: LoggerOptions): ProcessLogger {
  const { clock, redactor = createRedactor() } = options;
  let lost = 0;
  const render = renderer(options.json === true ? jsonLine : textLine, redactor);
  const target = targetOf(options, {
    lost: () => lost++,
    troubled: (error) => render(complaint(error, clock)),
  });
  const logger = winston.createLogger({
    level: options.level,
    levels: LEVELS,
    format: lineFormat(render),
    transports: [new winston.transports.Stream({ stream: lineStream(target), eol: '' })],
  });
  const repeated = new Map<string, LogEntry>();
  const limiter = createEventLimiter({ clock, limit: REPEAT_LIMIT, windowMs: REPEAT_WINDOW_MS, summarise });

  return {
    ...component('holdfast', log),
    setLevel: (level) => {
      logger.level = level;
    },
    counts: () => ({ suppressed: limiter.suppressed(), lost }),
    async close() {
      limiter.flush();
      await new Promise((resolve) => logger.once('finish', resolve).end());
      await target.close();
    },
  };

  function log(entry: Omit<LogEntry, 'time'>): void {
    if (LEVELS[entry.level] > LEVELS[logger.level as LogLevel]) return;
    if (isLimited(entry.level) && !isAdmitted(entry)) return;
    write(entry);
  }

  function isAdmitted(entry: Omit<LogEntry, 'time'>): boolean {
    const identity = identityOf(entry);
    if (limiter.admit(identity)) return true;
    repeated.set(identity, { ...entry, time: '' });
    return false;
  }

  function summarise(identity: string, suppressed: number): void {
    const entry = repeated.get(identity);
    repeated.delete(identity);
    if (!entry) return;
    const fields = { event: entry.fields['event'], ...identityFields(entry.fields), suppressed };
    write({ ...entry, message: `${entry.message} (repeated)`, fields });
  }

  /** winston drops what comes after its end, but not without an error. */
  function write(entry: Omit<LogEntry, 'time'>): void {
    if (logger.writable) logger.log({ ...entry, time: isoTime(clock.now()) });
  }
}

function component(name: string, log: (entry: Omit<LogEntry, 'time'>) => void): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) =>
      log({ level, component: name, message, fields });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (inner) => component(name === 'holdfast' ? inner : `${name}.${inner}`, log),
  };
}

/** Secrets go before cutting, which could leave half of one, and again at the end, where nothing follows. */
function renderer(line: typeof textLine, redactor: Redactor): (entry: LogEntry) => string {
  const clean = (text: string) => cutText(redactor.redact(text), MAX_VALUE_LENGTH);
  return (entry) => redactor.redact(line(entry, clean));
}

function lineFormat(render: (entry: LogEntry) => string) {
  return winston.format.printf((info) => render(info as unknown as LogEntry));
}

function complaint(error: unknown, clock: Clock): LogEntry {
  return {
    time: isoTime(clock.now()),
    level: 'warn',
    component: 'log',
    message: 'the log file cannot be written; lines go to standard error for now',
    fields: { event: 'log.file_failed', reason: errnoOf(error) ?? messageOf(error) },
  };
}

function targetOf(
  { file, maxBytes = 10 * 1024 * 1024, maxFiles = 5, stream = process.stderr, clock }: LoggerOptions,
  handlers: { lost(): void; troubled(error: unknown): string },
): LogTarget {
  const last = streamTarget(stream);
  if (file === undefined || file === null)
    return { ...last, write: (line) => last.write(line, handlers.lost) };
  // Past the file and past winston: the trouble may come while the logger is being closed.
  const troubled = (error: unknown) => last.write(handlers.troubled(error), handlers.lost);
  const rotating = createRotatingFile({ path: file, maxBytes, maxFiles, clock, troubled });
  return withFallback(rotating, last, handlers.lost);
}

/** Always ready: the target answers for itself, so winston never has a reason to wait. */
function lineStream(target: LogTarget): Writable {
  return new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      target.write(line, () => undefined);
      done();
    },
  });
}

function isLimited(level: LogLevel): boolean {
  return level === 'warn' || level === 'error';
}

function identityOf({ component: name, fields }: Omit<LogEntry, 'time'>): string {
  return [name, fields['event'], ...Object.entries(identityFields(fields)).flat()].join('\0');
}

function identityFields(fields: LogFields): LogFields {
  return Object.fromEntries(
    IDENTITY_FIELDS.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
  );
}
