import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../agent/contract/logger.ts';
import type { Row } from '../../agent/contract/row.ts';
import { systemClock } from '../../agent/platform/clock.ts';
import { createCollector } from '../../collector/collector.ts';
import { SessionWriter } from '../chaos/writer.ts';
import { AgentUnderTest, MAIN } from '../support/agent-process.ts';
import { onCleanUp, tempDir } from '../support/temp.ts';
import { until } from '../support/until.ts';

describe('agent/agent', function () {
  this.timeout(60_000);

  it('hands on what is appended, shows it to those who ask, and refuses a second one beside it', async () => {
    const agent = await AgentUnderTest.create();
    const writer = new SessionWriter(agent.home);
    writer.begin();
    await agent.start();
    const tail = follow(agent);
    await until('tail to be connected', async () => (await touch(agent, writer)) && tail.lines().length > 0);

    writer.turn();
    const last = writer.truth.at(-1) ?? '';
    await until('the row in tail', () => tail.lines().some((line) => line.includes(`"${last}"`)));
    await until('the row at the collector', () => has(agent, last));
    const [sessions, shown, second] = await Promise.all([
      agent.command('sessions', '--json'),
      agent.command('show', 'c0de0001'),
      agent.command('run'),
    ]);

    const [session] = JSON.parse(sessions.stdout) as { session: string; rows: number }[];
    assert.equal(session?.session, 'c0de0001-1111-4000-8000-000000000001');
    for (const text of writer.truth) assert.ok(shown.stdout.includes(text), text);
    assert.equal(second.code, 3);
    assert.match(second.stderr, new RegExp(`another Holdfast \\(process ${agent.pid}\\)`));
    assert.equal((await agent.health())?.status, 'ok');
  });

  it('ends with 0 when it is asked to, and has sent what waited', async () => {
    const agent = await AgentUnderTest.create();
    const writer = new SessionWriter(agent.home);
    await agent.start();
    const file = writer.begin();
    for (let n = 0; n < 50; n++) writer.turn();
    await until('all rows to be committed', async () => ((await agent.health())?.totals.rows ?? 0) > 100);
    appendFileSync(file, '{"id":"cut');

    const code = await agent.kill('SIGTERM');

    const texts = await textsAt(agent);
    assert.equal(code, 0, agent.log);
    assert.deepEqual(
      writer.truth.filter((text) => !texts.has(text)),
      [],
    );
    assert.deepEqual(await agent.missing(), []);
  });

  it('applies a changed configuration whole, and refuses one that is broken or needs a restart whole', async () => {
    const agent = await AgentUnderTest.create();
    const writer = new SessionWriter(agent.home);
    writer.begin();
    await agent.start();
    const labelOf = async (text: string) =>
      (await agent.rows()).find((row) => row.text === text)?.labels['team'];
    const turn = async () => {
      writer.turn();
      const text = writer.truth.at(-1) ?? '';
      await until('the row', () => has(agent, text));
      return text;
    };
    const before = await labelOf(await turn());

    agent.configure({ labels: { team: 'red' } });
    await until('the new configuration', () => agent.log.includes('the configuration was applied'));
    const after = await labelOf(await turn());
    writeFileSync(agent.configFile, 'labels: { team: blue }\nhomes: 7\n');
    process.kill(agent.pid ?? 0, 'SIGHUP');
    await until('the refusal of the broken one', () => agent.log.includes('must be auto or a list'));
    agent.configure({ labels: { team: 'blue' }, state_dir: join(tempDir(), 'other') });
    process.kill(agent.pid ?? 0, 'SIGHUP');
    await until('the refusal of what needs a restart', () => /restart: state_dir/.test(agent.log));
    const atLast = await labelOf(await turn());

    assert.deepEqual([before, after, atLast], [undefined, 'red', 'red']);
    assert.deepEqual(await agent.missing(), []);
    assert.equal(agent.capturePids().length, 1);
  });

  it('ends in order when it is asked to in the middle of a reload', async () => {
    const agent = await AgentUnderTest.create();
    await agent.start();
    const pid = agent.pid ?? 0;
    agent.configure({ labels: { team: 'red' } });

    process.kill(pid, 'SIGHUP');
    await new Promise((resolve) => setTimeout(resolve, 20));
    const code = await agent.kill('SIGTERM');

    assert.equal(code, 0, agent.log);
    assert.doesNotMatch(agent.log, /not open|unexpected|failed/);
  });

  it('keeps rows while the collector is away, and delivers each once when it is back', async () => {
    const agent = await AgentUnderTest.create();
    const writer = new SessionWriter(agent.home);
    writer.begin();
    await agent.start();
    writer.turn();
    await until('the first rows', () => has(agent, writer.truth.at(-1) ?? ''));

    const { port } = new URL(agent.collector.url);
    await agent.collector.close();
    for (let n = 0; n < 20; n++) writer.turn();
    await until('rows to wait', async () => ((await agent.health())?.totals.backlog_rows ?? 0) >= 40);
    await until('a word about it', async () => ((await agent.health())?.problems.length ?? 0) > 0);
    const away = await agent.health();
    const again = await createCollector({
      dir: join(agent.stateDir, '../collector'),
      port: Number(port),
      tokens: ['test-token'],
      clock: systemClock,
      logger: silentLogger,
    });
    onCleanUp(() => again.close());
    await until('every row', async () => {
      const texts = await textsAt(agent);
      return writer.truth.every((text) => texts.has(text));
    });

    const texts = await textsAt(agent);
    assert.deepEqual(
      [...texts.values()].filter((count) => count > 1),
      [],
    );
    assert.deepEqual(
      away?.problems.map(({ code }) => code),
      ['sink_retrying'],
    );
    assert.deepEqual(await agent.missing(), []);
  });

  it('notices a store that appears, is moved away, and comes back, and goes on where it stood', async () => {
    const agent = await AgentUnderTest.create({
      capture: { settle_ms: 500, sweep_seconds: 1, full_sweep_seconds: 10 },
    });
    await agent.start();
    const early = (await agent.health())?.problems.map(({ code }) => code);

    const writer = new SessionWriter(agent.home);
    const file = writer.begin();
    writer.turn();
    await until('the first row', () => has(agent, writer.truth.at(-1) ?? ''));
    const store = join(agent.home, '.gemini');
    const text = readFileSync(file, 'utf8');
    rmSync(store, { recursive: true });
    await until('the deletion', async () =>
      (await agent.rows()).some((row) => row.event === 'session.deleted'),
    );
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    writer.turn();
    await until('the last row', () => has(agent, writer.truth.at(-1) ?? ''));

    const texts = await textsAt(agent);
    assert.deepEqual(early, ['no_agents_here']);
    assert.deepEqual(
      writer.truth.filter((said) => texts.get(said) !== 1),
      [],
    );
  });

  it('goes on after its capture process was stopped, and after it was killed', async () => {
    const agent = await AgentUnderTest.create();
    const writer = new SessionWriter(agent.home);
    writer.begin();
    await agent.start();
    const [first = 0] = agent.capturePids();

    process.kill(first, 'SIGSTOP');
    writer.turn();
    process.kill(first, 'SIGCONT');
    await until('the row written while it was stopped', () => has(agent, writer.truth.at(-1) ?? ''));
    process.kill(first, 'SIGKILL');
    writer.turn();
    await until('the row written while it was dead', () => has(agent, writer.truth.at(-1) ?? ''));

    const texts = await textsAt(agent);
    assert.notDeepEqual(agent.capturePids(), [first]);
    assert.deepEqual(
      writer.truth.filter((text) => texts.get(text) !== 1),
      [],
    );
    assert.deepEqual((await agent.health())?.homes[0]?.quarantined, []);
  });

  it('leaves no capture process behind when the keeper is killed', async () => {
    const agent = await AgentUnderTest.create();
    await agent.start();
    const [capture = 0] = agent.capturePids();

    await agent.kill('SIGKILL');

    assert.ok(capture > 0);
    await until('the capture process to be gone', () => !existsSync(`/proc/${capture}`));
  });

  it("reads each home in a process of its own, as that home's owner and nothing more", async () => {
    const isRoot = process.getuid?.() === 0;
    const dir = tempDir();
    const owners = isRoot ? [4_001, 4_002] : [process.getuid?.() ?? 0, process.getuid?.() ?? 0];
    const homes = ['alice', 'bob'].map((name) => join(dir, name));
    for (const [index, home] of homes.entries()) {
      const writer = new SessionWriter(home, `proj-${index}`);
      for (let n = 0; n <= index; n++) writer.begin();
      writer.turn();
      if (isRoot) chownAll(home, owners[index] ?? 0);
    }
    chmodSync(dir, 0o755);
    const agent = await AgentUnderTest.create({ homes });

    await agent.start();
    await until('the rows of both', async () => (await agent.rows()).filter(isConversation).length === 4);

    const who = agent.capturePids().map((pid) => identityOf(pid));
    assert.deepEqual(
      who.sort((a, b) => (a.uid[0] ?? 0) - (b.uid[0] ?? 0)).map(({ uid }) => uid),
      owners.map((owner) => [owner, owner, owner, owner]),
    );
    for (const { gid, groups, uid } of isRoot ? who : []) {
      assert.deepEqual(gid, uid);
      assert.ok(
        groups.every((group) => group === uid[0]),
        `${groups}`,
      );
    }
    for (const pid of agent.capturePids()) assert.equal(getPriority(pid), 10);
    const users = (await agent.rows()).filter((row) => row.turn_type === 'user').map((row) => row.os_user);
    assert.deepEqual(users.sort(), ['alice', 'bob']);
  });
});

