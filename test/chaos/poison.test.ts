import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { AgentUnderTest } from '../support/agent-process.ts';
import { until } from '../support/until.ts';
import { SessionWriter } from './writer.ts';

/** Few enough values for the check of structure, and far more than 64 MiB of heap can hold. */
const BOMB = `{"id":"bomb","type":"user","content":[${'{},'.repeat(990_000)}{}]}\n`;

describe('chaos: poison', function () {
  this.timeout(90_000);

  it('sets a file aside that ends its reader by memory, says so, and reads every other file on', async () => {
    const agent = await AgentUnderTest.create({
      capture: {
        settle_ms: 500,
        sweep_seconds: 2,
        full_sweep_seconds: 10,
        memory_mb: 64,
        max_line_bytes: 32 * 1024 * 1024,
        max_document_bytes: 32 * 1024 * 1024,
      },
    });
    const writer = new SessionWriter(agent.home);
    await agent.start();
    writer.begin();
    writer.turn();
    const poisoned = writer.begin();
    appendFileSync(poisoned, BOMB);
    writer.turn(0);

    await until(
      'the file to be set aside',
      async () => (await agent.health())?.homes[0]?.quarantined.length === 1,
      60_000,
    );
    writer.turn(0);
    await until('the rows of the other file', async () => {
      const texts = new Set((await agent.rows()).map(({ text }) => text));
      return writer.truth.every((text) => texts.has(text));
    });

    const rows = await agent.rows();
    const told = rows.filter(({ event }) => event === 'source.quarantined');
    const health = await agent.health();
    assert.equal(told.length, 1);
    assert.match(String(told[0]?.attributes['file']), /c0de0002\.jsonl$/);
    assert.ok(health?.problems.some(({ code }) => code === 'file_quarantined'));
    assert.equal(health?.homes[0]?.running, true);
    assert.doesNotMatch(agent.log, /\{\},\{\}/, 'no text of the file in the log');
  });
});
