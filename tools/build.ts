/**
 * `npm run build`: the program as one file, with the database addon beside it, in dist/. Runs on any Node 24
 * without node_modules. The executable and the packages (installers/) are made from it.
 */
import { copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const root = dirname(import.meta.dirname);
const out = join(root, 'dist');
const target = `${process.platform}-${process.arch}`;

/** The entry of better-sqlite3 that names its addon outright, so that nothing has to be looked for at run time. */
const sqlite = join(dirname(createRequire(import.meta.url).resolve('better-sqlite3')), `${target}.js`);

rmSync(out, { recursive: true, force: true });
mkdirSync(out);
await build({
  entryPoints: [join(root, 'agent/main.ts')],
  outfile: join(out, 'holdfast.cjs'),
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  minify: true,
  keepNames: true,
  // jsonc-parser and others carry a UMD build that cannot be bundled; their modules can.
  mainFields: ['module', 'main'],
  alias: { 'better-sqlite3': sqlite },
  loader: { '.node': 'copy' },
  assetNames: '[name]',
  define: { 'import.meta.url': 'holdfastUrl', 'import.meta.dirname': '__dirname' },
  banner: { js: 'const holdfastUrl = require("node:url").pathToFileURL(__filename).href;' },
  legalComments: 'linked',
  logLevel: 'warning',
});
copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
console.log(
  `dist/holdfast.cjs ${(statSync(join(out, 'holdfast.cjs')).size / 1024).toFixed(0)} KiB for ${target}`,
);
