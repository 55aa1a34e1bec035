import type { Attributes } from '../../agent/contract/row.ts';
import { cleanText } from '../shared/text.ts';
import { joinedText } from './content.ts';
import type { RawMessage } from './records.ts';
import { addEvent, recordTime } from './rows.ts';
import { addMessage, type Scope } from './state.ts';

/** Kinds of message that the program shows to the user and that no model sees. */
type NoticeKind = 'info' | 'error' | 'warning';

export function isNotice(type: unknown): type is NoticeKind {
  return type === 'info' || type === 'error' || type === 'warning';
}

/** One row for each notice that says something. */
export function readNotice(scope: Scope, id: string, raw: RawMessage & { readonly type: NoticeKind }): void {
  const { session } = scope;
  if (session.messages.has(id)) return;
  addMessage(session, id, 'other');
  const text = joinedText(raw.content);
  const time = recordTime(session, raw.timestamp);
  if (text === '') return;
  addEvent(scope, `message.${raw.type}`, { record: id, text, time, attributes: modelChoice(text) });
}

/** `/model set` leaves only this wording. */
function modelChoice(text: string): Attributes | undefined {
  const match = /^Model set to (\S{1,200})( \(persisted\))?$/.exec(text);
  return match ? { chosen_model: cleanText(match[1] ?? ''), persisted: match[2] !== undefined } : undefined;
}
