import assert from 'node:assert/strict';
import type { DraftRow } from '../../../../agent/contract/row.ts';
import { call, idsOf, randomId, said, state, TALK, tell, turn } from './support.ts';

const cancelled = (prompt: string | null, ...ids: readonly string[]) => ({
  CancelledToolUses: {
    prompt,
    tool_use_results: ids.map((id) => ({
      tool_use_id: id,
      content: [{ Text: 'Tool use was cancelled by the user' }],
      status: 'Error',
    })),
  },
});

const results = (id: string, piece: unknown, status = 'Success') => ({
  ToolUseResults: { tool_use_results: [{ tool_use_id: id, content: [piece], status }] },
});

const SUMMARY = [
  '## SUMMARY',
  { message_id: randomId(90), request_start_timestamp_ms: 1_790_845_260_000 + 30 * 60_000 },
];

function assertWithin(some: readonly DraftRow[], all: readonly DraftRow[]): void {
  const known = idsOf(all);
  assert.deepEqual(
    [...idsOf(some)].filter((id) => !known.has(id)),
    [],
  );
}

describe('parsers/shared/conversation/conversation', () => {
  it('tells each part of a turn with the time that it has', () => {
    const { rows } = tell(state([turn(1, 'list'), turn(2, 'go')]));

    assert.deepEqual(said(rows), [
      'model.set: model: model-1',
      'user: list',
      'assistant: answer 1',
      'user: go',
      'assistant: answer 2',
    ]);
    assert.equal(rows[1]?.timestamp_utc, '2026-10-01T09:01:00.123Z');
    assert.equal(rows[1]?.session_id, TALK);
    assert.equal(rows[1]?.project_path, '/home/alice/proj');
  });

  it('tells one event for a rule, with all calls that it may mean', () => {
    const sentence =
      'Tool use with execute_bash was rejected because the arguments supplied were forbidden. Blocked patterns:\n  - git push.*, git p.*\n  - git push.*, git p.*';
    const { rows } = tell(
      state([turn(1, 'push', { calls: [call('a'), call('b')] }), turn(2, cancelled(sentence, 'a', 'b'))]),
    );
    const decisions = rows.filter(({ event }) => event === 'permission.decision');

    assert.deepEqual(said(decisions), [
      'permission.decision: permission decision: denied by=deny-rule tool=execute_bash',
    ]);
    assert.equal(decisions[0]?.attributes?.['candidates'], 'a,b');
    assert.equal(decisions[0]?.attributes?.['patterns'], 'git push.*, git p.*');
  });

  it('tells refusals by whom they came from', () => {
    const decision = (prompt: string | null) =>
      said(
        tell(state([turn(1, 'run', { calls: [call('a')] }), turn(2, cancelled(prompt, 'a'))])).rows,
      ).filter((text) => text.startsWith('permission'));

    assert.deepEqual(decision('I deny this tool request. Ask a follow up question'), [
      'permission.decision: permission decision: denied by=n',
    ]);
    assert.deepEqual(decision('use npm'), ['permission.decision: permission decision: denied by=user-text']);
    assert.deepEqual(decision('The user interrupted the tool execution.'), [
      'permission.decision: permission decision: cancelled by=interrupt',
    ]);
    assert.deepEqual(decision(null), ['permission.decision: permission decision: cancelled']);
  });

  it('takes the sentence of a rule in a prompt for a prompt', () => {
    const text = 'Tool use with x was rejected because the arguments supplied were forbidden';

    const { rows } = tell(state([turn(1, text)]));

    assert.equal(
      rows.some(({ event }) => event === 'permission.decision'),
      false,
    );
  });

  it('says that a command failed whose stored status is success, and passes no terminal sequence on', () => {
    const { rows } = tell(
      state([
        turn(1, 'run', { calls: [call('a')] }),
        turn(2, results('a', { Json: { exit_status: '3', stdout: '\u001b[31mred', stderr: '' } })),
      ]),
    );
    const result = rows.find(({ turn_type }) => turn_type === 'tool_result');

    assert.equal(result?.attributes?.['exit_code'], 3);
    assert.equal(result?.attributes?.['failed'], true);
    assert.equal(result?.text, '\u241b[31mred');
  });

  it('names the tool that the model asked for when it is not there any more', () => {
    const { rows } = tell(state([turn(1, 'x', { calls: [call('a', 'dummy', { orig_name: 'look_up' })] })]));

    assert.equal(rows.find(({ turn_type }) => turn_type === 'tool_use')?.tool_name, 'look_up');
  });

  it('takes folded output for a copy of the result that it was', () => {
    const json = { exit_status: '0', stdout: 'x', stderr: '' };
    const whole = tell(
      state([turn(1, 'run', { calls: [call('a')] }), turn(2, results('a', { Json: json }))]),
    );
    const text = JSON.stringify({ stderr: '', stdout: 'x', exit_status: '0' });
    const folded = tell(state([turn(2, text, { user: { timestamp: null } }), turn(3, 'next')]));
    const copy = folded.rows.find(({ attributes }) => attributes?.['folded'] === true);

    assert.equal(copy?.turn_type, 'tool_result');
    assert.ok(
      whole.rows.some(({ claims = [] }) => copy?.copyOf !== undefined && claims.includes(copy.copyOf)),
    );
  });

  it('takes prompts that a fork brought along for copies, and gives everything else the same ids', () => {
    const old = tell(state([turn(1, 'one'), turn(2, 'two')]), undefined, true);
    const fork = tell(
      state([turn(1, 'one'), turn(2, 'two'), turn(40, 'three')], {
        conversation_id: randomId(99),
        latest_summary: SUMMARY,
      }),
      undefined,
      true,
    );
    const known = idsOf(old.rows);
    const news = fork.rows.filter(
      (row) => row.copyOf === undefined && !known.has([...idsOf([row])][0] ?? ''),
    );

    assert.deepEqual(said(news), [
      'session.compressed: ## SUMMARY',
      'model.set: model: model-1',
      'user: three',
      'assistant: answer 40',
    ]);
  });

  it('reads only the end of a history that grew', () => {
    const turns = Array.from({ length: 40 }, (_, index) => turn(index + 1, `prompt ${index + 1}`));
    const first = tell(state(turns.slice(0, 39)));

    const second = tell(state(turns), first.memory);

    assert.deepEqual(said(second.rows), [
      'user: prompt 39',
      'assistant: answer 39',
      'user: prompt 40',
      'assistant: answer 40',
    ]);
    assertWithin(second.rows, tell(state(turns)).rows);
  });

  it('gives a result at the end of a grown history the id that it has in a whole reading', () => {
    const turns = [
      turn(1, 'a'),
      turn(2, 'b'),
      turn(3, 'c', { calls: [call('x')] }),
      turn(4, results('x', { Text: 'out' })),
    ];
    const first = tell(state(turns.slice(0, 3)));

    const second = tell(state(turns), first.memory);

    assertWithin(second.rows, tell(state(turns)).rows);
  });

  it('loses no turn when another one stands in the place of the last', () => {
    const first = tell(state([turn(1, 'main'), turn(2, 'side'), turn(3, 'side two')]));

    const second = tell(state([turn(1, 'main'), turn(4, 'main again')]), first.memory);

    assert.ok(said(second.rows).includes('user: main again'));
    assert.ok(said(second.rows).includes('session.history_replaced: history shrunk: 3 -> 2 entries'));
  });

  it('tells another conversation in the same place, and takes nothing back', () => {
    const first = tell(state([turn(1, 'mine')]));

    const second = tell(state([turn(2, 'other')], { conversation_id: randomId(98) }), first.memory);

    assert.equal(
      said(second.rows).at(-1),
      `session.history_replaced: conversation replaced in the store: ${TALK} -> ${randomId(98)}`,
    );
  });

  it('recovers what only a checkpoint still has', () => {
    const { rows } = tell(
      state([turn(9, 'after')], {
        checkpoint_manager: {
          checkpoints: [
            { tag: '1', timestamp: null, description: 'old', history_snapshot: [turn(1, 'before')] },
          ],
        },
      }),
    );

    assert.deepEqual(
      said(rows.filter(({ recovered }) => recovered)).filter((text) => !text.startsWith('model')),
      ['user: before', 'assistant: answer 1'],
    );
    assert.ok(said(rows).includes('session.checkpoint: checkpoint snapshot: tag=1 recovered=1 entries: old'));
  });

  it('marks side talk, and what nobody typed', () => {
    const { rows } = tell(
      state([
        turn(1, 'In a few words, summarize our conversation so far.'),
        turn(2, 'aside', { tags: ['TangentMode'] }),
      ]),
    );
    const of = (text: string) => rows.find((row) => row.text === text)?.attributes ?? {};

    assert.equal(of('In a few words, summarize our conversation so far.')['synthetic_kind'], 'resume');
    assert.equal(of('aside')['tangent'], true);
  });

  it('gives one row for a value that is no conversation', () => {
    for (const text of ['', '{"conversation_id":', '[]', 'null'])
      assert.deepEqual(
        tell(text).rows.map(({ event }) => event),
        ['parser.error'],
      );
  });
});
