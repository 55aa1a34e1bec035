import type { Emit } from '../../agent/contract/row.ts';
import type { ParseContext } from '../../agent/contract/source.ts';
import { asText, type JsonObject } from '../shared/fields.ts';
import { createScope, type Scope } from './rows.ts';
import { decodeWorkspace, listedSession, migratedTo, workspaceHashes } from './workspace.ts';

/** One session file being read. */
export interface Session {
  readonly scope: Scope;
  /** What the list beside the file says of the session. */
  readonly listed: JsonObject;
  /** Session that holds copies of its messages, when it was copied into the store of release 1.0. */
  readonly migrated: string | undefined;
}

/** What the path of a session file says. */
export interface SessionPlace {
  readonly directory: string;
  /** Name of the file without its ending: the session id. */
  readonly name: string;
  readonly project: string | undefined;
}

export function placeOf({ path }: ParseContext): SessionPlace {
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
export function openSession(
  value: JsonObject,
  context: ParseContext,
  { place, emit }: { readonly place: SessionPlace; readonly emit: Emit },
): Session {
  const id = asText(value['sessionId']) ?? place.name;
  const listed = listedSession(context.small, place.directory, id) ?? {};
  const project =
    asText(value['workspaceDirectory']) ??
    asText(value['workspacePath']) ??
    asText(listed['workspaceDirectory']) ??
    place.project;
  return {
    scope: createScope({
      context,
      emit,
      session: id,
      project,
      folders: project === undefined ? [] : workspaceHashes(project),
    }),
    listed,
    migrated: migratedTo(context.small, place.directory, id),
  };
}
