import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentError } from '../../../agent/contract/errors.ts';
import { silentLogger } from '../../../agent/contract/logger.ts';
import { prune, startEmbedded, wantsCollector } from '../../../agent/keeper/embedded-collector.ts';
import { loadConfig } from '../../../config/load.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { onCleanUp, tempDir } from '../../support/temp.ts';

const DAY = 86_400_000;

describe('agent/keeper/embedded-collector', () => {
  it('runs when it is asked for, or when there is nowhere else to deliver to', () => {
    assert.equal(wantsCollector(configOf({})), true);
    assert.equal(wantsCollector(configOf({ HOLDFAST_COLLECTOR_ENABLED: 'false' })), false);
  });

  it('makes a token that only its owner can read, keeps it, and lets nobody in without it', async () => {
    const stateDir = tempDir();

    const first = await start(stateDir);
    const token = readFileSync(first.tokenFile, 'utf8').trim();
    const statuses = await Promise.all([undefined, '', 'wrong', token].map((given) => ask(first.url, given)));
    await first.close();
    const second = await start(stateDir);

    assert.equal(statSync(first.tokenFile).mode & 0o777, 0o600);
    assert.ok(token.length >= 32);
    assert.deepEqual(statuses, [401, 401, 401, 200]);
    assert.equal(readFileSync(second.tokenFile, 'utf8').trim(), token);
  });

  for (const [what, text] of [
    ['is empty', ''],
    ['holds only white space', ' \n'],
  ] as const) {
    it(`makes a new token when the file ${what}, instead of letting everybody in`, async () => {
      const stateDir = tempDir();
      writeFileSync(join(stateDir, 'collector-token'), text);

      const embedded = await start(stateDir);

      assert.equal(await ask(embedded.url, undefined), 401);
      assert.equal(await ask(embedded.url, readFileSync(embedded.tokenFile, 'utf8').trim()), 200);
    });
  }

  it('says so, and as no bug, when the token cannot be read', async () => {
    const stateDir = tempDir();
    mkdirSync(join(stateDir, 'collector-token'));

    await assert.rejects(() => start(stateDir), EnvironmentError);
  });

  it('forgets rows by the days that hold now, and goes on after a failure', async () => {
    const clock = new FakeClock();
    const before: number[] = [];
    let [days, failures] = [30, 1];
    const collector = {
      prune(limit: number) {
        if (failures-- > 0) throw new Error('disk full');
        before.push((clock.now() - limit) / DAY);
        return 0;
      },
    };
    prune(collector, { days: () => days, clock, logger: silentLogger });

    await clock.advance(120_000);
    days = 7;
    await clock.advance(60_000);

    assert.deepEqual(before, [30, 7]);
  });
});

function configOf(env: Record<string, string>) {
  return loadConfig({ file: null, confDir: null, env: { HOLDFAST_COLLECTOR_PORT: '0', ...env } }).config;
}

async function start(stateDir: string) {
  const embedded = await startEmbedded(configOf({}), {
    stateDir,
    clock: new FakeClock(),
    logger: silentLogger,
  });
  let closed = false;
  const close = async () => {
    if (!closed) await embedded.close();
    closed = true;
  };
  onCleanUp(close);
  return { ...embedded, close };
}

async function ask(url: string, token: string | undefined): Promise<number> {
  const response = await fetch(`${url}/v1/hosts`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  await response.text();
  return response.status;
}
