import { hash } from 'node:crypto';
import type { Emit } from '../../../agent/contract/row.ts';
import type { Document, DocumentResult, DocumentSpec, ParseContext } from '../../../agent/contract/source.ts';
import { badDocument } from '../bad-line.ts';
import { withoutMark } from '../byte-mark.ts';
import { asList, asObject, asText, type JsonObject } from '../fields.ts';
import { copiesOf } from '../kiro/copies.ts';
import { addBad, addEvent } from '../kiro/rows.ts';
import { timeOf } from '../kiro/time.ts';
import { SAVED } from '../kiro-typed/saved-files.ts';
import { document } from '../specs.ts';
import { isNestedTooDeeply, structureRefusal } from '../structure.ts';
import { cleanText } from '../text.ts';
import { readConversation } from './conversation.ts';

/** What a saved file holds. */
export interface Saved {
  readonly bytes: Buffer;
  readonly value: JsonObject;
  readonly context: ParseContext;
  /** Takes rows that count only where the store has them no more. */
  readonly emit: Emit;
}

/** A form of such files; `false` when this is another one. */
export type SavedForm = (
  saved: Saved,
) => { readonly session: string; readonly entries: readonly unknown[] } | false;

/**
 * A conversation that its user wrote to a file with `/save` or `/chat save`: found by the typed line, read where no store
 * holds it any more. A file of that name that holds anything else gives nothing.
 */
export function savedConversation(forms: readonly SavedForm[]): DocumentSpec {
  return document(SAVED, 'secondary', {
    places: [],
    matches: () => false,
    parse: (given, context, emit) => parse(given, { context, emit, forms }),
  });
}

/** The value of the conversation's record, as text. */
export function stateForm({ forks }: { readonly forks: boolean }): SavedForm {
  return ({ bytes, value, context, emit }) => {
    const id = asText(value['conversation_id']);
    if (id === undefined || !Array.isArray(value['history'])) return false;
    const project = context.project(undefined);
    readConversation({ bytes, project, forks, memory: undefined, emit });
    return { session: cleanText(id), entries: asList(value['history']) };
  };
}

interface How {
  readonly context: ParseContext;
  readonly emit: Emit;
  readonly forms: readonly SavedForm[];
}

function parse({ bytes: given, settled }: Document, { context, emit, forms }: How): DocumentResult {
  const bytes = withoutMark(given);
  const value = parsed(bytes);
  const project = context.project(undefined);
  const scope = { session: '', project, line: null, shared: {}, emit };
  if (value === 'broken') {
    if (!settled) return 'torn';
    const reason = structureRefusal(bytes) ?? 'broken';
    if (bytes.length > 0) addBad(scope, badDocument('saved conversation', { bytes, reason, line: null }));
    return 'parsed';
  }
  const left = copiesOf((row) => emit({ ...row, recovered: true }));
  for (const form of value ? forms : []) {
    const found = value && form({ bytes, value, context, emit: left });
    if (!found) continue;
    const count = found.entries.length;
    addEvent({ ...scope, session: found.session }, 'session.exported', {
      record: 'saved',
      content: `${count} ${hash('sha256', JSON.stringify(found.entries.at(-1) ?? null), 'hex').slice(0, 32)}`,
      text: `conversation saved: ${count} entries (from ${cleanText(`${context.root}/${context.path}`)}, file mtime)`,
      time: timeOf(context.fileTime(), 'file'),
      attributes: { entries: count },
    });
    break;
  }
  return 'parsed';
}

function parsed(bytes: Buffer): JsonObject | 'broken' | undefined {
  if (structureRefusal(bytes) !== undefined || isNestedTooDeeply(bytes)) return 'broken';
  try {
    return asObject(JSON.parse(bytes.toString('utf8')));
  } catch {
    return 'broken';
  }
}
