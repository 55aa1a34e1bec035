import { closeSync, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../contract/errors.ts';

/** A process as the system tells of it. */
export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  /** Milliseconds since 1970, as exact as the system's boot time: about a second. */
  readonly startedMs: number;
  readonly argv: readonly string[];
  /** Working directory, links resolved. */
  readonly cwd: string;
}

export interface ProcessQuery {
  readonly uid: number;
  readonly accepts: (argv: readonly string[]) => boolean;
  /** Processes that were not accepted, by number, with the monotonic time at which that was first found. */
  readonly rejected: Map<number, number>;
  /** Monotonic time. */
  readonly now: number;
}

export interface ProcessTable {
  /**
   * Processes of a user whose arguments are accepted; of other users nothing is read. Keeps `rejected` up to date and
   * passes over what is in it: a look at each process costs hundreds of times what a look at the list does.
   */
  find(query: ProcessQuery): readonly ProcessFacts[];
  /** Whether it still runs, and is not another one that was given its number. */
  isRunning(process: ProcessFacts): boolean;
  /** Whether a process of this number runs that began no later than so many milliseconds since 1970. */
  runsSince(pid: number, ms: number): boolean;
}

export interface ProcessTableOptions {
  readonly platform?: NodeJS.Platform;
  readonly proc?: string;
}

/** Newest first, so that what is left out on a machine with more processes is what began long ago. */
const MAX_PROCESSES = 8_192;

/** Arguments behind these bytes are not looked at; the program's own path stands in front. */
const ARGV_BYTES = 4_096;

/** A process that is this young may still become another program (exec), so it is looked at again. */
const YOUNG_MS = 2_000;

/** proc(5) counts times in USER_HZ, which is 100 on every Linux that Node runs on. */
const TICK_MS = 10;

/** The start of a process is known to about a second, and it notes its own start a moment later. */
const START_SLACK_MS = 2_000;

/** Reads argv, parent, start and directory of our user's own processes; never their environment. Linux only so far. */
export function createProcessTable(options: ProcessTableOptions = {}): ProcessTable {
  const { platform = process.platform, proc = '/proc' } = options;
  if (platform !== 'linux') return { find: () => [], isRunning: () => false, runsSince: isThere };
  const buffer = Buffer.allocUnsafeSlow(ARGV_BYTES);
  let bootMs: number | undefined;

  function look(pid: number, { uid, accepts }: ProcessQuery): ProcessFacts | undefined {
    const dir = join(proc, String(pid));
    if (statSync(dir).uid !== uid) return undefined;
    const argv = readStart(join(dir, 'cmdline'), buffer).replace(/\0$/, '').split('\0');
    if (!accepts(argv)) return undefined;
    const cwd = readlinkSync(join(dir, 'cwd'));
    return { pid, ...statOf(dir), argv, cwd };
  }

  function statOf(dir: string): Pick<ProcessFacts, 'parent' | 'startedMs'> {
    const text = readStart(join(dir, 'stat'), buffer);
    // The name in parentheses may hold anything; what follows it begins with field 3.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    bootMs ??= bootTimeMs(proc);
    return { parent: Number(fields[1]), startedMs: bootMs + Number(fields[19]) * TICK_MS };
  }

  return {
    find(query) {
      const pids = pidsIn(proc);
      forgetEnded(query.rejected, pids);
      return pids.flatMap((pid) => {
        const rejectedAt = query.rejected.get(pid) ?? query.now;
        if (query.now - rejectedAt > YOUNG_MS) return [];
        const found = unlessEnded(() => look(pid, query));
        if (found) query.rejected.delete(pid);
        else query.rejected.set(pid, rejectedAt);
        return found ?? [];
      });
    },
    isRunning: ({ pid, startedMs }) =>
      unlessEnded(() => statOf(join(proc, String(pid))))?.startedMs === startedMs,
    runsSince(pid, ms) {
      const found = unlessEnded(() => statOf(join(proc, String(pid))));
      return found !== undefined && found.startedMs <= ms + START_SLACK_MS;
    },
  };
}

/** Elsewhere only its number tells; one that may not be asked is there. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}

function bootTimeMs(proc: string): number {
  const seconds = /^btime (\d+)$/m.exec(readStart(join(proc, 'stat'), Buffer.alloc(4 * 1024 * 1024)))?.[1];
  return Number(seconds) * 1_000;
}

function readStart(path: string, buffer: Buffer): string {
  const fd = openSync(path, 'r');
  try {
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(fd);
  }
}

/** Newest first. */
function pidsIn(proc: string): readonly number[] {
  const names = unlessEnded(() => readdirSync(proc)) ?? [];
  const pids = names.flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  return pids.sort((a, b) => b - a).slice(0, MAX_PROCESSES);
}

/** Numbers are given again. */
function forgetEnded(rejected: Map<number, number>, pids: readonly number[]): void {
  const running = new Set(pids);
  for (const pid of rejected.keys()) if (!running.has(pid)) rejected.delete(pid);
}

/** A process may end, or be closed to us, at every step. */
function unlessEnded<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
