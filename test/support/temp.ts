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
  for (let task = cleanups.pop(); task; task = cleanups.pop()) await task();
}
