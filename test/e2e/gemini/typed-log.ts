import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the terminal interface logged as typed in a project, with the session it was logged under. That is not
 * always the session whose file has it: the log keeps the first one's id after /clear.
 */
export function loggedSessions(home: string, slug: string): ReadonlyMap<string, string> {
  const file = join(home, '.gemini', 'tmp', slug, 'logs.json');
  if (!existsSync(file)) return new Map();
  const entries = JSON.parse(readFileSync(file, 'utf8')) as readonly Entry[];
  return new Map(entries.map(({ message, sessionId }) => [message, sessionId]));
}

interface Entry {
  readonly sessionId: string;
  readonly message: string;
}
