import assert from 'node:assert/strict';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import type { Row } from '../../agent/contract/row.ts';
import { batchOf, rowOf, rowsOf } from '../support/batches.ts';
import { hostsOf, query, send, startCollector } from './support.ts';

describe('collector/ingest', () => {
  it('keeps rows and answers with the batch and its counts', async () => {
    const collector = await startCollector();

    const { status, headers, ack, batch } = await send(collector, rowsOf(3));

    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'application/json');
    assert.deepEqual(ack, { batch, accepted: 3, duplicates: 0, rejected: [] });
    assert.deepEqual(await query(collector), ['row 1', 'row 2', 'row 3']);
  });

  it('counts the rows of a batch that comes again as duplicates', async () => {
    const collector = await startCollector();
    await send(collector, rowsOf(3));

    const { ack, batch } = await send(collector, rowsOf(3));

    assert.deepEqual(ack, { batch, accepted: 0, duplicates: 3, rejected: [] });
    assert.deepEqual(await query(collector), ['row 1', 'row 2', 'row 3']);
    assert.deepEqual(collector.stats(), { batches: 2, rows: 3, duplicates: 3, rejected: 0, refused: 0 });
  });

  it('keeps one row per id, across batches, hosts, epochs and within one batch', async () => {
    const collector = await startCollector();
    await send(collector, rowsOf(2));

    const overlap = await send(collector, [...rowsOf(1, 2), ...rowsOf(1, 3)]);
    const other = await send(collector, rowsOf(3), { host: 'host-2', epoch: 'epoch-9' });
    const twice = await send(collector, [rowOf('same', 10), rowOf('same', 11)]);

    assert.deepEqual([overlap.ack.accepted, overlap.ack.duplicates], [1, 1]);
    assert.deepEqual([other.ack.accepted, other.ack.duplicates], [0, 3]);
    assert.deepEqual([twice.ack.accepted, twice.ack.duplicates], [1, 1]);
    assert.deepEqual(await query(collector), ['row 1', 'row 2', 'row 3', 'same']);
  });

  for (const [name, pack] of [
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
    ['identity', (body: Buffer) => body],
  ] as const) {
    it(`reads ${name}`, async () => {
      const collector = await startCollector();
      const rows = rowsOf(20);
      const body = pack(batchOf(rows).ndjson);

      const { ack } = await send(collector, rows, { body, headers: { 'content-encoding': name } });

      assert.equal(ack.accepted, 20);
    });
  }

  it('takes a batch without rows', async () => {
    const collector = await startCollector();

    const { status, ack, batch } = await send(collector, []);

    assert.equal(status, 200);
    assert.deepEqual(ack, { batch, accepted: 0, duplicates: 0, rejected: [] });
  });

  it('takes a last line without its line feed', async () => {
    const collector = await startCollector();
    const body = batchOf(rowsOf(2)).ndjson.subarray(0, -1);

    const { ack } = await send(collector, rowsOf(2), { body });

    assert.equal(ack.accepted, 2);
  });

  it('keeps the text of a row byte for byte', async () => {
    const collector = await startCollector();
    const texts = ['nul \u0000', 'line\u2028separator', '\ud83d\ude00', '\ud800 alone', '"\\', 'tab\t'];

    await send(
      collector,
      texts.map((text, index) => rowOf(text, index + 1)),
    );

    assert.deepEqual(await query(collector), texts);
  });

  it('keeps fields and coding agents that it does not know', async () => {
    const collector = await startCollector();
    const row = { ...rowOf('new', 1), agent: 'other-agent', later_field: { a: 1 } } as unknown as Row;

    const { ack } = await send(collector, [row]);

    assert.equal(ack.accepted, 1);
    assert.deepEqual(await query(collector, '?agent=other-agent'), ['new']);
  });

  describe('rejected rows', () => {
    const good = rowOf('row', 2);
    const bad: Readonly<Record<string, { line: string; reason: RegExp }>> = {
      'no JSON': { line: '{"seq":2,', reason: /not a JSON object/ },
      'an empty line': { line: '', reason: /not a JSON object/ },
      'an array': { line: '[1]', reason: /not a JSON object/ },
      'a number': { line: '7', reason: /not a JSON object/ },
      'another id form': { line: json({ row_id: 'abc' }), reason: /row_id/ },
      'no id': { line: json({ row_id: undefined }), reason: /row_id/ },
      'a negative seq': { line: json({ seq: -1 }), reason: /seq/ },
      'a seq that is text': { line: json({ seq: '2' }), reason: /seq/ },
      'a seq beyond 2^53': { line: json({ seq: 2 ** 60 }), reason: /seq/ },
      'another schema': { line: json({ schema: 2 }), reason: /schema is not 1/ },
      'an unknown turn_type': { line: json({ turn_type: 'shout' }), reason: /turn_type/ },
      'a text that is no text': { line: json({ text: null }), reason: /text/ },
      'nested attributes': { line: json({ attributes: { a: { b: 1 } } }), reason: /attributes/ },
      'labels that are no text': { line: json({ labels: { a: 1 } }), reason: /labels/ },
      'a missing field': { line: json({ observed_at: undefined }), reason: /observed_at/ },
      'a flag that is text': { line: json({ backfill: 'no' }), reason: /backfill/ },
    };
    function json(changes: object): string {
      return JSON.stringify({ ...good, ...changes });
    }

    for (const [name, { line, reason }] of Object.entries(bad)) {
      it(`are answered one by one: ${name}`, async () => {
        const collector = await startCollector();
        const rows = rowsOf(3);
        const lines = batchOf(rows).ndjson.toString().split('\n');
        lines[1] = line;

        const { status, ack } = await send(collector, rows, { body: lines.join('\n') });

        assert.equal(status, 200);
        assert.deepEqual([ack.accepted, ack.duplicates, ack.rejected.length], [2, 0, 1]);
        assert.equal(ack.rejected[0].index, 1);
        assert.match(ack.rejected[0].reason, reason);
        assert.deepEqual(await query(collector), ['row 1', 'row 3']);
      });
    }

    it('may be bytes that are no UTF-8', async () => {
      const collector = await startCollector();
      const body = Buffer.concat([batchOf(rowsOf(1)).ndjson, Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a])]);

      const { ack } = await send(collector, rowsOf(2), { body });

      assert.deepEqual([ack.accepted, ack.rejected[0].index], [1, 1]);
    });

    it('may be too long', async () => {
      const collector = await startCollector({ limits: { maxRowBytes: 2000 } });

      const { ack } = await send(collector, [rowOf('short', 1), rowOf('x'.repeat(3000), 2)]);

      assert.deepEqual([ack.accepted, ack.rejected[0].reason], [1, 'a row may have 2000 bytes']);
    });

    it('carry their id when it could be read, and count as seen in the sequence', async () => {
      const collector = await startCollector();
      const rows = [rowOf('row 1', 1), { ...rowOf('row 2', 2), schema: 9 }, rowOf('row 3', 3)];

      const { ack } = await send(collector, rows);

      assert.equal(ack.rejected[0].row_id, rows[1]?.row_id);
      const [host] = await hostsOf(collector);
      assert.deepEqual([host.missing_rows, host.last_seq], [0, 3]);
    });
  });

  describe('refused requests', () => {
    const refused: readonly (readonly [
      name: string,
      headers: Record<string, string | undefined>,
      status: number,
    ])[] = [
      ['no batch id', { 'x-holdfast-batch': undefined }, 400],
      ['another batch id form', { 'x-holdfast-batch': '../../etc' }, 400],
      ['no host', { 'x-holdfast-host': undefined }, 400],
      ['an empty epoch', { 'x-holdfast-epoch': '' }, 400],
      ['a host that is too long', { 'x-holdfast-host': 'h'.repeat(200) }, 400],
      ['no count', { 'x-holdfast-rows': undefined }, 400],
      ['a count that does not fit', { 'x-holdfast-rows': '4' }, 400],
      ['a count beyond the limit', { 'x-holdfast-rows': '10001' }, 413],
      ['another content type', { 'content-type': 'application/json' }, 415],
      ['an unknown encoding', { 'content-encoding': 'br' }, 415],
      ['a stack of encodings', { 'content-encoding': 'gzip, gzip' }, 415],
      ['a body that is no gzip', { 'content-encoding': 'gzip' }, 400],
      ['a body that is no zstd', { 'content-encoding': 'zstd' }, 400],
    ];
    for (const [name, headers, status] of refused) {
      it(`${status} for ${name}`, async () => {
        const collector = await startCollector();

        const reply = await send(collector, rowsOf(3), { headers });

        assert.equal(reply.status, status);
        assert.equal(typeof reply.ack.error, 'string');
        assert.deepEqual(await query(collector), []);
        assert.equal(collector.stats().refused, 1);
      });
    }

    it('413 for a body that is too large, with and without its length said before', async () => {
      const collector = await startCollector({ limits: { maxBodyBytes: 1000 } });
      const body = batchOf(rowsOf(10)).ndjson;

      const said = await send(collector, rowsOf(10), { body });
      const chunked = await send(collector, rowsOf(10), {
        body,
        headers: { 'transfer-encoding': 'chunked' },
      });

      assert.deepEqual([said.status, chunked.status], [413, 413]);
    });

    for (const [name, pack] of [
      ['gzip', gzipSync],
      ['zstd', zstdCompressSync],
    ] as const) {
      it(`413 for a ${name} bomb`, async () => {
        const collector = await startCollector({ limits: { maxUnpackedBytes: 1 << 20 } });
        const body = pack(Buffer.alloc(64 << 20));

        const reply = await send(collector, rowsOf(1), { body, headers: { 'content-encoding': name } });

        assert.equal(reply.status, 413);
        assert.ok(body.length < 100_000);
      });
    }

    it('503 with Retry-After while too many bodies are being received', async () => {
      const collector = await startCollector({ limits: { maxWaitingBytes: 1000 } });

      const reply = await send(collector, rowsOf(10));

      assert.equal(reply.status, 503);
      assert.equal(reply.headers['retry-after'], '1');
    });
  });
});
