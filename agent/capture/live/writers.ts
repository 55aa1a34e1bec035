import { realpathSync } from 'node:fs';
import type { Clock } from '../../contract/clock.ts';
import type { Program } from '../../contract/source.ts';
import type { ProcessFacts, ProcessTable } from '../../platform/processes.ts';
import { mayBeProgram, recogniseProgram } from './program.ts';

/** The process that writes a session. */
export interface Writer {
  readonly pid: number;
  readonly startedMs: number;
  readonly version: string | undefined;
}

export interface WriterQuery {
  readonly program: Program;
  readonly project: string;
  readonly session: string;
  /** When the record was written, in milliseconds since 1970. */
  readonly ms: number;
}

export interface Writers {
  writerOf(query: WriterQuery): Writer | undefined;
}

export interface WritersDeps {
  readonly table: ProcessTable;
  readonly clock: Clock;
  readonly ownerUid: number;
}

/** What a look at the processes found is believed for a while; less long for a session not seen before. */
const LOOK_MS = 5_000;
const LOOK_FOR_NEW_MS = 250;
/** All processes, also those known to be others, are looked at again: a shell may have become the program. */
const FULL_LOOK_MS = 60_000;
const MAX_SESSIONS = 1_000;
/** The start of a process is known to about a second. */
const START_SLACK_MS = 1_000;

interface Candidate extends Writer {
  readonly process: ProcessFacts;
}

interface Look {
  /** Monotonic. */
  readonly at: number;
  /** Wall clock: until then the processes were running. */
  checkedMs: number;
  readonly candidates: readonly Candidate[];
  readonly sessions: Set<string>;
  readonly directories: Map<string, string>;
  readonly rejected: Map<number, number>;
  /** Monotonic time of the last look at all processes. */
  readonly fullAt: number;
}

/**
 * Tells which process writes a session: the only one of the owner that runs the coding agent in the session's project
 * directory. Where two do, nobody can tell from outside whose record it is, and there is no answer.
 */
export function createWriters({ table, clock, ownerUid }: WritersDeps): Writers {
  const looks = new Map<Program, Look>();

  function look(program: Program): Look {
    const last = looks.get(program);
    const [checkedMs, now] = [clock.now(), clock.monotonic()];
    const isFull = !last || now - last.fullAt > FULL_LOOK_MS;
    const rejected = isFull ? new Map<number, number>() : last.rejected;
    const accepts = (argv: readonly string[]) => mayBeProgram(argv, program);
    const processes = table.find({ uid: ownerUid, accepts, rejected, now });
    const known = isFull ? [] : last.candidates;
    const fresh = {
      at: now,
      checkedMs,
      candidates: processes.flatMap(
        (process) => recall(known, process) ?? candidateOf(process, program, ownerUid) ?? [],
      ),
      sessions: last && last.sessions.size < MAX_SESSIONS ? last.sessions : new Set<string>(),
      directories: new Map<string, string>(),
      rejected,
      fullAt: isFull ? now : last.fullAt,
    };
    looks.set(program, fresh);
    return fresh;
  }

  function current({ program, session }: WriterQuery): Look {
    const last = looks.get(program);
    const age = last ? clock.monotonic() - last.at : Number.POSITIVE_INFINITY;
    const isKnown = last?.sessions.has(session) === true;
    const found = last && age < (isKnown ? LOOK_MS : LOOK_FOR_NEW_MS) ? last : look(program);
    found.sessions.add(session);
    return found;
  }

  return {
    writerOf(query) {
      const seen = current(query);
      const writer = choose(seen, query);
      if (!writer || query.ms < seen.checkedMs) return writer;
      seen.checkedMs = clock.now();
      return table.isRunning(writer.process) ? writer : choose(look(query.program), query);
    },
  };
}

/** A process stays what it is, but for its directory. */
function recall(known: readonly Candidate[], process: ProcessFacts): Candidate | undefined {
  const { pid, startedMs, argv } = process;
  const isSame = (other: Candidate) =>
    other.pid === pid && other.startedMs === startedMs && other.process.argv.join('\0') === argv.join('\0');
  const found = known.find(isSame);
  return found && { ...found, process };
}

function candidateOf(process: ProcessFacts, program: Program, ownerUid: number): Candidate | undefined {
  try {
    const found = recogniseProgram(process, program, ownerUid);
    return found && { process, pid: process.pid, startedMs: process.startedMs, version: found.version };
  } catch {
    return undefined;
  }
}

/** These programs start themselves again as a child, which then does the work. */
function choose({ candidates, directories }: Look, { project, ms }: WriterQuery): Candidate | undefined {
  if (candidates.length === 0) return undefined;
  const dir = directories.get(project) ?? realPath(project);
  directories.set(project, dir);
  const here = candidates.filter(
    ({ process, startedMs }) => process.cwd === dir && startedMs <= ms + START_SLACK_MS,
  );
  const parents = new Set(here.map(({ process }) => process.parent));
  const [writer, ...others] = here.filter(({ pid }) => !parents.has(pid));
  return others.length === 0 ? writer : undefined;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
