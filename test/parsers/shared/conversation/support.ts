import type { DraftRow } from '../../../../agent/contract/row.ts';
import { amazonQ } from '../../../../parsers/amazon-q/index.ts';
import { readConversation } from '../../../../parsers/shared/conversation/conversation.ts';
import { draftId } from '../../support.ts';

export const TALK = 'c0de0a01-1111-4000-8000-000000000001';

type Json = Readonly<Record<string, unknown>>;

/** A random id, as the programs give them: the number makes it another one. */
export function randomId(number: number): string {
  return `c0de0a02-2222-4000-8000-${String(number).padStart(12, '0')}`;
}

function timeAt(minute: number): string {
  return `2026-10-01T11:${String(minute).padStart(2, '0')}:00.123456789+02:00`;
}

interface EntryFacts {
  readonly user?: Json;
  readonly text?: string;
  readonly calls?: readonly Json[];
  readonly tags?: readonly string[];
}

/** One turn: a prompt with this text, or another user part, and the answer with the id of its number. */
export function turn(number: number, prompt: string | Json, facts: EntryFacts = {}): Json {
  const content = typeof prompt === 'string' ? { Prompt: { prompt } } : prompt;
  const message = { message_id: randomId(number), content: facts.text ?? `answer ${number}` };
  return {
    user: {
      additional_context: '',
      env_context: {},
      content,
      timestamp: timeAt(number),
      images: null,
      ...facts.user,
    },
    assistant: facts.calls ? { ToolUse: { ...message, tool_uses: facts.calls } } : { Response: message },
    request_metadata: {
      message_id: randomId(number),
      request_start_timestamp_ms: 1_790_845_260_000 + number * 60_000,
      stream_end_timestamp_ms: 1_790_845_262_000 + number * 60_000,
      model_id: 'model-1',
      message_meta_tags: facts.tags ?? [],
    },
  };
}

export function call(id: string, name = 'execute_bash', more: Json = {}): Json {
  const args = { command: 'ls' };
  return { id, name, orig_name: name, args, orig_args: args, ...more };
}

export function state(history: readonly Json[], more: Json = {}): string {
  return JSON.stringify({
    conversation_id: TALK,
    next_message: null,
    history,
    latest_summary: null,
    ...more,
  });
}

export interface Told {
  readonly rows: readonly DraftRow[];
  readonly memory: string | undefined;
}

export function tell(text: string, memory?: string, forks = false): Told {
  const rows: DraftRow[] = [];
  const next = readConversation({
    bytes: Buffer.from(text),
    project: '/home/alice/proj',
    forks,
    memory,
    emit: (row) => void rows.push(row),
  });
  return { rows, memory: next };
}

export function idsOf(rows: readonly DraftRow[]): Set<string> {
  return new Set(rows.map((row) => draftId(amazonQ, row)));
}

export function said(rows: readonly DraftRow[]): string[] {
  return rows.map(({ turn_type, event, text }) => `${event ?? turn_type}: ${text}`);
}
