import type { SessionQuery, SmallFiles } from '../../agent/contract/source.ts';
import { asList, asObject, asText } from './records.ts';

/**
 * Full id of a session whose file has lost its header: the prompt history beside `chats/` names the session of
 * every prompt that was typed in the terminal.
 */
export function sessionOf({ path, prefix }: SessionQuery, small: SmallFiles): string | undefined {
  const project = path.split('/')[1];
  const text = project === undefined ? undefined : small.text(`tmp/${project}/logs.json`);
  if (text === undefined || prefix === '') return undefined;
  for (const entry of entriesIn(text)) {
    const id = asText(asObject<{ sessionId?: unknown }>(entry)?.sessionId);
    if (id?.startsWith(prefix)) return id;
  }
  return undefined;
}

/** The list is truncated and written anew at every prompt, so it can be cut at any look. */
function entriesIn(text: string): readonly unknown[] {
  try {
    return asList(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch {
    return [];
  }
}
