import assert from 'node:assert/strict';
import { answer, call, eventRows, parse, prompt, result, results, said } from '../support.ts';

const DENIED = 'Tool use was rejected because the arguments supplied are forbidden:';

describe('parsers/kiro-cli/v2/results', () => {
  it('gives one event for a call that a rule denied, with the calls beside it', () => {
    const rows = parse([answer('a1', call('t1'), call('t2')), results(result('t1', DENIED, 'error'))]);
    const [decision, ...more] = eventRows(rows, 'permission.decision');

    assert.deepEqual(more, []);
    assert.equal(decision?.text, 'permission decision: denied by=deny-rule tool=shell');
    assert.equal(decision?.tool_use_id, 't1');
    assert.deepEqual(decision?.attributes, { decision: 'deny_rule', by: 'deny-rule', candidates: 't1,t2' });
  });

  it('does not take a result that quotes the sentence for a denial', () => {
    const rows = parse([answer('a1', call('t1')), results(result('t1', DENIED))]);

    assert.deepEqual(eventRows(rows, 'permission.decision'), []);
  });

  it('tells the refused call of a pair from the one that did not run', () => {
    const rows = parse([
      answer('a1', call('t1'), call('t2'), call('t3')),
      results(
        result('t3', 'Tool use was not executed', 'error'),
        result('t1', 'Tool use was denied by the user.', 'error'),
        result('t2', 'Tool use was approved, but did not execute', 'error'),
      ),
    ]);

    assert.deepEqual(said(eventRows(rows, 'permission.decision')), [
      'permission.decision: permission decision: denied by=user',
    ]);
    assert.deepEqual(
      rows
        .filter(({ turn_type }) => turn_type === 'tool_result')
        .map(({ tool_use_id, attributes }) => [
          tool_use_id,
          attributes?.['not_executed'],
          attributes?.['approved'],
        ]),
      [
        ['t3', true, undefined],
        ['t1', undefined, undefined],
        ['t2', true, true],
      ],
    );
  });

  it('tells a hook that stopped a call, with its words', () => {
    const text = 'PreToolHook blocked the tool execution: not here\n';
    const rows = parse([answer('a1', call('t1')), results(result('t1', text, 'error'))]);
    const [decision] = eventRows(rows, 'permission.decision');

    assert.equal(decision?.text, 'permission decision: denied by=hook');
    assert.equal(decision?.attributes?.['reason'], 'not here');
  });

  it('marks what is typed after a cancelled call, which may be the refusal', () => {
    const rows = parse([
      answer('a1', call('t1')),
      results(result('t1', 'Tool use was cancelled by the user', 'error')),
      answer('a2', 'Tool uses were interrupted, waiting for the next user prompt'),
      prompt('use mkdir instead'),
      prompt('thanks', 1_790_841_700),
    ]);
    const users = rows.filter(({ turn_type }) => turn_type === 'user');

    assert.deepEqual(said(eventRows(rows, 'permission.decision')), [
      'permission.decision: permission decision: cancelled by=user',
    ]);
    assert.deepEqual(users[0]?.attributes, { typed_after: 'cancelled_call', cancelled_calls: 't1' });
    assert.deepEqual(users[1]?.attributes, {});
  });

  describe('imported from the first engine', () => {
    const cancelled = result('t1', 'Tool use was cancelled by the user', 'error');
    const second = result('t2', 'Tool use was cancelled by the user', 'error');
    const imported = (text: string) =>
      parse([answer('a1', call('t1'), call('t2')), results(cancelled, second, { kind: 'text', data: text })]);

    it('gives one event for a rule, with its patterns, and no prompt', () => {
      const rows = imported(
        'Tool use with shell was rejected (URL: x) because the arguments supplied were forbidden. Blocked patterns:\n  - rm .*, sudo .*\n  - /etc/**\n  - /etc/**',
      );

      assert.deepEqual(
        rows.filter(({ turn_type }) => turn_type === 'user'),
        [],
      );
      assert.deepEqual(
        eventRows(rows, 'permission.decision').map(({ text, attributes }) => [text, attributes]),
        [
          [
            'permission decision: denied by=deny-rule tool=shell',
            {
              decision: 'deny_rule',
              by: 'deny-rule',
              patterns: 'rm .*, sudo .*\n/etc/**',
              candidates: 't1,t2',
            },
          ],
        ],
      );
    });

    it('tells a question that nobody could answer from a rule', () => {
      const rows = imported(
        'Tool use with shell was rejected because the arguments supplied were forbidden. Blocked patterns:\n  - non-interactive mode (no user to approve)',
      );

      assert.deepEqual(said(eventRows(rows, 'permission.decision')), [
        'permission.decision: permission decision: denied by=headless tool=shell',
      ]);
    });

    for (const [text, by] of [
      ['I deny this tool request. Ask a follow up question clarifying the expected action', 'denied by=n'],
      ['The user interrupted the tool execution.', 'cancelled by=interrupt'],
      ['no, use mkdir', 'denied by=user-text'],
    ] as const) {
      it(`says ${by} for each call`, () => {
        const decisions = eventRows(imported(text), 'permission.decision');

        assert.deepEqual(
          decisions.map((row) => [row.text, row.tool_use_id]),
          [
            [`permission decision: ${by}`, 't1'],
            [`permission decision: ${by}`, 't2'],
          ],
        );
      });
    }
  });
});
