import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { errnoOf, messageOf, StoreError } from '../contract/errors.ts';

export interface InstanceLock {
  release(): void;
}

/**
 * Makes this the only Holdfast on the state directory. The lock is an open exclusive transaction on a
 * small database of its own: the system drops it with the process, so it is never stale, and the state
 * database itself stays readable.
 */
export function lockInstance(dir: string, pid: number): InstanceLock {
  const holder = join(dir, 'instance.pid');
  const db = open(join(dir, 'instance.lock'));
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw refusal(error, dir, holder);
  }
  writeFileSync(holder, `${pid}\n`, { mode: 0o600 });
  return { release: () => void db.close() };
}

function open(file: string): Database.Database {
  try {
    return new Database(file, { timeout: 0 });
  } catch (error) {
    throw new StoreError('LOCK_OPEN', `cannot open ${file}: ${messageOf(error)}`, {
      hint: 'Check that the state directory can be written.',
      cause: error,
    });
  }
}

function refusal(error: unknown, dir: string, holder: string): StoreError {
  if (!(errnoOf(error) ?? '').startsWith('SQLITE_BUSY')) {
    return new StoreError('LOCK_OPEN', `cannot lock ${dir}: ${messageOf(error)}`, {
      hint: 'Remove instance.lock if it is damaged; it holds no data.',
      cause: error,
    });
  }
  return new StoreError('ALREADY_RUNNING', `another Holdfast (process ${readHolder(holder)}) uses ${dir}`, {
    hint: '`holdfast status` asks it how it is; use another state_dir for a second one.',
  });
}

function readHolder(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
