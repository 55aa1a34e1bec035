import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { DraftRow } from '../../../agent/contract/row.ts';
import { hash32 } from '../../../parsers/kiro-ide/workspace.ts';
import { releasedCopies } from '../support.ts';
import {
  action,
  assistant,
  execution,
  executionPath,
  FOLDER,
  idOf,
  METADATA_PATH,
  parse,
  SESSION_PATH,
  START_MS,
  session,
  user,
} from './support.ts';

/** One turn of a conversation, and which files still hold it. Few words, so that they come again. */
const turn = fc.record({
  prompt: fc.constantFrom('go on', 'fix it', 'why?'),
  answer: fc.constantFrom('ok', 'done', 'because'),
  hasExecution: fc.boolean(),
  hasChat: fc.boolean(),
});
type Turn = typeof turn extends { generate: (...args: never[]) => { value: infer Value } } ? Value : never;

describe('parsers/kiro-ide', () => {
  it('tells each message once, whichever executions are left, with chats beside them or not', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 6 }), fc.boolean(), (given, isReversed) => {
        const turns = given.map((one) => ({ ...one, hasChat: one.hasChat && one.hasExecution }));

        const rows = rowsOf(storeOf(turns, { hasSession: true }), isReversed);

        assert.deepEqual(texts(rows, 'user'), sorted(turns.map(({ prompt }) => prompt)));
        const stubs = turns.filter(({ hasExecution }) => !hasExecution).length;
        assert.equal(count(rows, 'On it.'), stubs);
        for (const { answer } of turns) {
          const said = turns.filter((one) => one.answer === answer);
          const least = said.filter(({ hasExecution }) => hasExecution).length;
          assert.ok(count(rows, answer) >= least && count(rows, answer) <= said.length, answer);
        }
      }),
    );
  });

  it('tells each message once where sessions have chats and no executions', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 6 }), fc.boolean(), (given, isReversed) => {
        const turns = given.map((one) => ({ ...one, hasExecution: false, hasChat: true }));

        const rows = rowsOf(storeOf(turns, { hasSession: true }), isReversed);

        assert.deepEqual(texts(rows, 'user'), sorted(turns.map(({ prompt }) => prompt)));
        assert.deepEqual(texts(rows, 'assistant'), sorted(turns.map(({ answer }) => answer)));
      }),
    );
  });

  it('tells each message once where the session is gone and executions are left', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 6 }), fc.boolean(), (given, isReversed) => {
        const turns = given.map((one) => ({ ...one, hasExecution: true }));

        const rows = rowsOf(storeOf(turns, { hasSession: false }), isReversed);

        assert.deepEqual(texts(rows, 'user'), sorted(turns.map(({ prompt }) => prompt)));
        assert.deepEqual(texts(rows, 'assistant'), sorted(turns.map(({ answer }) => answer)));
      }),
    );
  });

  it('tells each message once where there are chats alone', () => {
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 6 }), fc.boolean(), (given, isReversed) => {
        const turns = given.map((one) => ({ ...one, hasExecution: false, hasChat: true }));

        const rows = rowsOf(storeOf(turns, { hasSession: false }), isReversed);

        assert.deepEqual(texts(rows, 'user'), sorted(turns.map(({ prompt }) => prompt)));
        assert.deepEqual(texts(rows, 'assistant'), sorted(turns.map(({ answer }) => answer)));
      }),
    );
  });
});

/** The files that the IDE writes for a conversation, as far as they are left. */
function storeOf(turns: readonly Turn[], { hasSession }: { hasSession: boolean }): Record<string, unknown> {
  const files: Record<string, unknown> = {};
  const history = turns.flatMap(({ prompt }, n) => [
    user(`u${n}`, prompt),
    assistant(`a${n}`, 'On it.', executionId(n)),
  ]);
  if (hasSession) files[SESSION_PATH] = session(history);
  for (const [n, { prompt, answer, hasExecution, hasChat }] of turns.entries()) {
    const before = turns.slice(0, n);
    if (hasExecution)
      files[executionPath(executionId(n))] = execution(
        [action(`say${n}`, 'say', { output: { message: answer } })],
        {
          executionId: executionId(n),
          status: 'succeed',
          startTime: START_MS + n * 1_000,
          input: { data: { messages: [{ role: 'user', content: prompt }] } },
          context: { messages: [...before.flatMap(repeated), entry('human', prompt)] },
        },
      );
    if (hasChat)
      files[`${FOLDER}/${hash32(`chat ${n}`)}.chat`] = {
        executionId: executionId(n),
        chat: [...before.flatMap(spoken), ...spoken({ prompt, answer })],
        metadata: { startTime: START_MS + n * 1_000 },
      };
  }
  return files;
}

function executionId(n: number): string {
  return `execution ${n}`;
}

type Words = Pick<Turn, 'prompt' | 'answer'>;

function repeated({ prompt, answer }: Words) {
  return [entry('human', prompt), entry('bot', answer)];
}

function entry(role: string, text: string) {
  return { role, entries: [{ type: 'text', text }] };
}

function spoken({ prompt, answer }: Words) {
  return [
    { role: 'human', content: prompt },
    { role: 'bot', content: `${answer} <tool_use><name>x</name></tool_use>` },
  ];
}

/** Rows of all files, each id once, and those copies that nobody claims. */
function rowsOf(files: Readonly<Record<string, unknown>>, isReversed: boolean): DraftRow[] {
  const paths = Object.keys(files).filter((path) => path !== METADATA_PATH);
  const all = (isReversed ? paths.toReversed() : paths).flatMap((path) =>
    parse(path, files[path], { files }).rows.map((row) => ({ ...row, row_id: idOf(row) })),
  );
  const told = new Map(all.filter(({ copyOf }) => copyOf === undefined).map((row) => [row.row_id, row]));
  for (const row of releasedCopies(all)) if (!told.has(row.row_id)) told.set(row.row_id, row);
  return [...told.values()];
}

function texts(rows: readonly DraftRow[], turnType: string): string[] {
  return sorted(
    rows
      .filter(({ turn_type }) => turn_type === turnType)
      .map(({ text }) => text.replace(/ <tool_use>.*$/, '')),
  );
}

function count(rows: readonly DraftRow[], answer: string): number {
  return texts(rows, 'assistant').filter((text) => text === answer).length;
}

function sorted(list: readonly string[]): string[] {
  return list.toSorted();
}
