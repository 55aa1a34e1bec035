import { formOf, isSkippedSessionDirectory } from '../shared/kiro-sessions/paths.ts';

/**
 * Which files are read and which directories are entered, relative to any of the roots. Called for every path of a
 * store, so plain string tests come first. The store also holds code indexes, a vector database, copies of source
 * files and settings of accounts: none of them is on the list, so none is entered.
 */

/** Names under which the IDE keeps its executions: SHA-256 of a fixed word, the first 32 digits. */
export const SAVES = '414d1636299d2b9e4ce7e17fb11f63e9';
export const METADATA = 'f62de366d0006e17ea00a01f6624aabf';

export const SESSIONS = 'workspace-sessions';
export const SESSION_LIST = 'sessions.json';

const IN_SESSIONS = `${SESSIONS}/`;
const HASH = /^[0-9a-f]{32}$/;

/** A session of the releases before 1.0. Names with a dot in front are marks and half-written files. */
export function isSession(path: string): boolean {
  const name = nameInWorkspace(path);
  return name !== undefined && name !== SESSION_LIST && !name.startsWith('.') && name.endsWith('.json');
}

export function isSessionList(path: string): boolean {
  return nameInWorkspace(path) === SESSION_LIST;
}

/** The mark that a session was copied into the store of release 1.0. */
export function isMigrationMark(path: string): boolean {
  const name = nameInWorkspace(path) ?? '';
  return name.startsWith('.migrated-') && name.endsWith('.json');
}

export function isExecution(path: string): boolean {
  if (path.length < 98 || path[32] !== '/') return false;
  const [workspace = '', folder, name = '', ...deeper] = path.split('/');
  return (
    HASH.test(workspace) && folder === SAVES && /^[0-9a-f]{32}(?:\.json)?$/.test(name) && deeper.length === 0
  );
}

export function isChat(path: string): boolean {
  return path[32] === '/' && HASH.test(path.slice(0, 32)) && /^[^/]+\.chat$/.test(path.slice(33));
}

/** Settings of the user, of one of the editor's profiles, of a project or of a remote machine. */
export function isSettings(path: string): boolean {
  return (
    path === 'settings.json' ||
    path === 'settings.local.json' ||
    /^profiles\/[^/]+\/settings\.json$/.test(path)
  );
}

/** Directories that can hold one of these files; no other is entered. */
export function isSkippedDirectory(path: string): boolean {
  const [first = '', second, ...deeper] = path.split('/');
  if (first === 'sessions') return isSkippedInNewStore(path);
  if (deeper.length > 0) return true;
  if (HASH.test(first)) return second !== undefined && second !== SAVES;
  return !['', SESSIONS, 'profiles'].includes(first);
}

/** In the store of release 1.0: only what was copied there from the older one. */
function isSkippedInNewStore(path: string): boolean {
  const [, bucket, id] = path.split('/');
  if (bucket === 'cli' || (id !== undefined && formOf(id) !== 'moved')) return true;
  return isSkippedSessionDirectory(path);
}

function nameInWorkspace(path: string): string | undefined {
  if (!path.startsWith(IN_SESSIONS)) return undefined;
  const slash = path.indexOf('/', IN_SESSIONS.length);
  if (slash <= IN_SESSIONS.length || path.indexOf('/', slash + 1) >= 0) return undefined;
  return path.slice(slash + 1);
}
