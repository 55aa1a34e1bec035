import type { Emit } from '../../agent/contract/row.ts';
import type { NamedFile, SmallFiles } from '../../agent/contract/source.ts';
import type { SavedForm } from '../shared/conversation/saved.ts';
import { asList, asObject, asText } from '../shared/fields.ts';
import { savedFiles } from '../shared/kiro-typed/saved-files.ts';
import { cleanText } from '../shared/text.ts';
import { isTypedHistory } from './paths.ts';
import { openSession } from './v2/session.ts';

const FORMAT = 'kiro-session-export-v1';
const SESSIONS = 'sessions/cli';

/** Histories of the interface, of which the ones looked into are bounded. */
const MAX_HISTORIES = 200;

/** Files that were named in any history of what was typed. */
export function* filesIn(small: SmallFiles): Generator<NamedFile> {
  const beside = small.list(SESSIONS).map((name) => `${SESSIONS}/${name}`);
  const histories = ['.cli_bash_history', ...beside].filter(isTypedHistory).slice(0, MAX_HISTORIES);
  for (const path of histories) yield* savedFiles(small.text(path) ?? '');
}

/** `/chat save` of the second engine: the records of the session's log in a list. */
export const sessionForm: SavedForm = ({ value, context, emit }) => {
  if (value['format'] !== FORMAT) return false;
  const metadata = asObject(value['metadata']);
  const session = cleanText(asText(metadata?.['session_id']) ?? '');
  const project = context.project(undefined) ?? asText(metadata?.['cwd']);
  const entries = asList(value['log_entries']);
  const here: Emit = (row) => emit({ ...row, project_path: row.project_path ?? project ?? null });
  const log = openSession({ ...context, path: `${SESSIONS}/${session}.jsonl` });
  for (const [at, entry] of entries.entries()) log.line(Buffer.from(JSON.stringify(entry)), at + 1, here);
  return { session, entries };
};
