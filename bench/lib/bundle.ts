import { join } from 'node:path';
import { bundle as bundleTo } from '../../tools/bundle.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const OUT = join(ROOT, '.cache', 'bench-bundles');

/** A program of the benches as it would be shipped; gives the path of its file. */
export async function bundle(entry: string, name: string): Promise<string> {
  const outfile = join(OUT, name, 'main.cjs');
  await bundleTo(join(ROOT, entry), outfile, { logLevel: 'error' });
  return outfile;
}

export function bundleAgent(): Promise<string> {
  return bundle('agent/main.ts', 'agent');
}
