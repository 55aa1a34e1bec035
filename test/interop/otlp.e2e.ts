import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { anyBatch } from '../agent/sinks/any-row.ts';
import { bodyText, plain, recordsIn } from '../agent/sinks/dialects.ts';
import { NEVER, otlpSink, reasonOf } from '../agent/sinks/support.ts';
import { batchOf, rowOf, rowsOf } from '../support/batches.ts';
import { onCleanUp } from '../support/temp.ts';
import { until } from '../support/until.ts';

const SOURCE = join(import.meta.dirname, 'otlp-receiver/main.go');
const CACHE = join(import.meta.dirname, '../../.cache/interop/otlp-receiver');
const PROGRAM = join(CACHE, 'receiver');

/** Versions of the Collector's modules: those that are stable, and those that are not yet. */
const [STABLE, BETA] = ['v1.71.0', 'v0.165.0'];
const MODULES = [
  `component/componenttest@${BETA}`,
  `confmap@${STABLE}`,
  `consumer@${STABLE}`,
  `consumer/consumererror@${BETA}`,
  `pdata@${STABLE}`,
  `receiver/otlpreceiver@${BETA}`,
  `receiver/receivertest@${BETA}`,
].map((name) => `go.opentelemetry.io/collector/${name}`);

/** Builds the receiver once, outside the project's own dependencies. Takes some minutes. */
function build(): void {
  const go = (...args: string[]) => execFileSync('go', args, { cwd: CACHE, stdio: 'inherit' });
  mkdirSync(CACHE, { recursive: true });
  copyFileSync(SOURCE, join(CACHE, 'main.go'));
  if (!existsSync(join(CACHE, 'go.mod'))) go('mod', 'init', 'receiver');
  go('get', ...MODULES);
  go('build', '-o', PROGRAM, '.');
}

interface Receiver {
  readonly url: string;
  /** What every request held, as the Collector understood it. */
  readonly requests: readonly Buffer[];
}

async function startReceiver(): Promise<Receiver> {
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn(PROGRAM, [address], { stdio: ['ignore', 'pipe', 'inherit'] });
  onCleanUp(() => end(child));
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  await until('the receiver to be ready', () => lines.length > 0);
  return {
    url: `http://${address}`,
    get requests() {
      return lines.slice(1).map((line) => Buffer.from(line));
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

describe('sink otlp and the receiver of the OpenTelemetry Collector', () => {
  before('build the receiver', build);

  for (const compression of ['gzip', 'none'] as const) {
    it(`agree on every row with ${compression}`, async () => {
      const receiver = await startReceiver();
      const sink = otlpSink({ url: receiver.url, compression });

      const probe = await sink.probe(NEVER);
      const result = await sink.send(batchOf(rowsOf(500)), NEVER);

      assert.deepEqual([probe, result], [{ ok: true }, { kind: 'accepted' }]);
      const bodies = await until('the records', () => receiver.requests.flatMap(recordsIn).map(bodyText));
      assert.deepEqual(
        bodies,
        rowsOf(500).map(({ text }) => text),
      );
    });
  }

  it('agree on types, times and names', async () => {
    const receiver = await startReceiver();
    const row = rowOf('Edit {"path":"a","deep":[1,0.5,true,null]}', 7, {
      turn_type: 'tool_use',
      attributes: { text: 'x', flag: true, whole: 9_007_199_254_740_991, part: 0.25 },
    });

    const result = await otlpSink({ url: receiver.url, genAiContent: true }).send(batchOf([row]), NEVER);

    const [record] = await until('the record', () => receiver.requests.map(recordsIn)[0]);
    const facts = plain(record!.attributes);
    assert.deepEqual(result, { kind: 'accepted' });
    assert.equal(record!.timeUnixNano, '1790845201000000000');
    assert.equal(record!.observedTimeUnixNano, '1790845202000000000');
    assert.equal(record!.severityNumber, 9);
    assert.equal(record!.eventName, 'holdfast.turn.tool_use');
    assert.equal(facts['log.record.uid'], row.row_id);
    assert.deepEqual(
      ['text', 'flag', 'whole', 'part'].map((name) => facts[`holdfast.attributes.${name}`]),
      ['x', true, '9007199254740991', 0.25],
    );
    assert.ok(JSON.stringify(facts['gen_ai.tool.call.arguments']).includes('"doubleValue":0.5'));
  });

  it('agree on rows that hold anything', async () => {
    const receiver = await startReceiver();
    const sink = otlpSink({ url: receiver.url, genAiContent: true });
    const expected: string[] = [];

    for (const batch of fc.sample(anyBatch, 200)) {
      assert.deepEqual(await sink.send(batch, NEVER), { kind: 'accepted' });
      expected.push(...batch.parsed.map(({ text }) => text));
    }

    await until('all requests', () => receiver.requests.length === 200);
    assert.deepEqual(receiver.requests.flatMap(recordsIn).map(bodyText), expected);
  });

  it('agree on what is refused and what is busy', async () => {
    const receiver = await startReceiver();
    const sink = otlpSink({ url: receiver.url });

    const refused = await sink.send(batchOf([rowOf('refuse', 1)]), NEVER);
    const busy = await sink.send(batchOf([rowOf('busy', 1)]), NEVER);

    assert.deepEqual([refused.kind, busy.kind], ['refused', 'retry']);
    assert.match(reasonOf(refused), /status 500.*the pipeline refuses this record/);
    assert.match(reasonOf(busy), /status 503.*the pipeline is busy/);
  });
});
