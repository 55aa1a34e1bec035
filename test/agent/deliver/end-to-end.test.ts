import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../../agent/contract/logger.ts';
import { noMetrics } from '../../../agent/contract/metrics.ts';
import type { Sink } from '../../../agent/contract/sink.ts';
import { createShipper } from '../../../agent/deliver/shipper.ts';
import { systemClock } from '../../../agent/platform/clock.ts';
import type { HttpSinkConfig } from '../../../agent/sinks/config.ts';
import type { Collector } from '../../../collector/collector.ts';
import { hostsOf, query, startCollector, TOKENS } from '../../collector/support.ts';
import { rowOf, rowsOf, textsOf } from '../../support/batches.ts';
import { type ScriptedAnswer, startScriptedServer } from '../../support/scripted-server.ts';
import { onCleanUp, tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';
import { httpSink } from '../sinks/support.ts';
import { MemoryStore } from './support.ts';

function sinkTo(collector: Collector, changes: Partial<HttpSinkConfig> = {}): Sink {
  const tokenFile = join(tempDir(), 'token');
  writeFileSync(tokenFile, TOKENS[0] ?? '');
  return httpSink({ url: collector.url, tokenEnv: null, tokenFile, ...changes });
}

/** A running shipper on the real clock; waits between attempts are as short as its jitter allows. */
function shipping(sink: Sink, store: MemoryStore) {
  const options = { unauthorizedMs: 50 };
  const deps = { sink, store, clock: systemClock, logger: silentLogger, metrics: noMetrics, options };
  const shipper = createShipper({ ...deps, random: () => 0 });
  onCleanUp(() => shipper.stop());
  shipper.start();
  return shipper;
}

describe('agent/deliver with http sink and collector', () => {
  it('brings rows of all lanes to the collector, each once, with nothing missing', async () => {
    const collector = await startCollector();
    const store = new MemoryStore();
    store.add('backfill', rowsOf(1200, 1));
    store.add('live', rowsOf(40, 1201));
    store.add('alert', rowsOf(2, 1241));

    const drained = await shipping(sinkTo(collector, { compression: 'zstd' }), store).drain(15_000);

    assert.equal(drained, true);
    const [host] = await hostsOf(collector);
    assert.deepEqual([host.rows, host.missing_rows, host.last_seq], [1242, 0, 1242]);
    assert.equal(collector.stats().duplicates, 0);
  });

  it('sends rows again when it ended between the ack and the position, and the collector drops them', async () => {
    const collector = await startCollector();
    const store = new MemoryStore();
    store.add('live', rowsOf(30));
    // The answer arrives, but the process is gone before it could be written down.
    const crash = shipping(sinkTo(collector), {
      ...store,
      take: store.take.bind(store),
      settle() {
        throw new Error('killed');
      },
    } as unknown as MemoryStore);
    await until('the rows to arrive', () => collector.stats().rows === 30);
    await crash.stop();
    const before = store.waiting();

    const drained = await shipping(sinkTo(collector), store).drain(15_000);

    assert.equal(before, 30);
    assert.equal(drained, true);
    assert.deepEqual(collector.stats(), { batches: 2, rows: 30, duplicates: 30, rejected: 0, refused: 0 });
    assert.equal((await query(collector)).length, 30);
  });

  it('gets large batches through small limits, and sets the row aside that fits nowhere', async () => {
    const collector = await startCollector({ limits: { maxBodyBytes: 100_000 } });
    const store = new MemoryStore();
    const fill = 'y'.repeat(4000);
    store.add('live', [
      ...Array.from({ length: 200 }, (_, index) => rowOf(`${index} ${fill}`, index + 1)),
      rowOf('z'.repeat(200_000), 201),
    ]);

    const drained = await shipping(sinkTo(collector, { compression: 'none' }), store).drain(15_000);

    assert.equal(drained, true);
    assert.equal(collector.stats().rows, 200);
    assert.equal(store.setAside.length, 1);
    assert.match(store.setAside[0]?.reason ?? '', /status 413/);
  });

  it('sets the rows aside that the collector rejects, with its reason', async () => {
    const collector = await startCollector();
    const store = new MemoryStore();
    store.add('live', [rowOf('good', 1), { ...rowOf('bad', 2), schema: 9 }, rowOf('also good', 3)]);

    const drained = await shipping(sinkTo(collector), store).drain(15_000);

    assert.equal(drained, true);
    assert.deepEqual(store.setAside, [{ text: 'bad', reason: 'schema is not 1, the only one known here' }]);
    assert.deepEqual(await query(collector), ['good', 'also good']);
  });

  it('goes on by itself once the token is right', async () => {
    const collector = await startCollector();
    const store = new MemoryStore();
    const tokenFile = join(tempDir(), 'token');
    writeFileSync(tokenFile, 'stale');
    const shipper = shipping(sinkTo(collector, { tokenFile }), store);
    store.add('live', rowsOf(3));
    shipper.poke();
    await until('a refusal', () => shipper.status().state === 'unauthorized');

    writeFileSync(tokenFile, `${TOKENS[1]}\n`);
    await until('the rows to arrive', () => collector.stats().rows === 3);

    assert.equal(store.setAside.length, 0);
    await until('the state to be good', () => shipper.status().state === 'ok');
  });

  it('finds its way past a captive portal without following it or losing a row', async () => {
    const elsewhere = await startScriptedServer([]);
    const script: ScriptedAnswer[] = [
      { status: 302, headers: { location: `${elsewhere.url}/login` }, body: '' },
      {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<!doctype html><title>Sign in</title>',
      },
      { status: 200, headers: { 'content-type': 'application/json' }, body: '$success' },
    ];
    const server = await startScriptedServer(script);
    const store = new MemoryStore();
    store.add('live', rowsOf(4));

    const drained = await shipping(httpSink({ url: server.url }), store).drain(15_000);

    assert.equal(drained, true);
    assert.equal(server.requests.length, 3);
    assert.ok(server.requests.every(({ raw }) => raw.equals(server.requests[0]?.raw ?? Buffer.alloc(0))));
    assert.deepEqual(textsOf(server.requests[2]?.body ?? ''), ['row 1', 'row 2', 'row 3', 'row 4']);
    assert.equal(elsewhere.requests.length, 0);
  });

  it('delivers after a collector that was away came back on the same port', async () => {
    const dir = tempDir();
    const first = await startCollector({ dir });
    const store = new MemoryStore();
    const shipper = shipping(sinkTo(first), store);
    store.add('live', rowsOf(1));
    shipper.poke();
    await until('the first row', () => first.stats().rows === 1);
    await first.close();
    store.add('live', rowsOf(50, 2));
    shipper.poke();
    await until('a failure', () => shipper.status().state === 'retrying');

    const second = await startCollector({ dir, port: first.port });
    await until('the rest', () => second.stats().rows === 50);

    assert.equal((await hostsOf(second))[0].missing_rows, 0);
    assert.equal(store.setAside.length, 0);
  });
});
