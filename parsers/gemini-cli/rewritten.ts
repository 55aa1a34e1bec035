import { cleanText } from '../shared/text.ts';
import type { Time } from '../shared/time.ts';
import { addEvent } from './rows.ts';
import type { Message, Scope } from './state.ts';

/** A text that the program itself put in place of what was said, when it rewrote the history. */
export function addRewrittenText(
  scope: Scope,
  message: Message,
  { text, time }: { text: string; time: Time },
): void {
  addEvent(scope, 'session.patched', {
    record: message.id,
    text: `message ${message.id} rewritten: ${text}`,
    time,
    attributes: { message: cleanText(message.id), content: 'replaced' },
  });
}
