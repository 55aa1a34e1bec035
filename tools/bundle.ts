import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';

export const TARGET = `${process.platform}-${process.arch}`;

/** The entry of better-sqlite3 that names its addon outright, so that nothing has to be looked for at run time. */
const SQLITE = join(dirname(createRequire(import.meta.url).resolve('better-sqlite3')), `${TARGET}.js`);

/**
 * One file out of a program's modules, with the database addon beside it: it runs on any Node 24 without
 * node_modules, and without the compiler that strips types, which costs a process memory and start.
 */
export async function bundle(entry: string, outfile: string, more: BuildOptions = {}): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minify: true,
    keepNames: true,
    // jsonc-parser and others carry a UMD build that cannot be bundled; their modules can.
    mainFields: ['module', 'main'],
    alias: { 'better-sqlite3': SQLITE },
    loader: { '.node': 'copy' },
    assetNames: '[name]',
    define: { 'import.meta.url': 'bundleUrl', 'import.meta.dirname': '__dirname' },
    banner: { js: 'const bundleUrl = require("node:url").pathToFileURL(__filename).href;' },
    logLevel: 'warning',
    ...more,
  });
}
