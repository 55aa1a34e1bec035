/**
 * Loaded into the agent's processes with --import, before anything of the agent: makes the system refuse
 * what a case says. What to do stands in the query of the module's URL, since the capture process gets no
 * environment.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const wishes = new URL(import.meta.url).searchParams;

const watchCode = wishes.get('watch');
if (watchCode !== null) fs.watch = refuseWatch(watchCode);

const trap = wishes.get('trap');
if (trap !== null) fs.openSync = springing(fs.openSync, trap);

syncBuiltinESMExports();

function refuseWatch(code: string): typeof fs.watch {
  return () => {
    throw Object.assign(new Error(`${code}: refused by the case, watch`), { code, syscall: 'watch' });
  };
}

/** The trap is a file that holds a path; the first open of that path deletes both, while it stays open. */
function springing(open: typeof fs.openSync, trapFile: string): typeof fs.openSync {
  return (path, ...rest) => {
    const opened = open(path, ...rest);
    if (fs.existsSync(trapFile) && fs.readFileSync(trapFile, 'utf8') === String(path)) {
      fs.rmSync(trapFile);
      fs.rmSync(String(path));
    }
    return opened;
  };
}
