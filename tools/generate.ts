/** Writes every generated document: `npm run generate`. With --check it only says which are out of date. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { generated } from './generate/documents.ts';

const root = dirname(import.meta.dirname);
const stale = generated(root).filter(({ path, content }) => current(path) !== content);

if (process.argv.includes('--check')) {
  for (const { path } of stale) console.log(`${path} is out of date; run npm run generate`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const { path, content } of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    console.log(`wrote ${path}`);
  }
}

function current(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}
