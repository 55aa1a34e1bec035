import type { Emit } from '../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../agent/contract/source.ts';
import { asText } from '../shared/fields.ts';
import { addBad } from '../shared/kiro/rows.ts';
import { readObject } from './json-document.ts';
import { addEvent, createScope } from './rows.ts';
import { fileTime, timeOf } from './times.ts';

/** Parser of `.migrated-<session>.json`: that release 1.0 copied the session into its own store, and when. */
export function parseMigration(document: Document, context: ParseContext, emit: Emit): DocumentResult {
  const read = readObject(document, { list: '', what: 'a migration mark' });
  if (read.kind === 'torn') return 'torn';
  const name = /\/\.migrated-([^/]*)\.json$/.exec(context.path)?.[1] ?? '';
  const id = (read.kind === 'object' ? asText(read.value['sessionId']) : undefined) ?? name;
  const scope = createScope({ context, emit, session: id, project: context.project(undefined) });
  if (read.kind === 'refused') {
    if (read.row) addBad(scope, read.row);
    return 'parsed';
  }
  const to = asText(read.value['v2SessionId']) ?? id;
  const migrated = timeOf(read.value['migratedAt']);
  addEvent(scope, 'session.migrated', {
    record: 'migration',
    content: to,
    text: `session migrated: ${id} -> ${to}`,
    time: migrated.utc === null ? fileTime(context) : migrated,
    attributes: { to_session: to },
  });
  return 'parsed';
}
