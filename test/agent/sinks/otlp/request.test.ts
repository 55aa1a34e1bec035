import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Row } from '../../../../agent/contract/row.ts';
import { logsRequestOf } from '../../../../agent/sinks/otlp/request.ts';
import { batchOf, rowOf, rowsOf } from '../../../support/batches.ts';
import { anyBatch } from '../any-row.ts';
import { bodyText, logsIn, plain, recordsIn } from '../dialects.ts';

const OPTIONS = {
  version: '1.2.3',
  origin: { hostId: 'host-1', epoch: 'epoch-1' },
  genAiContent: false,
};

function recordOf(changes: Partial<Row>, options: Partial<typeof OPTIONS> = {}) {
  const row = rowOf(changes.text ?? 'hello', 7, changes);
  const [record] = recordsIn(logsRequestOf(batchOf([row]), { ...OPTIONS, ...options }));
  return record!;
}

describe('agent/sinks/otlp/request', () => {
  it('says once for all rows who sends them', () => {
    const rows = rowsOf(3).map((row) => ({ ...row, labels: { team: 'red' } }));

    const { resourceLogs } = logsIn(logsRequestOf(batchOf(rows), OPTIONS));

    assert.equal(resourceLogs.length, 1);
    assert.deepEqual(resourceLogs[0]?.resource.attributes, [
      { key: 'service.name', value: { stringValue: 'holdfast' } },
      { key: 'service.version', value: { stringValue: '1.2.3' } },
      { key: 'service.instance.id', value: { stringValue: 'host-1' } },
      { key: 'host.id', value: { stringValue: 'host-1' } },
      { key: 'host.name', value: { stringValue: 'alice-laptop' } },
      { key: 'holdfast.epoch', value: { stringValue: 'epoch-1' } },
      { key: 'holdfast.labels.team', value: { stringValue: 'red' } },
    ]);
    assert.deepEqual(resourceLogs[0]?.scopeLogs[0]?.scope, {
      name: 'holdfast',
      version: '1.2.3',
      attributes: [{ key: 'holdfast.mapping', value: { intValue: '1' } }],
    });
  });

  it('begins another resource where labels changed, and keeps the order', () => {
    const rows = rowsOf(4).map((row, index) => ({ ...row, labels: index < 2 ? {} : { team: 'red' } }));

    const body = logsRequestOf(batchOf(rows), OPTIONS);

    assert.equal(logsIn(body).resourceLogs.length, 2);
    assert.deepEqual(recordsIn(body).map(bodyText), ['row 1', 'row 2', 'row 3', 'row 4']);
  });

  it('gives every fact of a row a name of the conventions or of its own', () => {
    const record = recordOf({
      text: 'ReadFile {"path":"src/a.ts"}',
      turn_type: 'tool_use',
      git_branch: 'main',
      model: 'gemini-2.5-pro',
      tool_name: 'read_file',
      tool_use_id: 'call-1',
      attributes: { requested_at: '2026-10-01T09:00:00.000Z', revision: true, share: 0.5, tokens_input: 120 },
      masked: { aws_key: 1 },
      text_sha256: 'ab12',
      text_bytes: 99,
    });

    const { attributes, ...fields } = record;
    assert.deepEqual(fields, {
      timeUnixNano: '1790845201000000000',
      observedTimeUnixNano: '1790845202000000000',
      severityNumber: 9,
      severityText: 'INFO',
      eventName: 'holdfast.turn.tool_use',
      body: { stringValue: 'ReadFile {"path":"src/a.ts"}' },
    });
    const uid = rowOf('ReadFile {"path":"src/a.ts"}', 7).row_id;
    assert.deepEqual(
      attributes.map(({ key, value }) => `${key} ${JSON.stringify(value)}`),
      [
        `log.record.uid {"stringValue":"${uid}"}`,
        'session.id {"stringValue":"c0de0001"}',
        'user.name {"stringValue":"alice"}',
        'log.file.path {"stringValue":".gemini/tmp/proj/chats/session-x.jsonl"}',
        'holdfast.agent {"stringValue":"gemini-cli"}',
        'holdfast.turn_type {"stringValue":"tool_use"}',
        'holdfast.project.path {"stringValue":"/home/alice/proj"}',
        'holdfast.git.branch {"stringValue":"main"}',
        'holdfast.source.line {"intValue":"1"}',
        'holdfast.evidence {"stringValue":"primary"}',
        'holdfast.role {"stringValue":"primary"}',
        'holdfast.backfill {"boolValue":false}',
        'holdfast.timestamp.source {"stringValue":"record"}',
        'holdfast.text.sha256 {"stringValue":"ab12"}',
        'holdfast.text.length {"intValue":"99"}',
        'holdfast.seq {"intValue":"7"}',
        'holdfast.schema {"intValue":"1"}',
        'gen_ai.operation.name {"stringValue":"execute_tool"}',
        'gen_ai.provider.name {"stringValue":"gcp.gen_ai"}',
        'gen_ai.agent.name {"stringValue":"gemini-cli"}',
        'gen_ai.conversation.id {"stringValue":"c0de0001"}',
        'gen_ai.request.model {"stringValue":"gemini-2.5-pro"}',
        'gen_ai.response.model {"stringValue":"gemini-2.5-pro"}',
        'gen_ai.tool.name {"stringValue":"read_file"}',
        'gen_ai.tool.type {"stringValue":"function"}',
        'gen_ai.tool.call.id {"stringValue":"call-1"}',
        'gen_ai.usage.input_tokens {"intValue":"120"}',
        'holdfast.attributes.requested_at {"stringValue":"2026-10-01T09:00:00.000Z"}',
        'holdfast.attributes.revision {"boolValue":true}',
        'holdfast.attributes.share {"doubleValue":0.5}',
        'holdfast.attributes.tokens_input {"intValue":"120"}',
        'holdfast.masked.aws_key {"intValue":"1"}',
      ],
    );
  });

  for (const [name, timestamp_utc] of [
    ['nothing tells it', null],
    ['it lies before 1970', '1960-01-01T00:00:00.000Z'],
    ['it lies behind what 64 bits of nanoseconds reach', '2555-01-01T00:00:00.000Z'],
  ] as const) {
    it(`leaves the time out when ${name}`, () => {
      const record = recordOf({ timestamp_utc });

      assert.equal('timeUnixNano' in record, false);
      assert.equal(record.observedTimeUnixNano, '1790845202000000000');
    });
  }

  it('says which rows are the only copies left', () => {
    const record = recordOf({ role: 'secondary', recovered: true });

    assert.equal(plain(record.attributes)['holdfast.evidence'], 'recovered');
  });

  for (const [event, severity] of [
    ['message.error', 17],
    ['message.warning', 13],
    ['parser.error', 13],
    ['session.start', 9],
  ] as const) {
    it(`gives ${event} severity ${severity}`, () => {
      assert.equal(recordOf({ turn_type: 'system', event }).severityNumber, severity);
    });
  }

  it('repeats what was said, in its structure, only when told to', () => {
    const row = { turn_type: 'tool_use', text: 'Edit {"path":"a","lines":[1,null,{"deep":true}]}' } as const;

    const without = recordOf(row).attributes.find(({ key }) => key === 'gen_ai.tool.call.arguments');
    const args = recordOf(row, { genAiContent: true }).attributes.find(
      ({ key }) => key === 'gen_ai.tool.call.arguments',
    );

    assert.equal(without, undefined);
    assert.deepEqual(args?.value, {
      kvlistValue: {
        values: [
          { key: 'path', value: { stringValue: 'a' } },
          {
            key: 'lines',
            value: {
              arrayValue: {
                values: [
                  { intValue: '1' },
                  {},
                  { kvlistValue: { values: [{ key: 'deep', value: { boolValue: true } }] } },
                ],
              },
            },
          },
        ],
      },
    });
  });

  it('holds every row of a batch once, in order and with its facts, whatever is in it', () => {
    fc.assert(
      fc.property(anyBatch, fc.boolean(), (batch, genAiContent) => {
        const body = logsRequestOf(batch, { ...OPTIONS, genAiContent });

        const records = recordsIn(body);
        assert.deepEqual(
          records.map(({ attributes }) => plain(attributes)['log.record.uid']),
          batch.rowIds,
        );
        for (const [index, row] of batch.parsed.entries()) checkRecord(records[index]!, row);
      }),
      { numRuns: 300 },
    );
  });

  function checkRecord(record: ReturnType<typeof recordOf>, row: Row): void {
    const facts = plain(record.attributes);
    const names = record.attributes.map(({ key }) => key);
    assert.equal(bodyText(record), row.text);
    assert.equal(facts['holdfast.seq'], String(row.seq));
    assert.equal(facts['session.id'], row.session_id ?? undefined);
    assert.equal(facts['holdfast.project.path'], row.project_path ?? undefined);
    assert.equal(new Set(names).size, names.length, 'a name stands twice');
    for (const [name, value] of Object.entries(row.attributes)) {
      assert.equal(String(facts[`holdfast.attributes.${name}`]), String(value === 0 ? 0 : value));
    }
    for (const nanos of [record.timeUnixNano, record.observedTimeUnixNano]) {
      if (nanos !== undefined) assert.ok(/^\d+$/.test(nanos) && BigInt(nanos) < 2n ** 64n, nanos);
    }
  }
});
