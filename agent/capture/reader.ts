import { type Clock, isoTime } from '../contract/clock.ts';
import { errnoOf, messageOf } from '../contract/errors.ts';
import type { Retention } from '../contract/lifecycle.ts';
import type { Logger } from '../contract/logger.ts';
import type { LogSpec, ParseContext, SmallFiles } from '../contract/source.ts';
import { type ReadDatabaseDeps, readDatabase, tellDatabaseGone } from './database/read-database.ts';
import { ownerBelow, type Root } from './layout.ts';
import { type OpenedFile, openSourceFile } from './open-file.ts';
import type { Outlet } from './outlet.ts';
import type { CaptureLimits } from './protocol.ts';
import { type ReadWholeDeps, readDocument } from './read-document.ts';
import { drainHeld, type ReadLogDeps, readLog, settleLog } from './read-log.ts';
import { readStanding } from './read-standing.ts';
import type { Counter, ReadOutcome } from './reading.ts';
import { letGo, type Track } from './track.ts';
import type { Tracks } from './tracks.ts';
import { createPinReader } from './vault/read-pin.ts';
import type { Vault } from './vault/vault.ts';

export interface ReaderDeps {
  readonly tracks: Tracks;
  readonly outlet: Outlet;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: CaptureLimits;
  readonly ownerUid: number | null;
  readonly count: Counter;
  readonly smallFiles: (root: Root) => SmallFiles;
  readonly retention: (track: Track) => Retention;
  readonly vault: Vault;
  readonly isRunning: ParseContext['isRunning'];
}

export interface Reader {
  read(track: Track): ReadOutcome;
  /** The end of a file has been unfinished for the settle time: takes it as it is. */
  settle(track: Track): ReadOutcome;
  /** Absolute project path of the file's session, where it is known. */
  projectOf(track: Track): string | undefined;
  /** Reads what an unlinked or replaced file still holds. */
  drain(track: Track): void;
  /** Whether a file that is gone left something behind that no read has seen. */
  isUnread(track: Track): boolean;
  /** Tells that a database went away. */
  databaseGone(track: Track): void;
}

export function createReader(deps: ReaderDeps): Reader {
  const { tracks, logger, ownerUid, count, vault } = deps;
  const context = createContexts(deps);
  const { log, database, whole } = depsByKind(deps, context);
  const pins = createPinReader({ vault, count, readOpened, settle: (track) => settleLog(track, log) });

  function read(track: Track): ReadOutcome {
    const opened = openSourceFile(track.ref.path, ownerBelow(track.ref.root, ownerUid));
    const present = opened.kind === 'open' ? opened.file.facts : undefined;
    const pin = opened.kind === 'open' || opened.kind === 'gone' ? pins.unread(track, present) : undefined;
    if (pin) {
      if (opened.kind === 'open') opened.file[Symbol.dispose]();
      return pins.read(track, pin);
    }
    if (opened.kind === 'open') {
      track.wasGone = false;
      return readOpened(track, opened.file);
    }
    if (opened.kind === 'gone') return 'gone';
    logger.debug('file not read', { file: track.ref.key, reason: opened.reason });
    track.trouble = opened.reason;
    if (opened.kind === 'refused') {
      track.seen = opened.facts;
      return 'refused';
    }
    track.failures++;
    return 'later';
  }

  function readOpened(track: Track, opened: OpenedFile): ReadOutcome {
    const { spec } = track.ref;
    track.failures = 0;
    track.trouble = undefined;
    track.seen = opened.facts;
    if (spec.kind === 'log') return readFollowed(track, spec, opened);
    using file = opened;
    if (spec.kind === 'database') return readDatabase(track, spec, file, database);
    const result =
      spec.kind === 'document'
        ? readDocument(track, spec, file, whole)
        : readStanding(track, spec, file, whole);
    return result === 'retry' ? 'settle' : 'done';
  }

  /** The track keeps the file open; when it could not take it over, nobody else would ever close it. */
  function readFollowed(track: Track, spec: LogSpec, file: OpenedFile): ReadOutcome {
    try {
      const more = readLog(track, spec, file, log);
      tracks.noteSession(track, track.live?.session);
      if (more) return 'more';
      return (track.live?.restOf(file) ?? 0) > 0 ? 'settle' : 'done';
    } catch (error) {
      file[Symbol.dispose]();
      throw error;
    }
  }

  /** A log that had to give way to others in the meantime is followed again first. */
  function settle(track: Track): ReadOutcome {
    if (track.ref.spec.kind !== 'log') return read(track);
    const outcome = track.live && track.held ? 'settle' : read(track);
    if (outcome !== 'settle') return outcome;
    settleLog(track, log);
    return 'done';
  }

  return {
    read: (track) =>
      guard(track, deps, () => {
        track.tornAt = undefined;
        return read(track);
      }),
    projectOf: (track) => context(track).project(undefined),
    settle: (track) => guard(track, deps, () => settle(track)),
    drain: (track) =>
      void guard(track, deps, () => {
        drainHeld(track, log);
        pins.drained(track);
        return 'done';
      }),
    isUnread: (track) => pins.unread(track, undefined) !== undefined,
    databaseGone(track) {
      const { spec } = track.ref;
      if (spec.kind === 'database') tellDatabaseGone(track, spec, database);
    },
  };
}

