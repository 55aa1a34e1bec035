import { cleanText } from '../shared/text.ts';

/** What the path of a session file says about the session in it. */
export interface SessionName {
  /** Session as row ids see it: its first eight characters. */
  readonly key: string;
  /** Session id as far as the name holds it: eight characters, or all of it for a subagent. */
  readonly id: string;
  /** Whether `id` is only the first eight characters. */
  readonly isPrefix: boolean;
  /** Session that started this one as a subagent: the folder it lies in. */
  readonly parent: string | undefined;
  /** SHA-256 of the project path, when the project's folder is named by it (old releases). */
  readonly projectHash: string | undefined;
}

/** Characters of the session id that the name of a session file carries. */
const KEY_CHARS = 8;

const STAMPED = 'session-';
/** Length of `2026-11-30T19-48-`. */
const STAMP_CHARS = 17;

/** Reads `tmp/<project>/chats/[<parent>/]<file>`. */
export function readSessionName(path: string): SessionName {
  const [, project = '', , ...rest] = path.split('/');
  const stem = stemOf(rest.at(-1) ?? '');
  const prefix = prefixOf(stem);
  const id = cleanText(prefix ?? stem);
  return {
    key: sessionKeyOf(id),
    id,
    isPrefix: prefix !== undefined,
    parent: rest.length > 1 ? rest.at(-2) : undefined,
    projectHash: isProjectHash(project) ? project : undefined,
  };
}

/**
 * Session as row ids see it. A file may lack its header, and then its name holds no more than this, so the
 * ids of all its copies are built on the same eight characters. The program puts the id into the file name
 * with an underscore for anything unusual.
 */
export function sessionKeyOf(sessionId: string): string {
  return sessionId.replace(/[^\w-]/g, '_').slice(0, KEY_CHARS);
}

export function isProjectHash(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{64}$/.test(text);
}

function stemOf(file: string): string {
  const dot = file.indexOf('.json');
  return dot < 0 ? file : file.slice(0, dot);
}

/** `session-<minute>-[<n>-]<id8>`; the number stands there when two sessions collide in one minute. */
function prefixOf(stem: string): string | undefined {
  if (!stem.startsWith(STAMPED)) return undefined;
  const rest = stem.slice(STAMPED.length + STAMP_CHARS);
  return rest === '' ? undefined : rest.slice(-KEY_CHARS);
}
