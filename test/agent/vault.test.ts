import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Row } from '../../agent/contract/row.ts';
import { SessionWriter } from '../chaos/writer.ts';
import { AgentUnderTest } from '../support/agent-process.ts';
import { tempDir } from '../support/temp.ts';
import { until } from '../support/until.ts';

interface Held {
  readonly home: string;
  readonly file: string;
  readonly kind: string;
  readonly source: string;
}

async function listed(agent: AgentUnderTest): Promise<Held[]> {
  const { code, stdout } = await agent.command('vault', '--json');
  assert.equal(code, 0);
  return JSON.parse(stdout) as Held[];
}

async function textsAt(agent: AgentUnderTest): Promise<string[]> {
  return (await agent.rows()).filter(isConversation).map(({ text }) => text);
}

function isConversation({ turn_type }: Row): boolean {
  return turn_type !== 'system';
}

describe('agent/vault', function () {
  this.timeout(60_000);

  it('delivers what was written to a session that was deleted while it was killed, once', async () => {
    const agent = await AgentUnderTest.create();
    const writer = new SessionWriter(agent.home);
    const file = writer.begin();
    writer.turn();
    await agent.start();
    await until('the pin', async () => statSync(file).nlink === 2);
    await agent.kill('SIGKILL');

    writer.turn();
    rmSync(dirname(dirname(file)), { recursive: true });
    await agent.start();
    await until('the deletion', async () =>
      (await agent.rows()).some(({ event }) => event === 'session.deleted'),
    );

    const texts = await textsAt(agent);
    for (const text of writer.truth) assert.equal(texts.filter((one) => one === text).length, 1, text);
    await until('an empty vault', async () => (await listed(agent)).length === 0);
  });

  it('is listed, explained, turned off by one key, and emptied for an uninstallation', async () => {
    const agent = await AgentUnderTest.create();
    const writer = new SessionWriter(agent.home);
    const file = writer.begin();
    await agent.start();
    await until('the pin', async () => (await listed(agent)).length === 1);

    const [held] = await listed(agent);
    assert.equal(join(held?.home ?? '', held?.file ?? ''), file);
    assert.equal(held?.source, 'in place');
    assert.match((await agent.command('vault')).stdout, /1 pins\..*\n0 of them/);
    const refused = await agent.command('vault', '--release');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /is running/);

    agent.configure({ capture: { pin: false } });
    await until('no pin', async () => statSync(file).nlink === 1);
    await agent.kill('SIGKILL');
    linkSync(file, join(agent.stateDir, 'vault', encodeURIComponent(agent.home), 'a~1-2-3.link'));
    assert.equal((await agent.command('vault', '--release')).code, 0);
    assert.equal(statSync(file).nlink, 1);
    assert.equal(existsSync(join(agent.stateDir, 'vault')), false);
  });

  // Only a service runs as root.
  const itAsRoot = process.getuid?.() === 0 ? it : () => undefined;
  itAsRoot("keeps a service's pins where each home's owner, and nobody else, may enter", async () => {
    const dir = tempDir();
    const home = join(dir, 'alice');
    const writer = new SessionWriter(home);
    const file = writer.begin();
    for (const entry of readdirSync(home, { recursive: true, encoding: 'utf8' }))
      chownSync(join(home, entry), 4_001, 4_001);
    chownSync(home, 4_001, 4_001);
    chmodSync(dir, 0o755);
    const agent = await AgentUnderTest.create({ homes: [home] });
    chmodSync(dirname(agent.stateDir), 0o755);
    mkdirSync(agent.stateDir, { recursive: true, mode: 0o700 });

    await agent.start();
    await until('the pin', async () => statSync(file).nlink === 2);

    const vault = `${agent.stateDir}-vault`;
    const [name = ''] = readdirSync(vault);
    assert.equal(decodeURIComponent(name), home);
    assert.equal(statSync(vault).mode & 0o777, 0o711);
    assert.equal(statSync(join(vault, name)).uid, 4_001);
    assert.equal(statSync(join(vault, name)).mode & 0o777, 0o700);
  });
});
