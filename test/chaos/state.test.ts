import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AgentUnderTest } from '../support/agent-process.ts';
import { until } from '../support/until.ts';
import { SessionWriter } from './writer.ts';

describe('chaos: state', function () {
  this.timeout(60_000);

  for (const [what, damage] of [
    ['removed', (dir: string) => rmSync(dir, { recursive: true })],
    ['zeroed', zeroAll],
  ] as const) {
    it(`reads everything again when its state was ${what} while it did not run, and doubles nothing`, async () => {
      const agent = await AgentUnderTest.create();
      const writer = new SessionWriter(agent.home);
      writer.begin();
      for (let n = 0; n < 5; n++) writer.turn();
      await agent.start();
      await until('the rows', () => hasAll(agent, writer));
      await agent.kill('SIGTERM');

      damage(agent.stateDir);
      writer.turn();
      await agent.start();
      await until('the new row', () => hasAll(agent, writer));

      const texts = (await agent.rows()).flatMap(({ text, turn_type }) =>
        turn_type === 'system' ? [] : text,
      );
      assert.deepEqual(texts.sort(), [...writer.truth].sort());
    });
  }
});

async function hasAll(agent: AgentUnderTest, writer: SessionWriter): Promise<boolean> {
  const texts = new Set((await agent.rows()).map(({ text }) => text));
  return writer.truth.every((text) => texts.has(text));
}

function zeroAll(dir: string): void {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const file = join(dir, entry.name);
    if (entry.isFile()) writeFileSync(file, Buffer.alloc(readFileSync(file).length));
  }
}
