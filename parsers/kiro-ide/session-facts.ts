import { hash } from 'node:crypto';
import { asText, type JsonObject } from '../shared/fields.ts';
import { fact } from '../shared/kiro/rows.ts';
import type { Time } from '../shared/time.ts';
import { modeFacts } from './mode.ts';
import { addEvent, type Scope } from './rows.ts';
import { lostEntries, type SessionMemory, shortName } from './session-memory.ts';
import type { Session } from './session-scope.ts';
import { fileTime, timeOf } from './times.ts';

/**
 * Rows about the session itself; gives how often its model or mode changed so far. What is as it was before was told
 * then.
 */
export function tellSession(session: Session, value: JsonObject, before: SessionMemory | undefined): number {
  const { scope } = session;
  const time = fileTime(scope.context);
  tellStart(session, value);
  const title = asText(value['title']);
  if (title !== undefined) tellTitle(scope, title);
  const model = shortName(value['selectedModel']);
  const mode = shortName(value['autonomyMode']);
  const changes =
    (before?.changes ?? 0) + (isOther(before?.model, model) || isOther(before?.mode, mode) ? 1 : 0);
  if (model !== undefined && model !== before?.model)
    tellModel(scope, model, { old: before?.model, changes, time });
  if (mode !== undefined && mode !== before?.mode) tellMode(scope, mode, { changes, time });
  return changes;
}

function isOther(before: string | undefined, now: string | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now;
}

function tellStart({ scope, listed, migrated }: Session, value: JsonObject): void {
  const created = timeOf(listed['dateCreated'] ?? value['dateCreated']);
  addEvent(scope, 'session.start', {
    record: 'session',
    content: '',
    text: `session started: ${asText(value['title']) ?? asText(listed['title']) ?? 'untitled'}`,
    time: created.utc === null ? fileTime(scope.context) : created,
    attributes: { ...fact('session_type', asText(value['sessionType'])), ...fact('migrated_to', migrated) },
  });
}

function tellTitle(scope: Scope, title: string): void {
  addEvent(scope, 'session.title', {
    record: 'title',
    text: `session title: ${title}`,
    time: fileTime(scope.context),
    attributes: { title },
  });
}

interface Choice {
  /** How often model or mode changed before. */
  readonly changes: number;
  readonly time: Time;
}

interface ModelChoice extends Choice {
  readonly old: string | undefined;
}

/** The model that is chosen in the session; only a running Holdfast sees it change. */
export function tellModel(scope: Scope, model: string, { old, changes, time }: ModelChoice): void {
  const isChange = old !== undefined && old !== model;
  addEvent(scope, isChange ? 'model.change' : 'model.set', {
    record: 'model',
    part: 'model',
    content: contentOf(model, changes),
    text: isChange ? `model: ${old} -> ${model}` : `model: ${model}`,
    time,
    model,
    attributes: { model, ...(isChange && { old_model: old }) },
  });
}

export function tellMode(scope: Scope, mode: string, { changes, time }: Choice): void {
  addEvent(scope, 'permission.mode', {
    record: 'mode',
    content: contentOf(mode, changes),
    text: `permission mode: ${mode}`,
    time,
    attributes: { ...modeFacts(mode), source: 'session' },
  });
}

/** The first value of a session has the same id in whichever file it is read. */
function contentOf(value: string, changes: number): string {
  return changes === 0 ? value : `${value} #${changes}`;
}

/**
 * Entries are not there any more. The IDE loses them now and then by itself, so this is no proof that anybody deleted
 * anything; their rows stay.
 */
export function tellLoss(scope: Scope, before: SessionMemory, entries: readonly string[]): void {
  const lost = lostEntries(before, entries);
  if (lost.length === 0) return;
  addEvent(scope, 'session.history_replaced', {
    record: 'history',
    content: hash('sha256', `${before.count} ${entries.length} ${lost.join(' ')}`, 'hex'),
    text: `history ${entries.length < before.count ? 'shrunk' : 'replaced'}: ${lost.length} of ${before.count} entries gone, ${entries.length} now`,
    time: fileTime(scope.context),
    attributes: {
      entries_before: before.count,
      entries_now: entries.length,
      entries_gone: lost.length,
      kind: entries.length < before.count ? 'shrunk' : 'replaced',
    },
  });
}
