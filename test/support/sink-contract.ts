import assert from 'node:assert/strict';
import type { Sink } from '../../agent/contract/sink.ts';
import { batchOf, rowOf, rowsOf, textsOf } from './batches.ts';

/** What the suite needs of a kind of sink: an other end that can be broken and mended. */
export interface SinkHarness {
  readonly sink: Sink;
  /** Texts of the rows that arrived, in order, once per arrival. */
  received(): string[] | Promise<string[]>;
  break(): void | Promise<void>;
  mend(): void | Promise<void>;
}

/** What every sink has to do, whatever its other end is. */
export function sinkContract(name: string, open: () => Promise<SinkHarness>): void {
  const never = new AbortController().signal;

  describe(`sink contract: ${name}`, () => {
    it('accepts a batch once every row of it arrived, in order', async () => {
      const harness = await open();

      const result = await harness.sink.send(batchOf(rowsOf(50)), never);

      assert.deepEqual(result, { kind: 'accepted' });
      assert.deepEqual(await harness.received(), textsOf(batchOf(rowsOf(50)).ndjson));
      await harness.sink.close();
    });

    it('carries every text as it is', async () => {
      const harness = await open();
      const texts = [
        'line\nfeed',
        'nul \u0000',
        'U+2028 \u2028',
        '\ud83d\ude00 emoji',
        '"quotes" \\',
        'x'.repeat(300_000),
      ];

      const result = await harness.sink.send(
        batchOf(texts.map((text, index) => rowOf(text, index + 1))),
        never,
      );

      assert.equal(result.kind, 'accepted');
      assert.deepEqual(await harness.received(), texts);
      await harness.sink.close();
    });

    it('takes the same batch again', async () => {
      const harness = await open();
      const batch = batchOf(rowsOf(3));
      await harness.sink.send(batch, never);

      const again = await harness.sink.send(batch, never);

      assert.deepEqual(again, { kind: 'accepted' });
      await harness.sink.close();
    });

    it('asks for a retry while its other end is broken, and gives a short printable reason', async () => {
      const harness = await open();
      await harness.break();

      const result = await harness.sink.send(batchOf(rowsOf(3)), never);

      assert.ok(result.kind === 'retry', result.kind);
      assert.match(result.reason, /^[\p{L}\p{N}\p{P}\p{S} ]{5,600}$/u);
      await harness.sink.close();
    });

    it('delivers everything once its other end is mended', async () => {
      const harness = await open();
      await harness.break();
      await harness.sink.send(batchOf(rowsOf(3)), never);
      await harness.mend();

      const result = await harness.sink.send(batchOf(rowsOf(3)), never);

      assert.deepEqual(result, { kind: 'accepted' });
      assert.deepEqual([...new Set(await harness.received())], ['row 1', 'row 2', 'row 3']);
      await harness.sink.close();
    });

    it('asks for a retry when it is stopped before it sends, and sends nothing', async () => {
      const harness = await open();

      const result = await harness.sink.send(batchOf(rowsOf(3)), AbortSignal.abort());

      assert.equal(result.kind, 'retry');
      assert.deepEqual(await harness.received(), []);
      await harness.sink.close();
    });

    it('probes without sending rows', async () => {
      const harness = await open();

      const whole = await harness.sink.probe(never);
      await harness.break();
      const broken = await harness.sink.probe(never);

      assert.deepEqual(whole, { ok: true });
      assert.ok(!broken.ok && broken.reason.length > 0);
      assert.deepEqual(await harness.received(), []);
      await harness.sink.close();
    });
  });
}
