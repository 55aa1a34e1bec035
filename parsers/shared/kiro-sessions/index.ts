import type { FileSpec, SmallFiles } from '../../../agent/contract/source.ts';
import { asList, asObject, asText } from '../fields.ts';
import { openMessages } from './messages.ts';
import { type IdForm, isMessages, isSessionFile, type SessionPath, sessionPath } from './paths.ts';
import { parseSessionFile } from './session-file.ts';

/** What a source reads of the shared store, and how its rows meet those of its other stores. */
export interface SessionsOptions {
  /** Forms of session ids that are this source's: a session belongs to one source only. */
  readonly forms: readonly IdForm[];
  /** Names under which copies of a message may stand in the source's other stores. */
  readonly claimsOf?: (session: string, message: string) => readonly string[];
}

/** File specs for the sessions of the third engine. */
export function sessionFiles({ forms, claimsOf }: SessionsOptions): readonly FileSpec[] {
  const isOurs = (path: string, test: (found: SessionPath) => boolean) => {
    const found = sessionPath(path);
    return found !== undefined && forms.includes(found.form) && test(found);
  };
  return [
    {
      kind: 'log',
      name: 'v3-messages',
      role: 'primary',
      matches: (path) => isOurs(path, isMessages),
      open: (context) => openMessages(context, claimsOf ?? (() => [])),
    },
    {
      kind: 'document',
      name: 'v3-session',
      role: 'standing',
      matches: (path) => isOurs(path, isSessionFile),
      parse: parseSessionFile,
    },
  ];
}

/** Project of a session, as its own file records it: the hash that names the bucket cannot be turned back. */
export function projectOfSession(path: string, small: SmallFiles): string | undefined {
  const found = sessionPath(path);
  if (!found) return undefined;
  const text = small.text(`sessions/${found.bucket}/${found.id}/session.json`);
  return text === undefined ? undefined : projectIn(text);
}

function projectIn(text: string): string | undefined {
  try {
    const raw = asObject<{ rootPaths?: unknown; workspacePaths?: unknown }>(JSON.parse(text)) ?? {};
    return asText(asList(raw.rootPaths)[0]) ?? asText(asList(raw.workspacePaths)[0]);
  } catch {
    return undefined;
  }
}
