import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Row } from '../../../../agent/contract/row.ts';
import { bulkOf } from '../../../../agent/sinks/elasticsearch/bulk.ts';
import { batchOf, rowOf } from '../../../support/batches.ts';
import { anyBatch } from '../any-row.ts';
import { documentsIn, linesIn } from '../dialects.ts';

const OPTIONS = {
  index: 'holdfast-rows',
  version: '1.2.3',
  origin: { hostId: 'host-1', epoch: 'epoch-1' },
  genAiContent: false,
};

function documentOf(changes: Partial<Row>, options: Partial<typeof OPTIONS> = {}) {
  const row = rowOf(changes.text ?? 'hello', 7, changes);
  const [document] = documentsIn(bulkOf(batchOf([row]), { ...OPTIONS, ...options }));
  return document!;
}

describe('agent/sinks/elasticsearch/bulk', () => {
  it('gives the fields of ECS, and the row beside them', () => {
    const row = rowOf('ReadFile {"path":"src/a.ts"}', 7, {
      turn_type: 'tool_use',
      model: 'gemini-2.5-pro',
      tool_name: 'read_file',
      tool_use_id: 'call-1',
      labels: { team: 'red', 'a.b': 'x' },
      attributes: { tokens_input: 120, tokens_output: 30 },
    });

    const [document] = documentsIn(bulkOf(batchOf([row]), OPTIONS));

    const { holdfast, ...ecs } = document!;
    assert.deepEqual(holdfast, row);
    assert.deepEqual(ecs, {
      '@timestamp': '2026-10-01T09:00:01.000Z',
      ecs: { version: '9.0.0' },
      event: {
        kind: 'event',
        type: ['info'],
        action: 'tool_use',
        id: row.row_id,
        sequence: 7,
        created: '2026-10-01T09:00:02.000Z',
        module: 'holdfast',
        dataset: 'holdfast.rows',
        provider: 'gemini-cli',
      },
      agent: { type: 'holdfast', id: 'host-1', ephemeral_id: 'epoch-1', version: '1.2.3' },
      host: { id: 'host-1', name: 'alice-laptop' },
      user: { name: 'alice' },
      related: { hosts: ['alice-laptop'], user: ['alice'] },
      log: {
        file: { path: '.gemini/tmp/proj/chats/session-x.jsonl' },
        origin: { file: { line: 1 } },
      },
      gen_ai: {
        operation: { name: 'execute_tool' },
        provider: { name: 'gcp.gen_ai' },
        agent: { name: 'gemini-cli' },
        conversation: { id: 'c0de0001' },
        request: { model: 'gemini-2.5-pro' },
        response: { model: 'gemini-2.5-pro' },
        tool: { name: 'read_file', type: 'function', call: { id: 'call-1' } },
        usage: { input_tokens: 120, output_tokens: 30 },
      },
      labels: { team: 'red', a_b: 'x' },
    });
  });

  it('takes the time at which a row was seen when nothing tells more', () => {
    const document = documentOf({ timestamp_utc: null, timestamp_source: 'none' });

    assert.equal(document['@timestamp'], '2026-10-01T09:00:02.000Z');
  });

  it('leaves out what a row has not', () => {
    const document = documentOf({
      agent: 'holdfast',
      turn_type: 'system',
      event: 'holdfast.heartbeat',
      session_id: null,
      os_user: null,
      source_file: null,
      source_line: null,
    });

    assert.equal('gen_ai' in document || 'user' in document || 'log' in document, false);
    assert.equal('labels' in document, false);
    assert.deepEqual(document['related'], { hosts: ['alice-laptop'] });
  });

  for (const [name, changes, expected] of [
    ['a heartbeat', { event: 'holdfast.heartbeat' }, { kind: 'metric', type: ['info'] }],
    ['a session', { event: 'session.start' }, { kind: 'event', category: ['session'], type: ['start'] }],
    ['a rewind', { event: 'session.rewound' }, { kind: 'event', category: ['session'], type: ['info'] }],
    [
      'a standing grant',
      { role: 'standing', event: 'permission.setting', attributes: { change: 'baseline' } },
      { kind: 'state', category: ['configuration'], type: ['info'] },
    ],
    [
      'a new grant',
      { role: 'standing', event: 'permission.setting', attributes: { change: 'added' } },
      { kind: 'event', category: ['configuration'], type: ['creation'] },
    ],
    [
      'a grant that went away',
      { role: 'standing', event: 'permission.setting', attributes: { change: 'removed' } },
      { kind: 'event', category: ['configuration'], type: ['deletion'] },
    ],
    [
      'a call that a rule denied',
      { event: 'permission.decision', attributes: { decision: 'deny_rule' } },
      { kind: 'event', type: ['denied'], outcome: 'failure' },
    ],
    [
      'a call that waits for approval',
      { event: 'permission.decision', attributes: { decision: 'awaiting_approval' } },
      { kind: 'event', type: ['info'] },
    ],
    [
      'a result',
      { turn_type: 'tool_result', attributes: { status: 'error' } },
      { kind: 'event', type: ['info'], outcome: 'failure' },
    ],
    [
      'a result with a status of another program',
      { turn_type: 'tool_result', attributes: { status: 'constructor' } },
      { kind: 'event', type: ['info'] },
    ],
  ] as const) {
    it(`classes ${name} as ECS does`, () => {
      const { kind, category, type, outcome } = documentOf({ turn_type: 'system', ...changes })[
        'event'
      ] as Record<string, unknown>;

      assert.deepEqual(
        {
          kind,
          type,
          ...(category !== undefined && { category }),
          ...(outcome !== undefined && { outcome }),
        },
        expected,
      );
    });
  }

  it('repeats what was said for detections only when told to', () => {
    const user = documentOf({ text: 'do it' }, { genAiContent: true })['gen_ai'] as Record<string, unknown>;
    const call = documentOf(
      { turn_type: 'tool_use', text: 'Shell {"command":"ls"}' },
      { genAiContent: true },
    )['gen_ai'] as { tool: { call: unknown } };
    const cut = documentOf({ turn_type: 'tool_use', text: 'Shell {"comm' }, { genAiContent: true });

    assert.deepEqual(user['input'], {
      messages: [{ role: 'user', parts: [{ type: 'text', content: 'do it' }] }],
    });
    assert.deepEqual(call.tool.call, { arguments: { command: 'ls' } });
    assert.equal('tool' in (cut['gen_ai'] as object), false);
  });

  it('holds every row of a batch once, in order and whole, whatever is in it', () => {
    fc.assert(
      fc.property(anyBatch, fc.boolean(), (batch, genAiContent) => {
        const body = bulkOf(batch, { ...OPTIONS, genAiContent });

        const actions = linesIn(body).filter((_, at) => at % 2 === 0) as { create: { _id: string } }[];
        const documents = documentsIn(body);
        assert.equal(body.toString().split('\n').length, 2 * batch.rows + 1);
        assert.deepEqual(
          actions.map(({ create }) => create._id),
          batch.rowIds,
        );
        assert.deepEqual(
          documents.map(({ holdfast }) => JSON.stringify(holdfast)),
          batch.parsed.map((row) => JSON.stringify(row)),
        );
        for (const document of documents) assert.match(String(document['@timestamp']), /^\d{4}-/);
      }),
      { numRuns: 300 },
    );
  });
});
