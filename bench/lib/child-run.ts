import { spawn } from 'node:child_process';
import { cpuMsOfEndedChildren, rssMbOf, treeOf } from './process-tree.ts';
import type { Sample } from './rounds.ts';

/** What a measured process prints as its last line. */
export interface ChildReport {
  readonly work: number;
  /** Milliseconds from the start of the process until its result was there (not until it had ended). */
  readonly wallMs: number;
  readonly extra?: Readonly<Record<string, number>>;
}

const PEAK_EVERY_MS = 50;

/**
 * Runs a Node script as a process of its own and measures it with everything it starts: CPU of the whole
 * tree until all of it has ended, and the largest sum of resident sets seen.
 */
export async function runMeasured(script: string, args: readonly string[]): Promise<Sample> {
  const before = cpuMsOfEndedChildren();
  const child = spawn(process.execPath, [...NODE_FLAGS, script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  let peak = 0;
  const timer = setInterval(() => {
    if (child.pid !== undefined) peak = Math.max(peak, rssMbOf(treeOf(child.pid)));
  }, PEAK_EVERY_MS);
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`${script} ended with exit code ${String(code)}`);
  const report = JSON.parse(output.trim().split('\n').at(-1) ?? '') as ChildReport;
  return {
    work: report.work,
    wallMs: report.wallMs,
    cpuMs: cpuMsOfEndedChildren() - before,
    extra: { ...report.extra, peakRssMb: peak },
  };
}

/** The flag with which every process of the product is started. */
const NODE_FLAGS = ['--max-semi-space-size=2'];

/** For a measured process: says that the result is there. */
export function report(work: number, extra: Readonly<Record<string, number>> = {}): void {
  console.log(JSON.stringify({ work, wallMs: performance.now(), extra } satisfies ChildReport));
}
