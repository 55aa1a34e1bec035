import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A fresh folder that is removed when it goes out of scope. */
export function tempFolder(name: string): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), `holdfast-bench-${name}-`));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}
