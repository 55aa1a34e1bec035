import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noMetrics } from '../../../agent/contract/metrics.ts';
import type { Sink } from '../../../agent/contract/sink.ts';
import { createShipper, type Shipper } from '../../../agent/deliver/shipper.ts';
import { systemClock } from '../../../agent/platform/clock.ts';
import { rowsOf } from '../../support/batches.ts';
import {
  type ReceivedRequest,
  type ScriptedAnswer,
  startScriptedServer,
} from '../../support/scripted-server.ts';
import { onCleanUp } from '../../support/temp.ts';
import { MemoryStore } from '../deliver/support.ts';
import { bodyText, documentsIn, eventsIn, HEC_SUCCESS, OTLP_SUCCESS, recordsIn, stored } from './dialects.ts';
import { elasticsearchSink, hecSink, otlpSink, recordingLogger } from './support.ts';

const CASES = join(import.meta.dirname, '../../../fixtures/cases');

/** The scripted answers of a case, in the order of their names. */
function answersOf(name: string): ScriptedAnswer[] {
  const dir = join(CASES, name, 'collector');
  const files = readdirSync(dir).sort();
  assert.ok(files.length > 0);
  return files.map((file) => JSON.parse(readFileSync(join(dir, file), 'utf8')) as ScriptedAnswer);
}

interface Delivered {
  readonly shipper: Shipper;
  readonly store: MemoryStore;
  readonly requests: readonly ReceivedRequest[];
  readonly log: readonly string[];
}

/** Delivers four rows, and then one more, through a real shipper with the shortest pauses its jitter gives. */
async function deliver(
  name: string,
  success: (request: ReceivedRequest) => ScriptedAnswer,
  open: (url: string, log: string[]) => Sink,
): Promise<Delivered> {
  const server = await startScriptedServer(answersOf(name), { success });
  const log: string[] = [];
  const sink = open(server.url, log);
  const store = new MemoryStore();
  const logger = recordingLogger(log);
  const deps = { sink, store, logger, clock: systemClock, metrics: noMetrics };
  const shipper = createShipper({ ...deps, random: () => 0 });
  onCleanUp(() => shipper.stop());
  store.add('live', rowsOf(4));
  shipper.start();
  assert.equal(await shipper.drain(15_000), true);
  store.add('live', rowsOf(1, 5));
  assert.equal(await shipper.drain(15_000), true);
  return { shipper, store, requests: server.requests, log };
}

describe('agent/sinks with the scripted answers of cases', () => {
  it('sends again only what Elasticsearch was too busy for, and sets aside what it refuses', async () => {
    const { shipper, store, requests } = await deliver('41-es-bulk-partial', stored, (url) =>
      elasticsearchSink({ url }),
    );

    assert.deepEqual(
      requests.map(({ body }) => documentsIn(body).map(({ holdfast }) => holdfast.text)),
      [['row 1', 'row 2', 'row 3', 'row 4'], ['row 2', 'row 3'], ['row 5']],
    );
    assert.deepEqual(store.setAside, [
      { text: 'row 4', reason: '400 mapper_parsing_exception: failed to parse field' },
    ]);
    assert.equal(shipper.status().rejectedRows, 1);
    assert.equal(store.waiting(), 0);
  });

  it('sends nothing again that an OTLP receiver rejected, and tells how many that were', async () => {
    const { store, requests, log } = await deliver(
      '42-otlp-partial-success',
      () => OTLP_SUCCESS,
      (url, lines) => otlpSink({ url }, { logger: recordingLogger(lines) }),
    );

    assert.deepEqual(
      requests.map(({ body }) => recordsIn(body).map(bodyText)),
      [['row 1', 'row 2', 'row 3', 'row 4'], ['row 5']],
    );
    assert.match(log[0] ?? '', /refused rows of a batch.*"rows":1,"of":4.*one record too large/);
    assert.match(log[1] ?? '', /took everything and adds.*please upgrade/);
    assert.deepEqual([store.waiting(), store.setAside], [0, []]);
  });

  it('waits for a busy event collector and past the page of a gateway', async () => {
    const { shipper, store, requests } = await deliver(
      '43-hec-busy-and-gateway-errors',
      () => HEC_SUCCESS,
      (url) => hecSink({ url }),
    );

    const all = ['row 1', 'row 2', 'row 3', 'row 4'];
    assert.deepEqual(
      requests.map(({ body }) => eventsIn(body).map(({ event }) => event.text)),
      [all, all, all, ['row 5']],
    );
    assert.deepEqual([store.waiting(), store.setAside, shipper.status().rejectedRows], [0, [], 0]);
  });
});
