import { asList, asObject, asText, type JsonObject } from '../shared/fields.ts';
import { cleanText } from '../shared/text.ts';
import type { Time } from '../shared/time.ts';
import { promptName } from './claims.ts';
import { modeFacts } from './mode.ts';
import { timeOf } from './place.ts';
import type { RawRecord } from './records.ts';
import { addEvent, addRow } from './rows.ts';
import type { Scope } from './state.ts';

/** A command that was typed (`invocation`), or what the program answered to it (`result`). */
export function readSlashCommand(scope: Scope, raw: RawRecord, payload: JsonObject): void {
  const typed = asText(payload['rawCommand']);
  const time = timeOf(raw.timestamp);
  if (typed === undefined) return;
  if (payload['phase'] !== 'result') {
    addInvocation(scope, typed, { isSent: payload['sentToModel'] === true, time });
    return;
  }
  const notices = asList(payload['outputHistoryItems']).map(noticeOf);
  for (const [index, notice] of notices.entries()) {
    if (!notice) continue;
    const event = `message.${notice.kind}` as const;
    const attributes = { command: nameOf(typed) };
    addRow(scope, { part: `${event}:${index}`, turn: 'system', event, text: notice.text, time, attributes });
  }
  if (notices.some((notice) => notice?.kind === 'info')) addMode(scope, typed, time);
}

function addInvocation(scope: Scope, typed: string, { isSent, time }: { isSent: boolean; time: Time }): void {
  addEvent(scope, 'command.slash', {
    text: `slash command: ${typed}`,
    time,
    claims: [promptName(scope.columns.session_id ?? '', typed)],
    attributes: { command: nameOf(typed), ...(isSent && { sent_to_model: true }) },
  });
}

type NoticeKind = 'info' | 'error' | 'warning';

function noticeOf(item: unknown): { readonly kind: NoticeKind; readonly text: string } | undefined {
  const { type, text } = asObject<{ type?: unknown; text?: unknown }>(item) ?? {};
  const said = asText(text);
  if (said === undefined || (type !== 'info' && type !== 'error' && type !== 'warning')) return undefined;
  return { kind: type, text: said };
}

/** The program's answer is in the user's language, so the mode is read off the command that it answers. */
function addMode(scope: Scope, typed: string, time: Time): void {
  const mode = /^[/?]approval-mode\s+(\S+)/.exec(typed)?.[1]?.toLowerCase();
  if (mode === undefined) return;
  addEvent(scope, 'permission.mode', {
    text: `permission mode: ${mode}`,
    time,
    attributes: { ...modeFacts(mode), source: 'command' },
  });
}

/** `/model x` is the command `model`. */
function nameOf(typed: string): string {
  return cleanText(typed.slice(1).trimStart().split(/\s/, 1)[0]?.slice(0, 100) ?? '');
}
