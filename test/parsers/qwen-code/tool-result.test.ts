import assert from 'node:assert/strict';
import { assistant, call, parse, record, result, system } from './support.ts';

function resultRow(lines: Parameters<typeof parse>[0]) {
  const [row] = parse(lines).rows.filter(({ turn_type }) => turn_type === 'tool_result');
  assert.ok(row);
  return row;
}

describe('parsers/qwen-code/tool-result', () => {
  it('gives the output of a call', () => {
    const row = resultRow([result(1, { output: 'done' }, { status: 'success', executionStatus: 'success' })]);

    assert.equal(row.text, 'done');
    assert.equal(row.tool_name, 'run_shell_command');
    assert.equal(row.tool_use_id, 'call_qwen_1');
    assert.deepEqual(row.attributes, {
      agent_version: '0.24.4',
      status: 'success',
      execution_status: 'success',
    });
  });

  it('says first that a call failed', () => {
    const row = resultRow([
      result(1, { error: 'no such file' }, { status: 'error', errorType: 'file_not_found' }),
    ]);

    assert.equal(row.text, '[error] no such file');
    assert.equal(row.attributes?.['error_type'], 'file_not_found');
  });

  it('takes an error for a failure where no status is recorded', () => {
    assert.equal(resultRow([result(1, { error: 'no' })]).text, '[error] no');
  });

  it('shows another kind of response as JSON', () => {
    assert.equal(resultRow([result(1, { rows: [1] })]).text, '{"rows":[1]}');
  });

  it('shows an image that a tool read by type and size', () => {
    const parts = [
      { functionResponse: { id: 'c', name: 'read_file', response: { output: 'a picture' } } },
      { inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } },
    ];

    const row = resultRow([record(1, 'tool_result', { message: { parts } })]);

    assert.equal(row.text, 'a picture\n[image/png, 5 bytes]');
  });

  it('says how the call was approved, from the telemetry before it', () => {
    const telemetry = (n: number, more: object) =>
      system(n, 'ui_telemetry', {
        uiEvent: { 'event.name': 'qwen-code.tool_call', call_id: 'call_qwen_1', ...more },
      });
    const helper = telemetry(2, { decision: 'auto_accept', subagent_name: 'managed-auto-memory-extractor' });

    const asked = [
      assistant(1, [call('call_qwen_1')]),
      telemetry(2, { decision: 'accept' }),
      result(3, { output: '' }),
    ];
    const other = [assistant(1, [call('call_qwen_1')]), helper, result(3, { output: '' })];

    assert.equal(resultRow(asked).attributes?.['approval'], 'accept');
    assert.equal(resultRow(other).attributes?.['approval'], undefined);
  });

  it('gives a result that has no response part', () => {
    const row = resultRow([
      record(1, 'tool_result', { toolCallResult: { callId: 'c', status: 'error', resultDisplay: 'lost' } }),
    ]);

    assert.equal(row.text, '[error] lost');
    assert.equal(row.tool_use_id, 'c');
  });
});
