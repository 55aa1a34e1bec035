/**
 * Which files below the store are read, root-relative. Called for every path of a home, so plain string tests come
 * first. Not on the list, on purpose: `sessions/` (it holds tokens of running programs), `oauth_creds.json` and the
 * like.
 */

import type { Place } from '../../agent/contract/source.ts';

const PROJECTS = 'projects/';
const TMP = 'tmp/';

/** Sessions, archived ones too. The name is the session id; a second dot marks a helper file beside it. */
export function isSession(path: string): boolean {
  return path.startsWith(PROJECTS) && /^projects\/[^/]+\/chats\/(?:archive\/)?[^/.]+\.jsonl$/.test(path);
}

export function isSubagentLog(path: string): boolean {
  return path.startsWith(PROJECTS) && /^projects\/[^/]+\/subagents\/[^/]+\/[^/.]+\.jsonl$/.test(path);
}

export function isSubagentMeta(path: string): boolean {
  return path.startsWith(PROJECTS) && /^projects\/[^/]+\/subagents\/[^/]+\/[^/.]+\.meta\.json$/.test(path);
}

/**
 * The prompts typed in the terminal, and files that the program set aside as unreadable. Their folder is named by the
 * SHA-256 of the project's path.
 */
export function isPromptHistory(path: string): boolean {
  return (
    path.startsWith(TMP) && /^tmp\/[0-9a-f]{64}\/logs\.json(?:\.[a-z_]{1,40}\.\d{1,16}\.bak)?$/.test(path)
  );
}

export function isShellHistory(path: string): boolean {
  return path.startsWith(TMP) && /^tmp\/[0-9a-f]{64}\/shell_history$/.test(path);
}

/** Directories that hold no source file; only what can hold one is entered. */
export function isSkippedDirectory(path: string, place: Place): boolean {
  if (place !== 'store') return path !== '';
  const [first = '', project, folder, inner, ...deeper] = path.split('/');
  if (first === '') return false;
  if (first === 'tmp') return folder !== undefined;
  if (first !== 'projects') return true;
  if (project === undefined || folder === undefined) return false;
  if (folder === 'chats') return deeper.length > 0 || (inner !== undefined && inner !== 'archive');
  return folder !== 'subagents' || deeper.length > 0;
}
