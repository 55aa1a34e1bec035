import type { Document, ParseContext, StandingEntry, StandingResult } from '../../agent/contract/source.ts';
import { badDocument } from '../shared/bad-line.ts';
import { plainUtf8 } from '../shared/byte-mark.ts';
import { asObject, asText, type JsonObject } from '../shared/fields.ts';
import { entryOf } from '../shared/standing.ts';
import { structureRefusal } from '../shared/structure.ts';
import { cleanText } from '../shared/text.ts';
import { timeOf } from './times.ts';

const LISTED = { label: 'session listed', event: 'session.listed' } as const;

/**
 * Reader of `sessions.json`, which sessions the IDE shows for a workspace. It hides sessions by itself and forgets some
 * that are still on disk, so a session that goes from here is not deleted.
 */
export function readSessionList(document: Document, context: ParseContext): StandingResult {
  const bytes = plainUtf8(document.bytes);
  const refusal = structureRefusal(bytes);
  const list = refusal === undefined ? parseList(bytes) : undefined;
  if (list) return { kind: 'entries', entries: entriesOf(list, context) };
  if (!document.settled) return { kind: 'torn' };
  const reason = refusal ?? (bytes.length === 0 ? 'empty' : 'not a list');
  const row = badDocument('not a list of sessions', { bytes, reason, line: 1 });
  return { kind: 'unreadable', rows: [{ ...row, project_path: context.project(undefined) ?? null }] };
}

function parseList(bytes: Buffer): readonly unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function entriesOf(list: readonly unknown[], context: ParseContext): StandingEntry[] {
  const entries = new Map<string, StandingEntry>();
  for (const value of list) {
    const raw = asObject(value);
    const id = asText(raw?.['sessionId']);
    if (raw && id !== undefined) entries.set(id, sessionEntry(id, raw, context));
  }
  return [...entries.values()];
}

function sessionEntry(id: string, raw: JsonObject, context: ParseContext): StandingEntry {
  const title = asText(raw['title']) ?? 'untitled';
  const isHidden = raw['hidden'] === true;
  const created = timeOf(raw['dateCreated']).utc;
  const project = asText(raw['workspaceDirectory']) ?? context.project(undefined);
  const entry = entryOf(LISTED, {
    key: `session ${id}`,
    value: `${isHidden ? 'hidden' : 'shown'} ${title}`,
    subject: `${id} ${isHidden ? '(hidden) ' : ''}${title}`,
    attributes: {
      kind: 'session_list',
      title,
      hidden: isHidden,
      ...(created !== null && { created_at: created }),
    },
    ...(project !== undefined && { project }),
  });
  return { ...entry, session: cleanText(id) };
}
