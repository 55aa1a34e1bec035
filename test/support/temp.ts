import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const cleanups: (() => void | Promise<void>)[] = [];

/** A fresh folder that goes away after the test. */
export function tempDir(name = 'holdfast'): string {
  const dir = mkdtempSync(join(tmpdir(), `${name}-`));
  onCleanUp(() => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }));
  return dir;
}

/** Runs after the test, last registered first. */
export function onCleanUp(task: () => void | Promise<void>): void {
  cleanups.push(task);
}

export async function cleanUp(): Promise<void> {
  await runAll(cleanups);
}

/** What was registered so far outlives the test: for suites that share what `before` made, and clean it up in `after`. */
export function outliveTests(): () => Promise<void> {
  const kept = cleanups.splice(0);
  return () => runAll(kept);
}

async function runAll(tasks: (() => void | Promise<void>)[]): Promise<void> {
  for (let task = tasks.pop(); task; task = tasks.pop()) await task();
}
