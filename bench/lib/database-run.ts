import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sleep } from './wait.ts';

const PROCESSES = join(import.meta.dirname, '../processes');
const MEGABYTES = 20;
const EVERY_MS = 200;
/** Until the last version has been seen. */
const QUIET_MS = 700;

export interface Written {
  /** Milliseconds of each write. */
  readonly latencies: readonly number[];
  readonly failures: readonly string[];
}

export async function runWriter(path: string, writes: number): Promise<Written> {
  const options = [path, MEGABYTES, writes, EVERY_MS].map(String);
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(PROCESSES, 'slot-writer.ts'),
    ...options,
  ]);
  return JSON.parse(stdout) as Written;
}

export interface Read {
  readonly seen: readonly string[];
  readonly cpuMs: number;
}

/** Starts a process that follows the home's databases; `end` says what it saw. */
export async function readerBeside(home: string): Promise<{ end(): Promise<Read> }> {
  const child = spawn(process.execPath, [join(PROCESSES, 'database-reader.ts'), home], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  while (!output.includes('ready')) await once(child.stdout, 'data');
  return {
    async end() {
      await sleep(QUIET_MS);
      const closed = once(child, 'close');
      child.stdin.end();
      await closed;
      return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Read;
    },
  };
}
