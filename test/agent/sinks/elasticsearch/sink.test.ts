import assert from 'node:assert/strict';
import type { SendResult } from '../../../../agent/contract/sink.ts';
import { batchOf, rowsOf } from '../../../support/batches.ts';
import {
  type Behaviour,
  type ScriptedAnswer,
  startScriptedServer,
} from '../../../support/scripted-server.ts';
import { sinkContract } from '../../../support/sink-contract.ts';
import { documentsIn, json, linesIn, stored } from '../dialects.ts';
import { elasticsearchSink, NEVER, reasonOf, recordingLogger, TOKEN } from '../support.ts';

const VERSION = { name: 'node-1', version: { number: '9.2.1' }, tagline: 'You Know, for Search' };

/** Sends one batch of four rows to a cluster that answers once as told. */
async function answered(step: ScriptedAnswer | Behaviour): Promise<SendResult> {
  const server = await startScriptedServer([step]);
  return await elasticsearchSink({ url: server.url }).send(batchOf(rowsOf(4)), NEVER);
}

/** One item for each of four rows: its status, the type of its error, its reason. */
function items(...list: readonly (readonly [status: number, type?: string, reason?: string])[]) {
  const { rowIds } = batchOf(rowsOf(list.length));
  return json(200, {
    took: 3,
    errors: true,
    items: list.map(([status, type, reason], at) => ({
      create: { _index: 'x', _id: rowIds[at], status, ...(type && { error: { type, reason } }) },
    })),
  });
}

const OK = [201] as const;
const BUSY = [429, 'es_rejected_execution_exception', 'queue full'] as const;
const POISON = [400, 'document_parsing_exception', 'failed to parse field [holdfast.seq]'] as const;
const DENIED = [403, 'security_exception', 'action [indices:data/write/bulk[s]] is unauthorized'] as const;

for (const compression of ['gzip', 'none'] as const) {
  sinkContract(`elasticsearch with ${compression}`, async () => {
    let broken = false;
    const received: string[] = [];
    const server = await startScriptedServer([], {
      success(request) {
        if (broken) return { status: 503, body: 'no master' };
        if (request.method === 'GET') return json(200, VERSION);
        received.push(...documentsIn(request.body).map(({ holdfast }) => holdfast.text));
        return stored(request);
      },
    });
    return {
      sink: elasticsearchSink({ url: server.url, compression }),
      received: () => received,
      break() {
        broken = true;
      },
      mend() {
        broken = false;
      },
    };
  });
}