/** `holdfast tail --json` while the test runs. */
function follow(agent: AgentUnderTest) {
  const child = spawn(process.execPath, [MAIN, '-c', agent.configFile, 'tail', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  onCleanUp(() => void child.kill('SIGKILL'));
  return { lines: () => text.split('\n').slice(0, -1) };
}

async function touch(agent: AgentUnderTest, writer: SessionWriter): Promise<boolean> {
  writer.turn();
  await until('a row', () => has(agent, writer.truth.at(-1) ?? ''));
  return true;
}

async function has(agent: AgentUnderTest, text: string): Promise<boolean> {
  return (await agent.rows()).some((row) => row.text === text);
}

async function textsAt(agent: AgentUnderTest): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const row of await agent.rows())
    if (isConversation(row)) counts.set(row.text, (counts.get(row.text) ?? 0) + 1);
  return counts;
}

function isConversation({ turn_type }: Row): boolean {
  return turn_type === 'user' || turn_type === 'assistant';
}

/** Real, effective, saved and file system ids of a process, from the kernel. */
function identityOf(pid: number): { uid: number[]; gid: number[]; groups: number[] } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const numbers = (name: string) =>
    (new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)?.[1] ?? '')
      .split(/\s+/)
      .filter(Boolean)
      .map(Number);
  return { uid: numbers('Uid'), gid: numbers('Gid'), groups: numbers('Groups') };
}

function chownAll(dir: string, uid: number): void {
  for (const name of ['', ...(readdirSync(dir, { recursive: true }) as string[])])
    chownSync(join(dir, name), uid, uid);
}
