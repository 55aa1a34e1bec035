import type { Rng } from '../rng.ts';
import { makeText } from '../text.ts';
import type { ToolCall } from './tool-call.ts';

/** Records of a session file as Gemini CLI writes them: reference/gemini.md of the design, section 2. */
export interface UserMessage {
  readonly id: string;
  readonly timestamp: string;
  readonly type: 'user';
  readonly content: readonly unknown[];
  readonly displayContent?: readonly unknown[];
}

export interface Thought {
  readonly subject: string;
  readonly description: string;
  readonly timestamp: string;
}

export interface GeminiMessage {
  readonly id: string;
  readonly timestamp: string;
  readonly type: 'gemini';
  /** Parts once the program has written its history again. */
  readonly content: string | readonly unknown[];
  readonly thoughts: readonly Thought[];
  readonly tokens: Readonly<Record<string, number>> | null;
  readonly model?: string;
  readonly toolCalls?: readonly ToolCall[];
}

export interface Notice {
  readonly id: string;
  readonly timestamp: string;
  readonly type: 'info' | 'error' | 'warning';
  readonly content: string;
}

export type Message = UserMessage | GeminiMessage | Notice;

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

export function prompt(rng: Rng, ms: number): UserMessage {
  const text = makeText(rng, rng.logInt(20, 2_500));
  const base = { id: rng.uuid(), timestamp: iso(ms), type: 'user' as const };
  if (rng.chance(0.9)) return { ...base, content: [{ text }] };
  const body = `--- Content from referenced files ---\n${makeText(rng, rng.logInt(200, 8_000), 'code')}`;
  return { ...base, content: [{ text }, { text: body }], displayContent: [{ text }] };
}

/** The message that sends results back to the model: on disk they stand a second time. */
export function resultMessage(rng: Rng, ms: number, calls: readonly ToolCall[]): UserMessage {
  return {
    id: rng.uuid(),
    timestamp: iso(ms),
    type: 'user',
    content: calls.flatMap(({ result }) => result),
  };
}

export function answer(rng: Rng, ms: number, text: string): GeminiMessage {
  const thoughts = rng.chance(0.7) ? Array.from({ length: rng.int(1, 3) }, () => thought(rng, ms)) : [];
  return {
    id: rng.uuid(),
    timestamp: iso(ms),
    type: 'gemini',
    content: text,
    thoughts,
    tokens: tokens(rng),
    model: rng.chance(0.85) ? 'gemini-3.8-pro' : 'gemini-3.8-flash',
  };
}

export function notice(rng: Rng, ms: number): Notice {
  return {
    id: rng.uuid(),
    timestamp: iso(ms),
    type: rng.pick(['info', 'error', 'warning']),
    content: makeText(rng, rng.logInt(20, 200)),
  };
}

/** Id of the context message: the same in every session. */
export const CONTEXT_ID = 'd04923d38bb0f6017037e74183378ef4';

/** First message of a history: tells the model where it is. */
export function contextMessage(cwd: string, ms: number): UserMessage {
  const lines = [
    'This is the Gemini CLI.',
    'My operating system is: linux',
    `- **Workspace Directories:**\n  - ${cwd}`,
  ];
  return {
    id: CONTEXT_ID,
    timestamp: iso(ms),
    type: 'user',
    content: [{ text: `<session_context>\n${lines.join('\n')}\n</session_context>` }],
  };
}

function thought(rng: Rng, ms: number): Thought {
  return { subject: makeText(rng, 28), description: makeText(rng, rng.logInt(60, 700)), timestamp: iso(ms) };
}

function tokens(rng: Rng): Record<string, number> {
  const [input, output, thoughts] = [rng.int(900, 120_000), rng.int(20, 3_000), rng.int(0, 900)];
  return { input, output, cached: rng.int(0, 800), thoughts, tool: 0, total: input + output + thoughts };
}

/** A resume writes old messages in another form: content as parts, without model, tokens and thoughts. */
export function asResumed(message: Message): Message {
  if (message.type !== 'gemini' || typeof message.content !== 'string') return message;
  const { id, timestamp, type, content, toolCalls = [] } = message;
  const parts = [
    ...message.thoughts.map((part) => ({ text: `**${part.subject}** ${part.description}`, thought: true })),
    ...(content === '' ? [] : [{ text: content }]),
    ...toolCalls.map((call) => ({ functionCall: { id: call.id, name: call.name, args: call.args } })),
  ];
  const calls = toolCalls.length > 0 ? { toolCalls } : {};
  return { id, timestamp, type, content: parts, thoughts: [], tokens: null, ...calls };
}
