/**
 * `npm run build`: the program as one file, with the database addon beside it, in dist/. The executable and the
 * packages (installers/) are made from it.
 */
import { copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundle, TARGET } from './bundle.ts';

const root = dirname(import.meta.dirname);
const out = join(root, 'dist');
const program = join(out, 'holdfast.cjs');

rmSync(out, { recursive: true, force: true });
mkdirSync(out);
await bundle(join(root, 'agent/main.ts'), program, { legalComments: 'linked' });
copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
console.log(`dist/holdfast.cjs ${(statSync(program).size / 1024).toFixed(0)} KiB for ${TARGET}`);