/** What the readers of each kind of file need. */
function depsByKind(
  { outlet, limits, logger, ownerUid, count, clock, retention }: ReaderDeps,
  context: (track: Track) => ParseContext,
): { readonly log: ReadLogDeps; readonly database: ReadDatabaseDeps; readonly whole: ReadWholeDeps } {
  const log: ReadLogDeps = {
    outlet,
    logger,
    maxLineBytes: limits.maxLineBytes,
    context,
    count: (name, amount, label) =>
      count(name, amount, name === 'holdfast_reads_total' ? { outcome: label } : { source: label }),
  };

  const database: ReadDatabaseDeps = {
    outlet,
    clock,
    ownerUid,
    settleMs: limits.settleMs,
    maxValueBytes: limits.maxDocumentBytes,
    context,
    retention,
  };
  const whole: ReadWholeDeps = { outlet, maxDocumentBytes: limits.maxDocumentBytes, context };
  return { log, database, whole };
}

/**
 * An input/output error is tried again; anything else is a bug of ours, which must not stop the other files. What
 * was wrong may be the cursor, which is only a shortcut: the file gets another chance without it.
 */
function guard(track: Track, { logger }: ReaderDeps, work: () => ReadOutcome): ReadOutcome {
  try {
    return work();
  } catch (error) {
    const code = errnoOf(error);
    track.failures++;
    track.trouble = code ?? messageOf(error);
    letGo(track);
    logger.error('a source file could not be read', {
      event: 'source.read_failed',
      file: track.ref.key,
      reason: code ?? messageOf(error),
    });
    if (code !== undefined && !code.startsWith('ERR_')) return 'later';
    const outcome = track.cursor ? 'later' : 'refused';
    track.cursor = undefined;
    return outcome;
  }
}

/** Builds what a parser may ask about a file; answers about projects are kept while the file is followed. */
function createContexts({
  tracks,
  smallFiles,
  count,
  isRunning,
}: ReaderDeps): (track: Track) => ParseContext {
  return (track) => {
    const { root, relative: path } = track.ref;
    const { source } = root;
    const projects = new Map<string | undefined, string>();
    return {
      path,
      root: root.key,
      fileTime: () => isoTime(track.seen?.mtimeMs ?? 0),
      project(recorded) {
        if (root.project !== undefined) return root.project;
        const known = projects.get(recorded) ?? source.projectOf?.({ path, recorded }, smallFiles(root));
        if (known !== undefined) projects.set(recorded, known);
        return known;
      },
      knownSession: (prefix) =>
        tracks.knownSession(track, prefix) ?? source.sessionOf?.({ path, prefix }, smallFiles(root)),
      small: smallFiles(root),
      isRunning,
      note: (code) => count('holdfast_notes_total', 1, { code }),
    };
  };
}
