import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..');
const OUT = join(ROOT, '.cache', 'bench-bundles');

/** The database library's entry for this platform, which names its addon outright. */
const SQLITE = join(
  dirname(createRequire(import.meta.url).resolve('better-sqlite3')),
  `${process.platform}-${process.arch}.js`,
);

/**
 * One file out of a program's modules, as it is shipped: run from source, a process also holds the compiler
 * that strips the types, which is a fifth of its memory and most of its start.
 */
export async function bundle(entry: string, name: string): Promise<string> {
  const outfile = join(OUT, name, 'main.cjs');
  await build({
    entryPoints: [join(ROOT, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minify: true,
    keepNames: true,
    mainFields: ['module', 'main'],
    alias: { 'better-sqlite3': SQLITE },
    loader: { '.node': 'copy' },
    define: { 'import.meta.url': 'bundleUrl', 'import.meta.dirname': '__dirname' },
    banner: { js: 'const bundleUrl = require("node:url").pathToFileURL(__filename).href;' },
    logLevel: 'error',
  });
  return outfile;
}

export function bundleAgent(): Promise<string> {
  return bundle('agent/main.ts', 'agent');
}
