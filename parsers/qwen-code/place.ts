import { cleanText } from '../shared/text.ts';
import { NO_TIME, type Time, toUtc } from '../shared/time.ts';

/** The time that a record carries. */
export function timeOf(value: unknown): Time {
  const utc = toUtc(value);
  return utc === null ? NO_TIME : { utc, source: 'record' };
}

/** What the path of a session file says. */
export interface SessionName {
  /** Id of the session: the file's name, or for a subagent the folder it lies in. */
  readonly id: string;
  /** Id of the subagent, as far as the name holds it. */
  readonly agent: string | undefined;
}

/** Reads `projects/<project>/chats/[archive/]<session>.jsonl` and `projects/<project>/subagents/<session>/agent-<id>.jsonl`. */
export function readSessionName(path: string): SessionName {
  const [, , folder, ...rest] = path.split('/');
  const file = rest.at(-1) ?? '';
  const stem = cleanText(file.slice(0, file.indexOf('.')));
  if (folder !== 'subagents') return { id: stem, agent: undefined };
  return { id: cleanText(rest[0] ?? ''), agent: stem.replace(/^agent-/, '') };
}
