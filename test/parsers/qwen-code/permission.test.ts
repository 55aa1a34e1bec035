import assert from 'node:assert/strict';
import { partsOfRule } from '../../../parsers/qwen-code/permission.ts';
import { eventRow, eventRows, type Json, parse, result } from './support.ts';

const DENIED = { status: 'error', errorType: 'execution_denied', executionStatus: 'not_started' };
const DECLINED = 'Qwen Code requires permission to use "run_shell_command", but that permission was declined';

function decision(error: string, end: Json = DENIED, tool = 'run_shell_command') {
  return eventRow(parse([result(1, { error }, end, tool)]).rows, 'permission.decision');
}

describe('parsers/qwen-code/permission', () => {
  it('names the rule that denied a call, its tool and its pattern', () => {
    const row = decision(
      'This "run_shell_command" invocation was denied by permission rules. Matching deny rule: "Bash(git push *)". Other uses of this tool are still permitted.',
    );

    assert.equal(row.text, 'permission decision: denied by rule Bash(git push *)');
    assert.deepEqual(row.attributes, {
      agent_version: '0.24.4',
      status: 'error',
      decision: 'deny_rule',
      rule: 'Bash(git push *)',
      rule_tool: 'Bash',
      pattern: 'git push *',
    });
    assert.equal(row.tool_use_id, 'call_qwen_1');
  });

  it('reads a rule that holds quotes and brackets', () => {
    const row = decision(
      'This "run_shell_command" invocation was denied by permission rules. Matching deny rule: "Bash(echo "a". (b) *)".',
    );

    assert.equal(row.attributes?.['rule'], 'Bash(echo "a". (b) *)');
    assert.equal(row.attributes['pattern'], 'echo "a". (b) *');
  });

  it('takes a rule for the whole tool for a rule, unless it is the tool itself', () => {
    assert.equal(decision(`${DECLINED}. Matching deny rule: "Bash".`).attributes?.['decision'], 'deny_rule');
    assert.equal(
      decision(`${DECLINED}. Matching deny rule: "run_shell_command".`).attributes?.['decision'],
      'not_approved',
    );
  });

  for (const error of [
    `${DECLINED}.`,
    `${DECLINED} (non-interactive mode cannot prompt for confirmation).`,
    'Tool "edit" requires permission, but background agents cannot prompt for confirmation. The tool call was denied.',
  ]) {
    it(`does not take "…${error.slice(-50)}" for a rule`, () => {
      const row = decision(error);

      assert.equal(row.text, 'permission decision: not approved');
      assert.equal(row.attributes?.['decision'], 'not_approved');
    });
  }

  for (const [error, expected] of [
    ['Tool blocked by plan mode: "edit" is not a read-only tool.', 'plan_mode'],
    ['Blocked by auto mode policy: deletes the disk', 'auto_mode'],
    ['No, says the hook', 'blocked'],
    ['[tool_call bridge refused] This "x" invocation was denied by permission rules.', 'deny_rule'],
  ] as const) {
    it(`tells ${expected} from "${error.slice(0, 40)}"`, () => {
      assert.equal(decision(error).attributes?.['decision'], expected);
    });
  }

  it('tells a refusal from an interruption', () => {
    const refused = { status: 'cancelled', executionStatus: 'not_started' };
    const texts = [
      decision('[Operation Cancelled] Reason: User did not allow tool call', refused),
      decision('Tool "run_shell_command" was canceled by the user.', refused),
      decision('[Operation Cancelled] Reason: User intentionally cancelled.', {
        status: 'cancelled',
        executionStatus: 'cancelled',
      }),
    ].map(({ text, attributes }) => [text, attributes?.['decision']]);

    assert.deepEqual(texts, [
      ['permission decision: cancelled', 'user_denied'],
      ['permission decision: cancelled', 'user_denied'],
      ['permission decision: cancelled', 'cancelled'],
    ]);
  });

  it('knows a denial in a transcript that records no error type', () => {
    const row = decision(
      'This "edit" invocation was denied by permission rules. Matching deny rule: "Edit".',
      {},
      'edit',
    );

    assert.equal(row.attributes?.['rule'], 'Edit');
  });

  it('takes the words in an output for no decision', () => {
    const words = 'This "x" invocation was denied by permission rules. Matching deny rule: "Bash".';
    const lines = [
      result(1, { output: words }, { status: 'success' }),
      result(2, { error: `Command: cat log\n${words}` }, {}),
      result(3, { error: words }, { status: 'error', errorType: 'shell_execute_error' }),
      result(
        4,
        { error: 'Tool "open" not found in registry.' },
        { status: 'error', errorType: 'tool_not_registered' },
      ),
    ];

    assert.deepEqual(eventRows(parse(lines).rows, 'permission.decision'), []);
  });

  it('takes a rule apart', () => {
    assert.deepEqual(partsOfRule('Bash(git *)'), { tool: 'Bash', pattern: 'git *' });
    assert.deepEqual(partsOfRule(' Edit '), { tool: 'Edit', pattern: undefined });
    assert.deepEqual(partsOfRule('Bash(open'), { tool: 'Bash(open', pattern: undefined });
  });
});
