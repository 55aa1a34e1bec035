/**
 * Which paths below `.gemini` hold session files, and which directories are entered. Called for every path of a home, so plain string tests.
 */

import type { Place } from '../../agent/contract/source.ts';
import { isZedChannel } from './zed/paths.ts';

const TMP = 'tmp/';
const CHATS = '/chats/';
const LOG = '.jsonl';
const DOCUMENT = '.json';
/** The program renames a file it cannot reload to this and writes a fresh one. */
const UNREADABLE = '.unreadable-';

/** Files that hold credentials. None lies below chats/; if one ever does, it is still not opened. */
const CREDENTIALS = new Set([
  'oauth_creds.json',
  'google_accounts.json',
  'gemini-credentials.json',
  'mcp-oauth-tokens.json',
  'a2a-oauth-tokens.json',
]);

/** JSONL sessions, subagents' too, and the copies that the program set aside as unreadable. */
export function isSessionLog(path: string): boolean {
  return isBelowChats(path) && withoutSuffix(path).endsWith(LOG);
}

/** Sessions as releases before JSONL wrote them: one JSON object. */
export function isLegacySession(path: string): boolean {
  return isBelowChats(path) && path.endsWith(DOCUMENT) && !CREDENTIALS.has(fileOf(path));
}

/** Directories that are entered beside those of projects and of extensions. */
const ENTERED: ReadonlySet<string> = new Set(['', 'tmp', 'policies', 'acknowledgments', 'extensions']);

const EXTENSIONS = 'extensions/';

/**
 * Directories that hold no source file. Only what can hold one is entered: a project's folder may have any
 * name, also one that the program uses for something else (`bin`), but below it only these count. An extension is
 * a checkout of any size, of which only two files at its top are read.
 */
export function isSkippedDirectory(path: string, place: Place): boolean {
  if (place !== 'store') return path !== '' && path !== 'policies';
  if (ENTERED.has(path) || isZedChannel(path)) return false;
  if (path.startsWith(EXTENSIONS)) return path.indexOf('/', EXTENSIONS.length) >= 0;
  if (!path.startsWith(TMP)) return true;
  const project = path.indexOf('/', TMP.length);
  return project >= 0 && !isReadInProject(path.slice(project));
}

function isReadInProject(below: string): boolean {
  return `${below}/`.startsWith(CHATS) || below === '/logs' || below === '/checkpoints';
}

function isBelowChats(path: string): boolean {
  if (!path.startsWith(TMP)) return false;
  const project = path.indexOf('/', TMP.length);
  return project > TMP.length && path.startsWith(CHATS, project);
}

function withoutSuffix(path: string): string {
  const at = path.lastIndexOf(UNREADABLE);
  if (at < 0) return path;
  const stamp = path.slice(at + UNREADABLE.length);
  return /^\d{1,16}$/.test(stamp) ? path.slice(0, at) : path;
}

function fileOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
