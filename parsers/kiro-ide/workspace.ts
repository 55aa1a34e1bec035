import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { SmallFiles } from '../../agent/contract/source.ts';
import { asList, asObject, asText, type JsonObject } from '../shared/fields.ts';
import { SESSION_LIST, SESSIONS } from './paths.ts';

/** More workspaces than this are not looked at for the one that a hash names. */
const MAX_WORKSPACES = 2_000;

/**
 * Path of the workspace whose name a directory below `workspace-sessions/` is: base64 in either alphabet, its padding
 * left out, kept, or written as underscores. An underscore at the end is a digit only where padding makes no sense.
 */
export function decodeWorkspace(name: string): string | undefined {
  const padding = /[=_]{0,2}$/.exec(name)?.[0].length ?? 0;
  for (let cut = padding; cut >= 0; cut--) {
    const path = decode(name.slice(0, name.length - cut));
    if (path !== undefined) return path;
  }
  return undefined;
}

function decode(digits: string): string | undefined {
  if (digits === '' || digits.length % 4 === 1 || /[^A-Za-z0-9+/_-]/.test(digits)) return undefined;
  const bytes = Buffer.from(digits, 'base64url');
  // Digits that were cut off too far leave bits that no encoder writes.
  const isExact = bytes.toString('base64url') === digits.replaceAll('+', '-').replaceAll('/', '_');
  const path = isExact && isUtf8(bytes) ? bytes.toString('utf8') : '';
  return path === '' || /[\u0000-\u001f\u007f]/.test(path) ? undefined : path;
}

/** Names of the directory that holds the executions of a workspace; Windows writes drive letters either way. */
export function workspaceHashes(path: string): string[] {
  const drive = /^[A-Za-z]:/.test(path) ? path[0] : undefined;
  if (drive === undefined) return [hash32(path)];
  const rest = path.slice(1);
  return [...new Set([path, drive.toLowerCase() + rest, drive.toUpperCase() + rest])].map(hash32);
}

/** How the IDE makes names of keys: of executions, too. */
export function hash32(key: string): string {
  return hash('sha256', key, 'hex').slice(0, 32);
}

/** Path of the workspace that a file of the store belongs to, from the names of directories alone. */
export function workspaceOf(path: string, small: SmallFiles): string | undefined {
  const [first = '', second] = path.split('/', 2);
  if (first === SESSIONS) return second === undefined ? undefined : decodeWorkspace(second);
  if (!/^[0-9a-f]{32}$/.test(first)) return undefined;
  for (const name of workspaces(small)) {
    const workspace = decodeWorkspace(name);
    if (workspace !== undefined && workspaceHashes(workspace).includes(first)) return workspace;
  }
  return undefined;
}

function workspaces(small: SmallFiles): readonly string[] {
  return small.list(SESSIONS).slice(0, MAX_WORKSPACES);
}

/** Directory below `workspace-sessions/` that holds a session. */
export function directoryOfSession(small: SmallFiles, session: string): string | undefined {
  const file = `${session}.json`;
  return workspaces(small).find((name) => small.list(`${SESSIONS}/${name}`).includes(file));
}

/** Whether any session was kept for the workspace with this hash. */
export function hasSessions(small: SmallFiles, workspaceHash: string): boolean {
  return workspaceOf(`${workspaceHash}/`, small) !== undefined;
}

/** What the list beside a session says of it. */
export function listedSession(small: SmallFiles, directory: string, session: string): JsonObject | undefined {
  for (const value of asList(parsed(small.text(`${directory}/${SESSION_LIST}`)))) {
    const entry = asObject(value);
    if (entry && asText(entry['sessionId']) === session) return entry;
  }
  return undefined;
}

/** Id of the copy in the store of release 1.0; undefined when the session was not copied. */
export function migratedTo(small: SmallFiles, directory: string, session: string): string | undefined {
  const mark = `.migrated-${session}.json`;
  if (!small.list(directory).includes(mark)) return undefined;
  const { v2SessionId } =
    asObject<{ v2SessionId?: unknown }>(parsed(small.text(`${directory}/${mark}`))) ?? {};
  return asText(v2SessionId) ?? session;
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
