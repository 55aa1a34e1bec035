/** The least reading of session files: enough to say what the program wrote down, on purpose not a parser. */
import { isDeepStrictEqual } from 'node:util';
import type { FunctionCall } from '../shared/wire.ts';
import type { ChatFile } from './chats.ts';

export interface RecordedCall {
  readonly id: string;
  readonly status: string;
}

/** The sessionId of the file's first header; null in a file without one. */
export function sessionIdOf(file: ChatFile): string | null {
  for (const record of recordsOf(file)) if (record.sessionId !== undefined) return record.sessionId;
  return null;
}

/** How many header lines the file has. */
export function headersIn(file: ChatFile): number {
  return [...recordsOf(file)].filter((record) => record.sessionId !== undefined).length;
}

/** Whether the text stands in the file as the program writes strings. */
export function holds(file: ChatFile, text: string): boolean {
  return file.text.includes(JSON.stringify(text).slice(1, -1));
}

export function recordedCall(files: readonly ChatFile[], call: FunctionCall): RecordedCall | undefined {
  for (const file of files)
    for (const { toolCalls = [] } of recordsOf(file))
      for (const { id, name, args, status } of toolCalls)
        if (name === call.name && isDeepStrictEqual(args, call.args)) return { id, status };
  return undefined;
}

interface ChatRecord {
  readonly sessionId?: string;
  readonly toolCalls?: readonly (RecordedCall & FunctionCall)[];
}

function* recordsOf({ text }: ChatFile): Generator<ChatRecord> {
  for (const line of text.split('\n').slice(0, -1)) yield JSON.parse(line) as ChatRecord;
}
