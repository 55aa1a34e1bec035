import assert from 'node:assert/strict';
import { genAiContents, genAiFacts } from '../../../agent/sinks/gen-ai.ts';
import { rowOf } from '../../support/batches.ts';

describe('agent/sinks/gen-ai', () => {
  for (const [turn_type, operation] of [
    ['user', 'chat'],
    ['assistant', 'chat'],
    ['thinking', 'chat'],
    ['tool_use', 'execute_tool'],
    ['tool_result', 'execute_tool'],
    ['system', undefined],
  ] as const) {
    it(`calls the operation of a ${turn_type} row ${operation ?? 'nothing'}`, () => {
      assert.equal(genAiFacts(rowOf('x', 1, { turn_type }))['gen_ai.operation.name'], operation);
    });
  }

  for (const [agent, name, provider] of [
    ['gemini-cli', 'gemini-cli', 'gcp.gen_ai'],
    ['qwen-code', 'qwen-code', 'alibaba.qwen'],
    ['amazon-q', 'amazon-q-cli', 'aws.q_developer'],
    ['kiro-cli', 'kiro-cli', 'aws.kiro'],
    ['kiro-ide', 'kiro-ide', 'aws.kiro'],
    ['holdfast', undefined, undefined],
  ] as const) {
    it(`calls ${agent} ${name ?? 'no coding agent'}`, () => {
      const facts = genAiFacts(rowOf('x', 1, { agent }));

      assert.deepEqual([facts['gen_ai.agent.name'], facts['gen_ai.provider.name']], [name, provider]);
    });
  }

  it('tells a model that answered from one that was asked', () => {
    const of = (turn_type: 'assistant' | 'tool_result') =>
      genAiFacts(rowOf('x', 1, { turn_type, model: 'm' }));

    assert.equal(of('assistant')['gen_ai.response.model'], 'm');
    assert.equal(of('tool_result')['gen_ai.response.model'], undefined);
    assert.equal(of('tool_result')['gen_ai.request.model'], 'm');
  });

  it('takes only counts for counts of tokens', () => {
    const attributes = { tokens_input: 3, tokens_output: 'many', tokens_cached: 1, tokens_thoughts: 2 };

    const facts = genAiFacts(rowOf('x', 1, { attributes }));

    assert.deepEqual(
      Object.entries(facts).filter(([name]) => name.startsWith('gen_ai.usage')),
      [
        ['gen_ai.usage.input_tokens', 3],
        ['gen_ai.usage.cache_read.input_tokens', 1],
        ['gen_ai.usage.reasoning.output_tokens', 2],
      ],
    );
  });

  for (const [turn_type, text, contents] of [
    ['user', 'hi', { 'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }] }],
    [
      'assistant',
      'ho',
      { 'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: 'ho' }] }] },
    ],
    [
      'thinking',
      'hm',
      { 'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'reasoning', content: 'hm' }] }] },
    ],
    ['tool_use', 'Read File {"path":"a"}', { 'gen_ai.tool.call.arguments': { path: 'a' } }],
    ['tool_use', 'Read {"a\\u0000b":1}', { 'gen_ai.tool.call.arguments': 'Read {"a\\u0000b":1}' }],
    ['tool_use', 'Read File', { 'gen_ai.tool.call.arguments': 'Read File' }],
    ['tool_use', 'Read {"path":"a', { 'gen_ai.tool.call.arguments': 'Read {"path":"a' }],
    ['tool_result', 'done', { 'gen_ai.tool.call.result': 'done' }],
    ['system', 'session start', {}],
  ] as const) {
    it(`gives the content of a ${turn_type} row "${text}"`, () => {
      assert.deepEqual(genAiContents(rowOf(text, 1, { turn_type })), contents);
    });
  }

  it('gives arguments that nest without end as text', () => {
    const text = `Tool {"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

    assert.deepEqual(genAiContents(rowOf(text, 1, { turn_type: 'tool_use' })), {
      'gen_ai.tool.call.arguments': text,
    });
  });
});
