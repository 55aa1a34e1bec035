import { cleanText } from '../shared/text.ts';
import { addEvent, eventTime } from './rows.ts';
import { isConversation, type Scope, type Session } from './state.ts';

/**
 * `$rewindTo` drops a message and everything after it from the conversation; for an id that is not in it,
 * the program loads nothing of what came before. The rows of what was dropped stay.
 */
export function rewindTo(scope: Scope, id: string): void {
  const { session } = scope;
  session.run = undefined;
  const order = session.messages.get(id)?.order ?? -1;
  const dropped = dropFrom(session, Math.max(order, 0));
  const times = (session.rewinds.get(id) ?? 0) + 1;
  session.rewinds.set(id, times);
  addEvent(scope, 'session.rewound', {
    record: id,
    content: `${id}#${times}`,
    text: `rewound to ${id}`,
    time: eventTime(session, undefined),
    attributes: {
      to: cleanText(id),
      removed_messages: dropped.messages,
      removed_prompts: dropped.prompts,
      ...(order < 0 && { known: false }),
    },
  });
}

function dropFrom(session: Session, order: number): { messages: number; prompts: number } {
  let messages = 0;
  let prompts = 0;
  while (session.live.length > order) {
    const message = session.live.pop();
    if (message?.order !== session.live.length) continue;
    message.order = -1;
    if (!isConversation(message)) continue;
    messages++;
    if (message.role === 'user') prompts++;
  }
  return { messages, prompts };
}
