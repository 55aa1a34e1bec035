import { type AgentId, type Row, SELF, type TurnType } from '../contract/row.ts';

/**
 * Rows in the names of the OpenTelemetry conventions for generative AI (open-telemetry/semantic-conventions-genai,
 * stability "development" as of 2026), which ECS follows. Raised whenever one of the tables below changes.
 */
export const GEN_AI_MAPPING_VERSION = 1;

/** Facts under dotted names. */
export type Facts = Record<string, string | number>;

/** Contents under dotted names: lists and maps as the conventions want them, text where no more is known. */
export type Contents = Record<string, unknown>;

const AGENT_NAMES: Readonly<Record<AgentId, string>> = {
  'gemini-cli': 'gemini-cli',
  'qwen-code': 'qwen-code',
  'amazon-q': 'amazon-q-cli',
  'kiro-cli': 'kiro-cli',
  'kiro-ide': 'kiro-ide',
};

/** The conventions know only Google's; the others are strings of our own, as they allow. */
const PROVIDERS: Readonly<Record<AgentId, string>> = {
  'gemini-cli': 'gcp.gen_ai',
  'qwen-code': 'alibaba.qwen',
  'amazon-q': 'aws.q_developer',
  'kiro-cli': 'aws.kiro',
  'kiro-ide': 'aws.kiro',
};

const OPERATIONS: Readonly<Partial<Record<TurnType, string>>> = {
  user: 'chat',
  assistant: 'chat',
  thinking: 'chat',
  tool_use: 'execute_tool',
  tool_result: 'execute_tool',
};

/** Turns that the model of the row made; the model of other turns is the one that was asked. */
const ANSWERS: ReadonlySet<TurnType> = new Set(['assistant', 'thinking', 'tool_use']);

const TOKEN_COUNTS: Readonly<Record<string, string>> = {
  tokens_input: 'gen_ai.usage.input_tokens',
  tokens_output: 'gen_ai.usage.output_tokens',
  tokens_cached: 'gen_ai.usage.cache_read.input_tokens',
  tokens_thoughts: 'gen_ai.usage.reasoning.output_tokens',
};

const NAMES: readonly (readonly [name: string, value: (row: Row) => string | null | undefined])[] = [
  ['gen_ai.operation.name', ({ turn_type }) => OPERATIONS[turn_type]],
  ['gen_ai.provider.name', ({ agent }) => (agent === SELF ? null : PROVIDERS[agent])],
  ['gen_ai.agent.name', ({ agent }) => (agent === SELF ? null : AGENT_NAMES[agent])],
  ['gen_ai.conversation.id', ({ session_id }) => session_id],
  ['gen_ai.request.model', ({ model }) => model],
  ['gen_ai.response.model', ({ model, turn_type }) => (ANSWERS.has(turn_type) ? model : null)],
  ['gen_ai.tool.name', ({ tool_name }) => tool_name],
  ['gen_ai.tool.type', ({ tool_name }) => (tool_name === null ? null : 'function')],
  ['gen_ai.tool.call.id', ({ tool_use_id }) => tool_use_id],
];

/** What the conventions name of a row, apart from what was said. */
export function genAiFacts(row: Row): Facts {
  const facts: Facts = {};
  for (const [name, read] of NAMES) {
    const value = read(row);
    if (value !== null && value !== undefined) facts[name] = value;
  }
  for (const [attribute, name] of Object.entries(TOKEN_COUNTS)) {
    const count = row.attributes[attribute];
    if (typeof count === 'number') facts[name] = count;
  }
  return facts;
}

/** What was said, in the attributes that the conventions have for it and leave to the operator. */
export function genAiContents({ turn_type, text }: Row): Contents {
  switch (turn_type) {
    case 'user':
      return { 'gen_ai.input.messages': [message('user', 'text', text)] };
    case 'assistant':
      return { 'gen_ai.output.messages': [message('assistant', 'text', text)] };
    case 'thinking':
      return { 'gen_ai.output.messages': [message('assistant', 'reasoning', text)] };
    case 'tool_use':
      return { 'gen_ai.tool.call.arguments': argumentsOf(text) ?? text };
    case 'tool_result':
      return { 'gen_ai.tool.call.result': text };
    case 'system':
      return {};
  }
}

function message(role: string, type: string, content: string): unknown {
  return { role, parts: [{ type, content }] };
}

/** Structures that nest deeper are told as text: receivers bound how deep they read, and so do we. */
const MAX_DEPTH = 10;

/** The text of a tool call is the tool's label and its arguments as JSON, unless it was cut. */
function argumentsOf(text: string): object | undefined {
  const start = text.indexOf('{');
  if (start === -1) return undefined;
  try {
    const value = JSON.parse(text.slice(start)) as object;
    return isPlain(value, MAX_DEPTH) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Not too deep, and without U+0000 in names, which Elasticsearch refuses. */
function isPlain(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  return Object.entries(value).every(([name, inner]) => !name.includes('\0') && isPlain(inner, levels - 1));
}
