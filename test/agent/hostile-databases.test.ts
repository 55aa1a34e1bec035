import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SessionWriter } from '../chaos/writer.ts';
import { AgentUnderTest } from '../support/agent-process.ts';
import { until } from '../support/until.ts';
import { type Answer, HOSTILE, LINKED } from './hostile-databases.ts';

const DATABASE = '.local/share/amazon-q/data.sqlite3';

/** Whoever owns a home can put anything in the place of a database; the other stores of the home must not notice. */
describe('agent: hostile databases', function () {
  this.timeout(240_000);

  it('are refused or bounded, with a word about each, while another store goes on', async () => {
    const agent = await AgentUnderTest.create({
      capture: {
        settle_ms: 500,
        sweep_seconds: 1,
        full_sweep_seconds: 10,
        max_document_bytes: 16 * 1024 * 1024,
      },
    });
    const path = join(agent.home, DATABASE);
    const building = join(agent.home, 'building');
    mkdirSync(dirname(path), { recursive: true });
    const writer = new SessionWriter(agent.home);
    writer.begin();
    await agent.start();

    for (const { what, answer, make } of HOSTILE) {
      mkdirSync(building);
      const prompt = `a prompt beside ${what}`;
      make(join(building, 'data.sqlite3'), prompt);
      for (const name of readdirSync(building).sort().reverse())
        renameSync(join(building, name), join(dirname(path), name));
      const before = facts(path);

      await agent.control.sweep();
      writer.turn();
      const last = writer.truth.at(-1) ?? '';
      await until(`the other store beside ${what}`, async () => (await texts(agent)).includes(last));
      await until(`a word about ${what}`, () => isAnswered(agent, { answer, prompt }));

      assert.deepEqual(facts(path), before, what);
      rmSync(building, { recursive: true });
      for (const name of readdirSync(dirname(path))) rmSync(join(dirname(path), name), { recursive: true });
      await agent.control.sweep();
      await until('the database to be gone', async () => !(await isListed(agent)));
    }

    const health = await agent.health();
    assert.deepEqual(
      health?.homes.map(({ restarts, quarantined }) => [restarts, quarantined]),
      [[0, []]],
    );
    const all = await texts(agent);
    assert.ok(!all.includes(LINKED));
    for (const text of writer.truth) assert.equal(all.filter((one) => one === text).length, 1, text);
  });
});

async function isAnswered(
  agent: AgentUnderTest,
  { answer, prompt }: { readonly answer: Answer; readonly prompt: string },
): Promise<boolean> {
  if (answer instanceof RegExp) return (await complaints(agent)).some((text) => answer.test(text));
  if (answer === 'health') return await isListed(agent);
  return answer === 'nothing' || (await texts(agent)).includes(prompt);
}

async function isListed(agent: AgentUnderTest): Promise<boolean> {
  return JSON.stringify((await agent.health())?.homes).includes(DATABASE);
}

async function complaints(agent: AgentUnderTest): Promise<string[]> {
  return (await agent.rows()).filter(({ event }) => event === 'parser.error').map(({ text }) => text);
}

async function texts(agent: AgentUnderTest): Promise<string[]> {
  return (await agent.rows()).map(({ text }) => text);
}

/** What the file is: nobody but its owner changes anything of it, nor leaves anything beside it. */
function facts(path: string) {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  const { ino, size, mtimeNs, mode, nlink } = stat ?? {};
  return { ino, size, mtimeNs, mode, nlink, beside: readdirSync(dirname(path)).sort() };
}
