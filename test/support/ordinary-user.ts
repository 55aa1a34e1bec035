import { chownSync } from 'node:fs';
import { onCleanUp, tempDir } from './temp.ts';

const NOBODY = 65_534;

/** A temporary folder of a user who is not root, whoever runs the tests. */
export function ordinaryDir(): string {
  const dir = tempDir();
  if (process.getuid?.() === 0) chownSync(dir, NOBODY, NOBODY);
  return dir;
}

/** From now to the end of the test this process may only what that user may: modes count, unlike for root. */
export function becomeOrdinary(): void {
  if (process.getuid?.() !== 0) return;
  process.seteuid?.(NOBODY);
  onCleanUp(() => process.seteuid?.(0));
}
