/**
 * The coding agent's own reader over a home: loads every session as its resume list does.
 * Arguments: the home, and the folder that the package was installed into.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { report } from '../lib/child-run.ts';
import { sessionFiles } from '../lib/session-files.ts';

interface Reader {
  loadConversationRecord(file: string): Promise<{ readonly messages: readonly unknown[] } | null>;
}

const [home = '', packageDir = ''] = process.argv.slice(2);
const module = join(packageDir, 'dist', 'src', 'services', 'chatRecordingService.js');
const { loadConversationRecord } = (await import(pathToFileURL(module).href)) as Reader;

let [bytes, messages] = [0, 0];
for (const file of sessionFiles(home)) {
  bytes += statSync(file).size;
  messages += (await loadConversationRecord(file))?.messages.length ?? 0;
}
report(bytes, { messages });
process.exit(0);
