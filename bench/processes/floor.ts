/** The floor under every scan: reads a home's session files, cuts them into lines and parses each, no more. */
import { report } from '../lib/child-run.ts';
import { eachLine, sessionFiles } from '../lib/session-files.ts';

const [home = ''] = process.argv.slice(2);
let bytes = 0;
for (const file of sessionFiles(home))
  bytes += eachLine(file, (line) => void JSON.parse(line.toString('utf8')));
report(bytes);
