import { isUtf8 } from 'node:buffer';
import type { Attributes, DraftRow, Emit } from '../../../agent/contract/row.ts';
import type {
  Document,
  DocumentResult,
  DocumentSpec,
  FileSpec,
  ParseContext,
} from '../../../agent/contract/source.ts';
import { badLine } from '../bad-line.ts';
import { withoutMark } from '../byte-mark.ts';
import { refusalOfPrompt } from '../kiro/refusal.ts';
import { addEvent, addRow, type RowScope } from '../kiro/rows.ts';
import { timeOf } from '../kiro/time.ts';
import { typedName } from '../kiro/typed.ts';
import { document } from '../specs.ts';
import { cleanText } from '../text.ts';
import type { Time } from '../time.ts';
import { type HistoryMemory, newEntries, readHistoryMemory, writeHistoryMemory } from './history-memory.ts';

/** First line of the form that the classic interface writes. */
const HEADER = '#V2';

/**
 * Parser of `.cli_bash_history` and of `sessions/cli/<id>.history`: what was typed at the prompt, oldest first, without
 * times. Two programs write the first: one with a header line, at most 100 entries, backslashes escaped; one without, at
 * most 1000, with nothing escaped but line breaks. Both rewrite it, so entries are told by comparison with the last look.
 * Prompts that a conversation holds are copies; commands stand nowhere else.
 */
export function parseTypedHistory(
  { bytes: given, settled, memory: before }: Document,
  context: ParseContext,
  emit: Emit,
): DocumentResult {
  const bytes = withoutMark(given);
  if (!settled && bytes.length > 0 && bytes.at(-1) !== 0x0a) return 'torn';
  const lines = linesOf(bytes);
  const memory = readHistoryMemory(before);
  const fresh = newEntries(
    memory,
    lines.map(({ raw }) => raw.toString('latin1')),
  );
  const name = context.path.slice(context.path.lastIndexOf('/') + 1);
  const session = name.startsWith('.') ? '' : cleanText(name.slice(0, name.lastIndexOf('.')));
  const scope = { session, project: undefined, line: null, shared: {}, emit };
  for (const index of fresh) {
    const line = lines[index];
    if (line) addLine(scope, line, { memory, context });
  }
  return { memory: writeHistoryMemory(memory) };
}

/** The file of what was typed: a line stands there when it is typed, its record only when the model has answered. */
export function typedHistory(matches: FileSpec['matches']): DocumentSpec {
  return document('typed-history', 'secondary', { isAhead: true, matches, parse: parseTypedHistory });
}

/** What was typed, oldest first, from the text of the file. */
export function typedTexts(text: string): string[] {
  return linesOf(Buffer.from(text)).map(({ raw, isEscaped }) => unescaped(raw.toString('utf8'), isEscaped));
}

interface Line {
  readonly raw: Buffer;
  readonly line: number;
  readonly isEscaped: boolean;
}

function linesOf(bytes: Buffer): Line[] {
  const lines: Line[] = [];
  let isEscaped = false;
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    const raw = bytes.subarray(start, bytes[end - 1] === 0x0d && end > start ? end - 1 : end);
    start = end + 1;
    if (line === 1 && raw.toString('latin1') === HEADER) isEscaped = true;
    else if (raw.length > 0 && raw.toString('latin1') !== HEADER) lines.push({ raw, line, isEscaped });
  }
  return lines;
}

interface LineContext {
  readonly memory: HistoryMemory;
  readonly context: ParseContext;
}

function addLine(scope: RowScope, { raw, line, isEscaped }: Line, { memory, context }: LineContext): void {
  const here = { ...scope, line };
  if (!isUtf8(raw)) {
    here.emit(unreadable(raw, line));
    return;
  }
  const text = unescaped(raw.toString('utf8'), isEscaped);
  if (text.trim() === '') return;
  const time = timeOf(context.fileTime(), 'file');
  const command = /^\/([^\s/*]{1,100})(?:\s|$)/.exec(text)?.[1];
  if (command === undefined && refusalOfPrompt(text).tool !== undefined) {
    addTypedRefusal(here, text, { memory, time });
    return;
  }
  if (command === undefined) {
    addRow(here, {
      sessionKey: '',
      record: 'typed',
      part: 'text',
      turn: 'user',
      text,
      time,
      attributes: { input: 'history' },
      copyOf: typedName(text),
    });
    return;
  }
  addCommand(here, text, { command, memory, time });
}

interface Command {
  readonly command: string;
  readonly memory: HistoryMemory;
  readonly time: Time;
}

/**
 * What trusts is told as often as it was typed. Any other command is told once: nobody knows when it was typed, and
 * that it was typed again changes nothing.
 */
function addCommand(here: RowScope, text: string, { command, memory, time }: Command): void {
  const trust = trustOf(text);
  addEvent(here, trust?.event ?? 'command.slash', {
    sessionKey: here.session,
    record: `typed ${text}`,
    content: trust ? String(memory.countOf(text)) : '',
    text: trust?.text ?? `slash command: ${text}`,
    time,
    attributes: { command: cleanText(command), typed: text, source: 'history', ...trust?.attributes },
  });
}

/**
 * The sentence of a deny rule that a person typed: a rule's own never stands here, and the store keeps both alike. Where a
 * conversation has it as a prompt nothing was refused.
 */
function addTypedRefusal(here: RowScope, text: string, { memory, time }: Omit<Command, 'command'>): void {
  addEvent(here, 'permission.decision', {
    sessionKey: here.session,
    record: `typed ${text}`,
    content: String(memory.countOf(text)),
    text: 'permission decision: denied by=user-text (the sentence of a deny rule, typed by the user)',
    time,
    tool: refusalOfPrompt(text).tool,
    attributes: {
      decision: 'user_denied',
      by: 'user-text',
      corrects: 'deny-rule',
      typed: text,
      source: 'history',
    },
    copyOf: typedName(text),
  });
}

function unreadable(raw: Buffer, line: number): DraftRow {
  return badLine({ bytes: raw, reason: 'not valid UTF-8', line });
}

/** An escape that the program never writes stays as it is. */
function unescaped(text: string, isEscaped: boolean): string {
  if (!isEscaped) return text.replaceAll('\\n', '\n');
  return text.replaceAll(/\\([n\\])/g, (_whole, letter: string) => (letter === 'n' ? '\n' : '\\'));
}

interface Trust {
  readonly event: 'permission.mode' | 'permission.setting';
  readonly text: string;
  readonly attributes: Attributes;
}

/** Commands that change what runs without asking. In the first engine this line is the only trace of it. */
function trustOf(text: string): Trust | undefined {
  const [head = '', verb = '', ...names] = text.trim().split(/\s+/);
  if (head === '/acceptall' || (head === '/tools' && verb === 'trust-all'))
    return {
      event: 'permission.mode',
      text: `permission mode: trust-all (typed ${text.trim()})`,
      attributes: { mode: 'trust-all', trust_all: true },
    };
  if (head !== '/tools' || !['trust', 'untrust', 'reset'].includes(verb)) return undefined;
  const tools = names.join(',');
  return {
    event: 'permission.setting',
    text: `permission setting: ${verb}${tools === '' ? '' : ` ${tools}`} (typed ${text.trim()})`,
    attributes: {
      kind: 'typed_permission',
      change: verb === 'trust' ? 'added' : 'removed',
      ...(tools !== '' && { tool: tools }),
    },
  };
}
