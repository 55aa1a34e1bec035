import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, renameSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { AgentUnderTest } from '../support/agent-process.ts';
import { until } from '../support/until.ts';
import { seededRandom } from './kill-rounds.ts';
import { SessionWriter } from './writer.ts';

describe('chaos: floods and short lives', function () {
  this.timeout(180_000);

  it('captures 20,000 files that were made while the capture process was stopped', async () => {
    const agent = await AgentUnderTest.create();
    const writer = new SessionWriter(agent.home);
    await agent.start();
    const [capture] = agent.capturePids();
    assert.ok(capture);

    process.kill(capture, 'SIGSTOP');
    for (let n = 0; n < 20_000; n++) writer.single();
    process.kill(capture, 'SIGCONT');
    await until('every session at the collector', () => agent.collector.stats().rows >= 40_000, 150_000);

    const texts = (await agent.rows()).filter((row) => row.turn_type === 'user').map((row) => row.text);
    assert.equal(texts.length, 20_000);
    assert.equal(new Set(texts).size, 20_000);
    assert.deepEqual(await agent.missing(), []);
  });

  it('captures files that live a tenth of a second', async () => {
    const agent = await AgentUnderTest.create();
    const writer = new SessionWriter(agent.home);
    await agent.start();

    for (let n = 0; n < 20; n++) {
      const file = writer.single();
      await pause(100);
      unlinkSync(file);
      await pause(50);
    }
    await until('every text', async () => {
      const texts = new Set((await agent.rows()).map((row) => row.text));
      return writer.truth.every((text) => texts.has(text));
    });
    await until(
      'every deletion',
      async () => (await agent.rows()).filter((row) => row.event === 'session.deleted').length >= 20,
    );

    const sessions = (await agent.rows())
      .filter((row) => row.event === 'session.deleted')
      .map((row) => row.session_id);
    assert.equal(new Set(sessions).size, 20);
    assert.equal(sessions.length, 20);
  });

  it('takes anything that happens to a session file at any moment: no crash, no double, no silence', async () => {
    const agent = await AgentUnderTest.create();
    const writer = new SessionWriter(agent.home);
    const random = seededRandom(7);
    await agent.start();
    const file = writer.begin();

    for (let n = 0; n < 120; n++) {
      writer.turn();
      await pause(random() * 60);
      mistreat(file, Math.floor(random() * 6));
      if (random() < 0.3) await pause(150);
    }
    writer.turn();
    const last = writer.truth.at(-1);
    await until('the last answer', async () => (await agent.rows()).some((row) => row.text === last));
    unlinkSync(file);
    await until('the deletion', async () =>
      (await agent.rows()).some((row) => row.event === 'session.deleted'),
    );

    const rows = await agent.rows();
    const texts = rows
      .filter((row) => row.turn_type === 'user' || row.turn_type === 'assistant')
      .map((row) => row.text);
    assert.equal(new Set(texts).size, texts.length, 'nothing twice');
    assert.deepEqual(
      texts.filter((text) => !writer.truth.includes(text)),
      [],
      'nothing that was not written',
    );
    assert.ok(rows.some((row) => row.event === 'source.changed'));
    assert.doesNotMatch(agent.log, /capture process ended|unexpected error/);
  });
});

/** What coding agents, people and full disks do to a session file. */
function mistreat(file: string, kind: number): void {
  const text = readFileSync(file, 'utf8');
  const [header = ''] = text.split('\n');
  switch (kind) {
    case 0:
      unlinkSync(file);
      writeFileSync(file, `${header}\n`);
      return;
    case 1:
      truncateSync(file, Math.floor(text.length / 2));
      appendFileSync(file, '\n');
      return;
    case 2:
      writeFileSync(`${file}.tmp-1`, `${header}\n`);
      renameSync(`${file}.tmp-1`, file);
      return;
    case 3:
      renameSync(file, `${file}.tmp-2`);
      renameSync(`${file}.tmp-2`, file);
      return;
    case 4:
      writeFileSync(file, text.replace('"kind":"main"', `"kind":"main","directories":["/d${text.length}"]`));
      return;
    default:
      return;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