describe('agent/sinks/elasticsearch/sink', () => {
  describe('request', () => {
    it('posts an action and a document for every row', async () => {
      const server = await startScriptedServer([], { success: stored });
      const batch = batchOf(rowsOf(3));

      const result = await elasticsearchSink({ url: `${server.url}/es/?pipeline=p` }).send(batch, NEVER);

      const [request] = server.requests;
      const lines = linesIn(request!.body);
      assert.deepEqual(result, { kind: 'accepted' });
      assert.equal(request?.method, 'POST');
      assert.match(request?.path ?? '', /^\/es\/_bulk\?pipeline=p&filter_path=errors%2Citems/);
      assert.equal(request?.headers['content-type'], 'application/x-ndjson');
      assert.equal(request?.headers['content-encoding'], 'gzip');
      assert.equal(request?.headers.authorization, `ApiKey ${TOKEN}`);
      assert.equal(lines.length, 6);
      assert.deepEqual(
        [lines[0], lines[2], lines[4]],
        batch.rowIds.map((id) => ({ create: { _index: 'holdfast-rows', _id: id } })),
      );
    });

    it('ends the last line', async () => {
      const server = await startScriptedServer([], { success: stored });

      await elasticsearchSink({ url: server.url, compression: 'none' }).send(batchOf(rowsOf(1)), NEVER);

      assert.equal(server.requests[0]?.raw.at(-1), 0x0a);
    });

    it('writes into the configured index', async () => {
      const server = await startScriptedServer([], { success: stored });

      await elasticsearchSink({ url: `${server.url}/_bulk`, index: 'logs-holdfast.rows-prod' }).send(
        batchOf(rowsOf(1)),
        NEVER,
      );

      const [action] = linesIn(server.requests[0]!.body) as [{ create: { _index: string } }];
      assert.equal(action.create._index, 'logs-holdfast.rows-prod');
      assert.match(server.requests[0]?.path ?? '', /^\/_bulk\?/);
    });

    it('shows a bearer token or a user and a password when that is configured', async () => {
      const server = await startScriptedServer([], { success: stored });
      const send = (auth: 'bearer' | 'basic', secret: string | undefined) =>
        elasticsearchSink({ url: server.url, auth }, { secret: () => secret }).send(
          batchOf(rowsOf(1)),
          NEVER,
        );

      await send('bearer', 'abc');
      await send('basic', 'holdfast:pass:word');
      const wrong = await send('basic', 'no-colon');
      await elasticsearchSink({ url: server.url, tokenEnv: null }).send(batchOf(rowsOf(1)), NEVER);

      assert.deepEqual(
        server.requests.map(({ headers }) => headers.authorization),
        ['Bearer abc', `Basic ${Buffer.from('holdfast:pass:word').toString('base64')}`, undefined],
      );
      assert.deepEqual(wrong, {
        kind: 'unauthorized',
        reason: 'the token is not user:password, as basic wants it',
      });
    });

    it('sends the same bytes again on a retry, and plain ones after 415', async () => {
      const server = await startScriptedServer([{ status: 503 }, { status: 415 }], { success: stored });
      const sink = elasticsearchSink({ url: server.url });
      const batch = batchOf(rowsOf(50));

      const kinds = [];
      for (let round = 0; round < 3; round++) kinds.push((await sink.send(batch, NEVER)).kind);

      const [first, second, third] = server.requests;
      assert.deepEqual(kinds, ['retry', 'retry', 'accepted']);
      assert.ok(second?.raw.equals(first!.raw));
      assert.equal(third?.headers['content-encoding'], undefined);
      assert.ok(third?.body.equals(first!.body));
    });
  });

  describe('items', () => {
    it('counts rows that are there already as delivered', async () => {
      const conflict = [409, 'version_conflict_engine_exception', 'document already exists'] as const;

      assert.deepEqual(await answered(items(OK, conflict, [200], conflict)), { kind: 'accepted' });
    });

    it('tells rejected rows from those to send again, in the order of the rows', async () => {
      const result = await answered(
        items(OK, BUSY, [503, 'unavailable_shards_exception', 'not active'], POISON),
      );

      assert.deepEqual(result, {
        kind: 'partial',
        rejected: [
          { index: 3, reason: '400 document_parsing_exception: failed to parse field [holdfast.seq]' },
        ],
        retry: [1, 2],
      });
    });

    it('looks at the items whatever the flag beside them says', async () => {
      const { body, ...answer } = items(OK, OK, POISON, OK);

      const result = await answered({ ...answer, body: { ...(body as object), errors: false } });

      assert.deepEqual(result.kind === 'partial' && result.rejected.map(({ index }) => index), [2]);
    });

    it('asks for a retry with the reason when every row is to be sent again', async () => {
      const result = await answered(items(BUSY, BUSY, BUSY, BUSY));

      assert.deepEqual(result, {
        kind: 'retry',
        reason: 'every row: 429 es_rejected_execution_exception: queue full',
      });
    });

    it('leaves it to delivery to find out whether it is the rows when every one is rejected', async () => {
      const result = await answered(items(POISON, POISON, POISON, POISON));

      assert.ok(result.kind === 'refused' && result.cause === 'invalid');
      assert.match(result.reason, /failed to parse field \[holdfast\.seq\]/);
    });

    it('stops when the credential may not write', async () => {
      const all = await answered(items(DENIED, DENIED, DENIED, DENIED));
      const some = await answered(items(OK, DENIED, OK, DENIED));

      assert.match(reasonOf(all), /^every row: 403 security_exception/);
      assert.equal(all.kind, 'unauthorized');
      assert.deepEqual(some, { kind: 'partial', rejected: [], retry: [1, 3] });
    });

    for (const [status, type] of [
      [404, 'index_not_found_exception'],
      [403, 'cluster_block_exception'],
      [400, 'index_closed_exception'],
      [400, 'invalid_index_name_exception'],
      [400, 'validation_exception'],
      [400, 'resource_already_exists_exception'],
      [409, 'something_else_exception'],
      [408, 'timeout_exception'],
      [500, 'exception'],
      [301, 'moved_exception'],
    ] as const) {
      it(`sends a row again after ${status} ${type}`, async () => {
        const result = await answered(items(OK, [status, type, 'because'], OK, OK));

        assert.deepEqual(result, { kind: 'partial', rejected: [], retry: [1] });
      });
    }

    for (const type of [
      'mapper_parsing_exception',
      'strict_dynamic_mapping_exception',
      'illegal_argument_exception',
    ]) {
      it(`rejects a row after 400 ${type}`, async () => {
        const result = await answered(items(OK, OK, [400, type, 'because'], OK));

        const rejected = [{ index: 2, reason: `400 ${type}: because` }];
        assert.deepEqual(result, { kind: 'partial', rejected, retry: [] });
      });
    }

    for (const [name, reason, shown] of [
      [
        'a preview',
        "failed to parse field [a.b] of type [long] in document with id 'hf1_x'. Preview of field's value: 'it's my-secret-text'",
        'failed to parse field [a.b] of type [long] in document with id',
      ],
      [
        'a term',
        'Document contains at least one immense term in field="holdfast.text" (whose UTF8 encoding is longer). The prefix is: \'[109, 121]...\'',
        'Document contains at least one immense term in field=holdfast.text (whose UTF8 encoding is longer). The prefix is:',
      ],
      ['a number', 'For input string: "my-secret-text"', 'For input string:'],
      ['a date', 'failed to parse date field [my-secret-text and more]', 'failed to parse date field [...]'],
    ] as const) {
      it(`shows no text of a row when a reason quotes it as ${name}`, async () => {
        const result = await answered(items(OK, OK, [400, 'document_parsing_exception', reason], OK));

        assert.ok(result.kind === 'partial');
        assert.equal(result.rejected[0]?.reason, `400 document_parsing_exception: ${shown}`);
      });
    }
  });

  describe('acknowledgement', () => {
    const good = items(OK, OK, OK, OK).body as { items: { create: object }[] };
    const [first, ...others] = good.items;
    const noAcks: Readonly<Record<string, ScriptedAnswer>> = {
      'a login page': {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<title>Sign in</title>',
      },
      'an empty body': json(200, ''),
      'no content': { status: 204 },
      'a good body under another content type': {
        status: 200,
        headers: { 'content-type': 'text/plain' },
        body: good,
      },
      'an answer without items': json(200, { took: 1, errors: false }),
      'fewer items than rows': json(200, { items: others }),
      'more items than rows': json(200, { items: [first, ...good.items] }),
      'the ids in another order': json(200, { items: [...others, first] }),
      'an item of another action': json(200, { items: [{ index: first?.create }, ...others] }),
      'an item without a status': json(200, { items: [{ create: {} }, ...others] }),
      'an item that is nothing': json(200, { items: [null, ...others] }),
      'JSON that is no object': json(200, 'null'),
      'JSON that is cut': json(200, '{"items":['),
    };
    for (const [name, answer] of Object.entries(noAcks)) {
      it(`is not ${name}`, async () => {
        const result = await answered(answer);

        assert.equal(result.kind, 'retry');
        assert.match(reasonOf(result), new RegExp(`no acknowledgement.*status ${answer.status}`));
      });
    }

    it('may leave out the ids, since the order of the items counts', async () => {
      const bare = good.items.map(() => ({ create: { status: 201 } }));

      assert.deepEqual(await answered(json(200, { items: bare })), { kind: 'accepted' });
    });

    it('is read to its end for a large batch, also when nothing of it was filtered out', async () => {
      const padding = { _version: 1, result: 'created', _shards: { total: 2, note: 'n'.repeat(1700) } };
      const server = await startScriptedServer([], {
        success: ({ rowIds }) =>
          json(200, {
            items: rowIds.map((id) => ({ create: { _id: id, status: 201, ...padding } })),
          }),
      });

      const result = await elasticsearchSink({ url: server.url, timeoutMs: 60_000 }).send(
        batchOf(rowsOf(1000)),
        NEVER,
      );

      assert.deepEqual(result, { kind: 'accepted' });
    });

    it('is not an endless answer', async () => {
      const result = await answered((response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const pump = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536, 0x20)));
        };
        response.on('drain', pump);
        pump();
      });

      assert.equal(result.kind, 'retry');
    });
  });

  describe('status of the whole request', () => {
    const error = (type: string) => ({ error: { type, reason: 'because' }, status: 0 });
    for (const [status, body, kind] of [
      [400, error('illegal_argument_exception'), 'refused invalid'],
      [400, '<html>Bad Request</html>', 'retry'],
      [401, error('security_exception'), 'unauthorized'],
      [403, error('security_exception'), 'unauthorized'],
      [404, '', 'retry'],
      [406, error('media_type_header_exception'), 'retry'],
      [413, '<html>Too Large</html>', 'refused too_large'],
      [429, error('circuit_breaking_exception'), 'retry'],
      [502, '<html>Bad Gateway</html>', 'retry'],
      [503, error('cluster_block_exception'), 'retry'],
      [307, '', 'retry'],
    ] as const) {
      it(`${status} ${typeof body === 'string' ? 'of a gateway' : 'of the cluster'} means ${kind}`, async () => {
        const result = await answered(typeof body === 'string' ? { status, body } : json(status, body));

        assert.equal(result.kind === 'refused' ? `refused ${result.cause}` : result.kind, kind);
        assert.match(reasonOf(result), new RegExp(`status ${status}`));
      });
    }

    it('hands on Retry-After', async () => {
      const result = await answered(json(429, {}, { 'retry-after': '9' }));

      assert.ok(result.kind === 'retry');
      assert.equal(result.afterMs, 9000);
    });
  });

  describe('probe', () => {
    async function probed(step: ScriptedAnswer) {
      const server = await startScriptedServer([step]);
      const result = await elasticsearchSink({ url: `${server.url}/es` }).probe(NEVER);
      return { result, request: server.requests[0] };
    }

    it('asks for name and version', async () => {
      const { result, request } = await probed(json(200, VERSION));

      assert.deepEqual(result, { ok: true });
      assert.equal(`${request?.method} ${request?.path}`, 'GET /es');
      assert.equal(request?.headers.authorization, `ApiKey ${TOKEN}`);
      assert.equal(request?.headers['content-length'], undefined);
    });

    it('is content with a credential that is known and may only write', async () => {
      const { result } = await probed(
        json(403, { error: { type: 'security_exception', reason: 'action [cluster:monitor/main]' } }),
      );

      assert.deepEqual(result, { ok: true });
    });

    for (const [name, answer] of Object.entries({
      'a credential that is not known': json(401, { error: { type: 'security_exception' } }),
      'a block page': { status: 403, headers: { 'content-type': 'text/html' }, body: 'blocked' },
      'a login page': { status: 200, headers: { 'content-type': 'text/html' }, body: 'Sign in' },
      'something else that speaks JSON': json(200, { version: 3 }),
    })) {
      it(`is not content with ${name}`, async () => {
        const { result } = await probed(answer);

        assert.ok(!result.ok);
        assert.match(result.reason, new RegExp(`status ${answer.status}`));
      });
    }
  });

  it('shows the secret in no reason and no line of the log', async () => {
    const lines: string[] = [];
    const secret = 'holdfast:pa55-word';
    const encoded = Buffer.from(secret).toString('base64');
    const echo = { status: 500, body: `you sent ${encoded}, that is ${secret}` };
    const server = await startScriptedServer([echo, { ...echo, status: 200 }, { status: 415 }]);
    const sink = elasticsearchSink(
      { url: server.url, auth: 'basic' },
      { secret: () => secret, logger: recordingLogger(lines) },
    );

    const shown = [];
    for (let round = 0; round < 3; round++)
      shown.push(JSON.stringify(await sink.send(batchOf(rowsOf(1)), NEVER)));
    shown.push(JSON.stringify(await sink.probe(NEVER)), ...lines);

    assert.equal(lines.length, 1);
    assert.doesNotMatch(shown.join('\n'), new RegExp(`pa55-word|${encoded}`));
    assert.match(shown[0] ?? '', /you sent \[secret\], that is \[secret\]/);
  });
});
