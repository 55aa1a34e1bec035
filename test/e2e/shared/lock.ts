import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from '../../../agent/contract/errors.ts';

const POLL_MS = 200;

/**
 * Runs the task while holding a lock file that names its holder. The lock only saves work: what runs under
 * it must stay right when two hold it, as can happen when a killed holder's file is taken over twice.
 */
export async function withLock<T>(file: string, task: () => Promise<T>): Promise<T> {
  while (!take(file)) {
    if (isLeftBehind(file)) rmSync(file, { force: true });
    else await sleep(POLL_MS);
  }
  try {
    return await task();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** An empty file is a holder between creating and writing: not left behind. */
function isLeftBehind(file: string): boolean {
  try {
    const holder = Number(readFileSync(file, 'utf8'));
    return holder > 0 && !isAlive(holder);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errnoOf(error) === 'EPERM';
  }
}
