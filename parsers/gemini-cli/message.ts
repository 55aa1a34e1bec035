import { readGemini } from './gemini.ts';
import { isNotice, readNotice } from './notice.ts';
import { asId, type RawMessage } from './records.ts';
import type { Scope } from './state.ts';
import { readUser } from './user.ts';

/** A message as its own record: a line of a session file, an element of a legacy session. */
export function readMessage(scope: Scope, raw: RawMessage): void {
  const id = asId(raw.id);
  const { type } = raw;
  if (id === undefined) scope.session.context.note('unknown_record');
  else if (type === 'user') readUser(scope, id, raw);
  else if (type === 'gemini') readGemini(scope, id, raw);
  else if (isNotice(type)) readNotice(scope, id, { ...raw, type });
  else scope.session.context.note('unknown_record');
}
