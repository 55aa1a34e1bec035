import { readFileSync } from 'node:fs';
import type { SessionCounts } from '../../../bench/corpus/manifest.ts';

interface RawRecord {
  readonly id?: string;
  readonly type?: string;
  readonly content?: unknown;
  readonly thoughts?: readonly unknown[];
  readonly toolCalls?: readonly { readonly id: string; readonly result?: readonly unknown[] }[];
  readonly $set?: { readonly messages?: readonly RawRecord[] };
  readonly $rewindTo?: string;
}

/**
 * Counts what a session file says in the plainest way: each message by its id, each call by its own, and
 * what is live by replaying the lines. Shares nothing with the generator.
 */
export function readNaively(file: string): SessionCounts {
  const records = readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RawRecord);
  const own = records.filter(({ id }) => id !== undefined);
  const first = [...new Map(own.toReversed().map((record) => [record.id, record])).values()];
  const gemini = first.filter(({ type }) => type === 'gemini');
  const calls = new Map(own.flatMap(({ toolCalls }) => toolCalls ?? []).map((call) => [call.id, call]));
  return {
    lines: records.length,
    prompts: first.filter((record) => record.type === 'user' && textOf(record) !== '').length,
    answers: gemini.filter(({ content }) => content !== '').length,
    thoughts: gemini.flatMap(({ thoughts }) => thoughts ?? []).length,
    calls: calls.size,
    results: [...calls.values()].filter(({ result }) => result !== undefined).length,
    live: replay(records).size,
  };
}

function textOf({ content }: RawRecord): string {
  return (content as readonly { text?: string }[]).map(({ text }) => text ?? '').join('');
}

function replay(records: readonly RawRecord[]): Set<string> {
  let live = new Set<string>();
  for (const { id, $set, $rewindTo } of records) {
    if (id !== undefined) live.add(id);
    if ($set?.messages) live = new Set($set.messages.map((message) => message.id ?? ''));
    if ($rewindTo === undefined) continue;
    const ids = [...live];
    const at = ids.indexOf($rewindTo);
    live = new Set(at < 0 ? [] : ids.slice(0, at));
  }
  return live;
}
