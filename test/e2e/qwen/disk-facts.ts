/** What the program wrote down, read off its files by the least reading that will do: on purpose not a parser. */
import type { StoreFile } from './store-files.ts';

export type FactKind = 'user' | 'assistant' | 'thinking' | 'tool_use' | 'tool_result';

/** denied: by a rule; unapproved: nobody could be asked; refused: by the user; cancelled: stopped while it ran. */
export type Outcome = 'success' | 'error' | 'denied' | 'unapproved' | 'refused' | 'cancelled';

/** One thing that was said, called or returned. */
export interface DiskFact {
  readonly kind: FactKind;
  readonly uuid: string;
  /** Session in which it happened; a fork holds copies of another's. */
  readonly session: string;
  readonly text: string;
  readonly tool?: string;
  readonly callId?: string;
  readonly model?: string;
  readonly outcome?: Outcome;
}

/** Facts of some files, each record once wherever it stands; the original before any copy in a fork. */
export function factsIn(files: readonly StoreFile[]): readonly DiskFact[] {
  const records = files.flatMap(({ text }) => recordsIn(text));
  const originalsLast = records.toSorted((a, b) => Number(!a.forkedFrom) - Number(!b.forkedFrom));
  const unique = new Map(originalsLast.map((record) => [record.uuid, record]));
  return [...unique.values()].flatMap(factsOf);
}

/** How many records copied from another session some files hold. */
export function copiesIn(files: readonly StoreFile[]): number {
  return files.flatMap(({ text }) => recordsIn(text)).filter(({ forkedFrom }) => forkedFrom).length;
}

interface DiskRecord {
  readonly uuid: string;
  readonly sessionId: string;
  readonly type: string;
  readonly subtype?: string;
  readonly forkedFrom?: { readonly sessionId: string };
  readonly model?: string;
  readonly message?: { readonly parts?: readonly DiskPart[] };
  readonly toolCallResult?: { readonly status?: string };
}

interface DiskPart {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: { readonly id: string; readonly name: string; readonly args: unknown };
  readonly functionResponse?: {
    readonly id: string;
    readonly name: string;
    readonly response: { readonly output?: string; readonly error?: string };
  };
}

function recordsIn(text: string): DiskRecord[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as DiskRecord);
}

function factsOf(record: DiskRecord): DiskFact[] {
  const { uuid, type, model } = record;
  const base = { uuid, session: record.forkedFrom?.sessionId ?? record.sessionId, ...(model && { model }) };
  const parts = record.message?.parts ?? [];
  if (type === 'user' && record.subtype === undefined) {
    const end = parts.findIndex(({ text }) => text?.includes('--- Content from referenced files ---'));
    return [{ ...base, kind: 'user', text: textOf(end < 0 ? parts : parts.slice(0, end)) }];
  }
  if (type === 'assistant') return assistantFacts(base, parts);
  if (type === 'tool_result') return resultFacts(base, record);
  return [];
}

type Base = Pick<DiskFact, 'uuid' | 'session' | 'model'>;

function assistantFacts(base: Base, parts: readonly DiskPart[]): DiskFact[] {
  const said = parts.filter(({ thought }) => !thought);
  const text = textOf(said);
  return [
    ...parts.filter(({ thought }) => thought).map(({ text = '' }) => fact(base, 'thinking', text)),
    ...(text === '' ? [] : [fact(base, 'assistant', text)]),
    ...said.flatMap(({ functionCall: call }) =>
      call
        ? [
            {
              ...fact(base, 'tool_use', `${call.name} ${JSON.stringify(call.args)}`),
              tool: call.name,
              callId: call.id,
            },
          ]
        : [],
    ),
  ];
}

function resultFacts(base: Base, { message, toolCallResult }: DiskRecord): DiskFact[] {
  return (message?.parts ?? []).flatMap(({ functionResponse }) => {
    if (!functionResponse) return [];
    const { id, name, response } = functionResponse;
    const outcome = outcomeOf(toolCallResult?.status, response.error);
    const text = response.output ?? response.error ?? '';
    return [{ ...fact(base, 'tool_result', text), tool: name, callId: id, outcome }];
  });
}

function outcomeOf(status: string | undefined, error: string | undefined): Outcome {
  if (error?.includes('was denied by permission rules')) return 'denied';
  if (error?.includes('that permission was declined')) return 'unapproved';
  if (error?.includes('User did not allow')) return 'refused';
  if (status === 'cancelled') return 'cancelled';
  return error === undefined ? 'success' : 'error';
}

function fact(base: Base, kind: FactKind, text: string): DiskFact {
  return { ...base, kind, text };
}

function textOf(parts: readonly DiskPart[]): string {
  return parts.map(({ text = '' }) => text).join('');
}
