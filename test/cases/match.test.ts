import assert from 'node:assert/strict';
import type { Row } from '../../agent/contract/row.ts';
import { rowOf } from '../support/batches.ts';
import type { ListedRow } from './case-form.ts';
import { type MatchOptions, matchRows } from './match.ts';

const ONCE: MatchOptions = { mode: 'once', allButLive: false, allowExtra: false };

const prompt = rowOf('hello', 1, { timestamp_utc: '2026-10-01T09:00:05.000Z' });
const answer = rowOf('hi', 2, { turn_type: 'assistant', model: 'gemini-2.5-pro' });
const notice = rowOf('session start', 3, { turn_type: 'system', event: 'session.start' });

const LISTED: readonly ListedRow[] = [
  { turn: 'user', ts: '2026-10-01T09:00:05Z', text: 'hello' },
  { turn: 'assistant', text_has: 'h', model: 'gemini-2.5-pro' },
];

describe('test/cases/match', () => {
  it('accepts the listed rows, and system rows that nobody listed', () => {
    const problems = problemsOf(LISTED, [notice, answer, prompt]);

    assert.deepEqual(problems, []);
  });

  it('reports a missing row with the closest one', () => {
    const problems = problemsOf(LISTED, [prompt]);

    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^missing row 2 /);
    assert.match(problems[0] ?? '', /close, but taken by another: user .*differs in turn/);
  });

  for (const turn of ['user', 'assistant', 'tool_use', 'tool_result'] as const) {
    it(`reports a ${turn} row that is not listed`, () => {
      const extra = rowOf('surprise', 9, { turn_type: turn });

      const problems = problemsOf(LISTED, [prompt, answer, extra]);

      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', new RegExp(`^row that is not listed: ${turn} `));
    });
  }

  for (const turn of ['thinking', 'system'] as const) {
    it(`ignores a ${turn} row that is not listed`, () => {
      const extra = rowOf('surprise', 9, { turn_type: turn });

      assert.deepEqual(problemsOf(LISTED, [prompt, answer, extra]), []);
    });
  }

  it('reports the same row under a second id', () => {
    const twin = { ...prompt, row_id: 'hf1_00000000000000000000000000000000' };

    const problems = problemsOf(LISTED, [prompt, twin, answer]);

    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^more than 1 row like 1 /);
  });

  it('reports a second copy of a listed system row', () => {
    const listed: ListedRow[] = [{ turn: 'system', text_has: 'session' }];

    const problems = problemsOf(listed, [notice, { ...notice, row_id: 'other' }]);

    assert.match(problems[0] ?? '', /^more than 1 row like 1 /);
  });

  it('wants two rows for two equal listed ones', () => {
    const listed = [LISTED[0], LISTED[0]] as ListedRow[];

    const one = problemsOf(listed, [prompt]);
    const two = problemsOf(listed, [prompt, { ...prompt, row_id: 'other' }]);

    assert.match(one[0] ?? '', /^missing row 2 /);
    assert.deepEqual(two, []);
  });

  it('gives a row to whom it must go when another could take it too', () => {
    const listed: ListedRow[] = [{ turn: 'user' }, { turn: 'user', text: 'hello' }];

    const problems = problemsOf(listed, [prompt, rowOf('else', 5)]);

    assert.deepEqual(problems, []);
  });

  describe('compares', () => {
    const full: Row = rowOf('the text', 1, {
      turn_type: 'tool_use',
      timestamp_utc: '2026-10-01T09:00:05.000Z',
      session_id: 'c0de0001-1111',
      project_path: '/home/alice/proj',
      model: 'm',
      tool_name: 'run_shell_command',
      tool_use_id: 'call-1',
      source_file: 'a.jsonl',
      source_line: 3,
    });
    const wrong: Readonly<Record<string, [right: ListedRow, wrong: ListedRow]>> = {
      turn: [{ turn: 'user|tool_use' }, { turn: 'user|assistant' }],
      ts: [{ ts: '2026-10-01T11:00:05+02:00' }, { ts: '2026-10-01T09:00:05.001Z' }],
      text: [{ text: 'the text' }, { text: 'the tex' }],
      text_has: [{ text_has: ['the', 'text'] }, { text_has: ['the', 'next'] }],
      sid: [{ sid: 'c0de0001-1111' }, { sid: 'c0de0001' }],
      sid_has: [{ sid_has: 'c0de0001' }, { sid_has: 'c0de0002' }],
      proj: [{ proj: '/home/alice/proj' }, { proj: '/home/alice' }],
      model: [{ model: 'm' }, { model: 'n' }],
      tool: [{ tool: 'run_shell_command' }, { tool: 'run' }],
      tuid: [{ tuid: 'call-1' }, { tuid: 'call-2' }],
      file: [{ file: 'a.jsonl' }, { file: 'b.jsonl' }],
      line: [{ line: 3 }, { line: 4 }],
    };

    for (const [key, [right, other]] of Object.entries(wrong)) {
      it(key, () => {
        const known = { tuid: 'call-1', ...right };
        const differing = { text: 'the text', turn: 'tool_use', ...other };

        assert.deepEqual(problemsOf([known], [full]), []);
        const [problem] = problemsOf([differing], [full]);
        assert.match(problem ?? '', new RegExp(`missing row 1 .*\n.*differs in ${key} \\(`));
      });
    }
  });

  it('never takes a row without a time for one with a time', () => {
    const problems = problemsOf(
      [{ text: 'hello', ts: '1970-01-01T00:00:00Z' }],
      [{ ...prompt, timestamp_utc: null }],
    );

    assert.match(problems[0] ?? '', /^missing row 1 /);
  });

  it('lets an optional row be missing, but not come twice', () => {
    const listed: ListedRow[] = [{ text: 'hello', opt: true }];

    assert.deepEqual(problemsOf(listed, []), []);
    assert.deepEqual(problemsOf(listed, [prompt]), []);
    assert.equal(problemsOf(listed, [prompt, { ...prompt, row_id: 'other' }]).length, 1);
  });

  it('holds a row to its upper bound', () => {
    const none: ListedRow[] = [{ turn: 'system', text_has: 'session', opt: true, max: 0 }];
    const two: ListedRow[] = [{ turn: 'user', max: 2 }];
    const prompts = [1, 2, 3].map((seq) => rowOf(`prompt ${seq}`, seq));

    assert.match(problemsOf(none, [notice])[0] ?? '', /^more than 0 rows like 1 /);
    assert.deepEqual(problemsOf(two, prompts.slice(0, 2)), []);
    assert.match(problemsOf(two, prompts)[0] ?? '', /^more than 2 rows like 1 /);
  });

  it('counts deliveries where there is an upper bound', () => {
    const { problems } = matchRows([{ text: 'hello', max: 1 }], [{ row: prompt, copies: 2 }], ONCE);

    assert.match(problems[0] ?? '', /^delivered 2 times, at most 1: 1 /);
  });

  it('allows what only the named secondary file still has, cold and marked', () => {
    const listed = LISTED;
    const file = '.toy/history';
    const left = rowOf('of long ago', 9, { recovered: true, role: 'secondary', source_file: file });
    const received = [prompt, answer, left];

    assert.deepEqual(problemsOf(listed, received, { mode: 'cold', secondary: 'history' }), []);
    assert.equal(problemsOf(listed, received, { mode: 'warm', secondary: 'history' }).length, 1);
    assert.equal(problemsOf(listed, received, { mode: 'cold', secondary: 'other' }).length, 1);
    const unmarked = [prompt, answer, { ...left, recovered: false }];
    assert.equal(problemsOf(listed, unmarked, { mode: 'cold', secondary: 'history' }).length, 1);
  });

  it('allows extra rows where the case does', () => {
    const extra = rowOf('surprise', 9);
    const received = [prompt, answer, extra];

    assert.deepEqual(problemsOf(LISTED, received, { allowExtra: true }), []);
    assert.deepEqual(problemsOf(LISTED, received, { allowExtra: [{ text: 'surprise' }] }), []);
    assert.equal(problemsOf(LISTED, received, { allowExtra: [{ text: 'other' }] }).length, 1);
  });

  describe('when cold', () => {
    it('demands nothing and still refuses what is not listed', () => {
      const extra = rowOf('surprise', 9);

      assert.deepEqual(problemsOf(LISTED, [], { mode: 'cold' }), []);
      assert.equal(problemsOf(LISTED, [extra], { mode: 'cold' }).length, 1);
    });

    it('demands everything but what only a running agent can have seen, if the case says so', () => {
      const listed: ListedRow[] = [{ text: 'hello' }, { text: 'gone', live: true }];
      const allButLive = { mode: 'cold', allButLive: true } as const;

      assert.deepEqual(problemsOf(listed, [prompt], allButLive), []);
      assert.match(problemsOf(listed, [], allButLive)[0] ?? '', /^missing row 1 /);
      assert.match(problemsOf(listed, [prompt], { mode: 'warm' })[0] ?? '', /^missing row 2 /);
    });

    it('takes a row that is listed for the cold run only there', () => {
      const listed: ListedRow[] = [{ text: 'hello', opt: true, when: 'cold' }];

      assert.deepEqual(problemsOf(listed, [prompt], { mode: 'cold' }), []);
      assert.match(problemsOf(listed, [prompt], { mode: 'warm' })[0] ?? '', /^row that is not listed/);
    });
  });
});

function problemsOf(
  listed: readonly ListedRow[],
  rows: readonly Row[],
  options: Partial<MatchOptions> = {},
): readonly string[] {
  const received = rows.map((row) => ({ row, copies: 1 }));
  return matchRows(listed, received, { ...ONCE, ...options }).problems;
}
