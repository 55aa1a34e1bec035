import type { Emit } from '../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../agent/contract/source.ts';
import { asList, asObject, asText, type JsonObject } from '../shared/fields.ts';
import { addBad } from '../shared/kiro/rows.ts';
import { createEntries, type RawEntry, tellEntry } from './entry.ts';
import { readObject } from './json-document.ts';
import { createScope, guarded } from './rows.ts';
import { tellLoss, tellSession } from './session-facts.ts';
import { digestsOf, readMemory, type SessionMemory, shortName, writeMemory } from './session-memory.ts';
import { openSession, placeOf, type Session } from './session-scope.ts';
import { createExecutionTimes } from './times.ts';

/**
 * Parser of `workspace-sessions/<workspace>/<session>.json`: one object that is written whole again and again, with a
 * history whose entries have ids and no times. Answers are stubs; what was answered stands in execution files.
 */
export function parseSession(document: Document, context: ParseContext, emit: Emit): DocumentResult {
  const read = readObject(document, { list: 'history', what: 'a session' });
  if (read.kind === 'torn') return 'torn';
  const place = placeOf(context);
  if (read.kind === 'refused') {
    const session = createScope({ context, emit, session: place.name, project: place.project });
    if (read.row) addBad(session, read.row);
    return 'parsed';
  }
  const { value, bytes, cut } = read;
  if (asText(value['sessionId']) === undefined && !Array.isArray(value['history'])) {
    context.note('unknown_record');
    return 'parsed';
  }
  const session = openSession(value, context, { place, emit });
  const before = cut ? undefined : readMemory(document.memory);
  const changes = tellSession(session, value, before);
  const entries = tellHistory(session, value, bytes);
  if (cut) {
    addBad(session.scope, cut);
    return 'parsed';
  }
  if (before) tellLoss(session.scope, before, entries);
  return { memory: writeMemory(memoryOf(value, changes, entries)) };
}

/** Tells the entries; gives a name for each, by which a later version of the file is compared. */
function tellHistory({ scope, migrated }: Session, value: JsonObject, bytes: Buffer): string[] {
  const raw = asList(value['history']).flatMap((entry) => asObject<RawEntry>(entry) ?? []);
  const times = createExecutionTimes(scope.context, scope.project);
  const names: string[] = [];
  for (const entry of createEntries(scope, raw, times))
    guarded(scope, bytes, () => void names.push(tellEntry(scope, entry, migrated)));
  return names;
}

function memoryOf(value: JsonObject, changes: number, entries: readonly string[]): SessionMemory {
  return {
    model: shortName(value['selectedModel']),
    mode: shortName(value['autonomyMode']),
    changes,
    count: entries.length,
    digests: digestsOf(entries),
  };
}
