import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU and memory of a process and everything below it, from /proc. Linux only: elsewhere every function
 * throws for want of /proc.
 */

/** A process and its descendants, itself first. */
export function treeOf(pid: number): number[] {
  const found = [pid];
  for (const parent of found) for (const child of childrenOf(parent)) found.push(child);
  return found;
}

/** CPU milliseconds of live processes, all threads, to the nanosecond (schedstat); what ended is not in it. */
export function cpuMsOf(pids: readonly number[]): number {
  let ns = 0;
  for (const pid of pids) {
    for (const thread of threadsOf(pid)) {
      ns += Number(readIfThere(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0] || 0);
    }
  }
  return ns / 1e6;
}

export interface Memory {
  /** Resident sets, added up: pages that processes share count once for each. */
  readonly rssMb: number;
  /** Shared pages divided among those who share them. */
  readonly pssMb: number;
}

export function memoryOf(pids: readonly number[]): Memory {
  let [rss, pss] = [0, 0];
  for (const pid of pids) {
    rss += kilobytes(readIfThere(`/proc/${pid}/status`), 'VmRSS');
    pss += kilobytes(readIfThere(`/proc/${pid}/smaps_rollup`), 'Pss');
  }
  return { rssMb: rss / 1024, pssMb: pss / 1024 };
}

export function rssMbOf(pids: readonly number[]): number {
  let kb = 0;
  for (const pid of pids) kb += kilobytes(readIfThere(`/proc/${pid}/status`), 'VmRSS');
  return kb / 1024;
}

/** CPU milliseconds of all children of this process that have ended, and of theirs; in steps of 10 ms. */
export function cpuMsOfEndedChildren(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
}

/** Clock ticks are 100 a second in everything that /proc shows, whatever the kernel's own tick is. */
const MS_PER_TICK = 10;

function childrenOf(pid: number): number[] {
  const children: number[] = [];
  for (const thread of threadsOf(pid)) {
    const line = readIfThere(`/proc/${pid}/task/${thread}/children`).trim();
    if (line !== '') children.push(...line.split(' ').map(Number));
  }
  return children;
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch (error) {
    return ignoreGone(error, []);
  }
}

function kilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
}

/** A process or thread may end between being listed and being read. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return ignoreGone(error, '');
  }
}

function ignoreGone<T>(error: unknown, value: T): T {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ESRCH') return value;
  throw error;
}
