import type { Emit } from '../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../agent/contract/source.ts';
import { asList, asObject, asText, type JsonObject } from '../shared/fields.ts';
import { createEntries, type RawEntry, tellEntry } from './entry.ts';
import { readObject } from './json-document.ts';
import { addBadRow, createScope, guarded, type Scope } from './rows.ts';
import { tellSession } from './session-facts.ts';
import { digestsOf, readMemory, type SessionMemory, shortName, writeMemory } from './session-memory.ts';
import { createExecutionTimes } from './times.ts';
import { decodeWorkspace, listedSession, migratedTo } from './workspace.ts';

/**
 * Parser of `workspace-sessions/<workspace>/<session>.json`: one object that is written whole again and again, with a
 * history whose entries have ids and no times. Answers are stubs; what was answered stands in execution files.
 */
export function parseSession(document: Document, context: ParseContext, emit: Emit): DocumentResult {
  const read = readObject(document, { list: 'history', what: 'session' });
  if (read.kind === 'torn') return 'torn';
  const place = placeOf(context);
  if (read.kind === 'refused') {
    const session = createScope({ context, emit, session: place.name, project: place.project });
    if (read.row) addBadRow(session, read.row);
    return 'parsed';
  }
  const { value, bytes, cut } = read;
  if (asText(value['sessionId']) === undefined && !Array.isArray(value['history'])) {
    context.note('unknown_record');
    return 'parsed';
  }
  const session = openSession(value, context, { place, emit });
  const before = cut ? undefined : readMemory(document.memory);
  const seen = tellHistory(session, value, bytes);
  const changes = tellSession(session, value, { before, entries: seen });
  if (!cut) return { memory: writeMemory(memoryOf(value, changes, seen)) };
  addBadRow(session.scope, cut);
  return 'parsed';
}

/** One session file being read. */
export interface Session {
  readonly scope: Scope;
  /** What the list beside the file says of the session. */
  readonly listed: JsonObject;
  /** Session that holds copies of its messages, when it was copied into the store of release 1.0. */
  readonly migrated: string | undefined;
}

interface Place {
  readonly directory: string;
  /** Name of the file without its ending: the session id. */
  readonly name: string;
  readonly project: string | undefined;
}

function placeOf({ path }: ParseContext): Place {
  const slash = path.lastIndexOf('/');
  const directory = path.slice(0, slash);
  const workspace = directory.slice(directory.lastIndexOf('/') + 1);
  return {
    directory,
    name: path.slice(slash + 1).replace(/\.json$/, ''),
    project: decodeWorkspace(workspace),
  };
}

/** The project: what the session says before what the list says before the name of the directory. */
function openSession(
  value: JsonObject,
  context: ParseContext,
  { place, emit }: { readonly place: Place; readonly emit: Emit },
): Session {
  const id = asText(value['sessionId']) ?? place.name;
  const listed = listedSession(context.small, place.directory, id) ?? {};
  const project =
    asText(value['workspaceDirectory']) ??
    asText(value['workspacePath']) ??
    asText(listed['workspaceDirectory']) ??
    place.project;
  return {
    scope: createScope({ context, emit, session: id, project }),
    listed,
    migrated: migratedTo(context.small, place.directory, id),
  };
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
