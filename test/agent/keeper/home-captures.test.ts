import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCommitter } from '../../../agent/capture/committer.ts';
import type { CaptureInit } from '../../../agent/capture/protocol.ts';
import { silentLogger } from '../../../agent/contract/logger.ts';
import { noMetrics } from '../../../agent/contract/metrics.ts';
import { createHomeCaptures, type HomeCaptureDeps } from '../../../agent/keeper/home-captures.ts';
import type { Home } from '../../../agent/platform/homes.ts';
import { loadConfig } from '../../../config/load.ts';
import { geminiCli } from '../../../parsers/gemini-cli/index.ts';
import { qwenCode } from '../../../parsers/qwen-code/index.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';
import { FakeProcess } from '../capture/fake-process.ts';

const ALICE: Home = { path: '/home/alice', user: 'alice', uid: 1000, gid: 1000 };
const BOB: Home = { path: '/home/bob', user: 'bob', uid: 1001, gid: 1001 };

function setUp(given: Partial<HomeCaptureDeps> = {}, env: Record<string, string> = {}) {
  const clock = new FakeClock();
  const processes: FakeProcess[] = [];
  const target = {
    commit: () => {
      throw new Error('nothing to commit');
    },
    isFull: () => false,
  };
  const captures = createHomeCaptures([ALICE], {
    config: loadConfig({ file: null, confDir: null, env: {} }).config,
    host: { id: 'h', name: 'h' },
    sources: [geminiCli, qwenCode],
    committer: createCommitter({ target, clock, logger: silentLogger, metrics: noMetrics, onCommitted() {} }),
    clock,
    logger: silentLogger,
    metrics: noMetrics,
    spawn: () => {
      const process = new FakeProcess();
      processes.push(process);
      return process;
    },
    env: (name) => env[name],
    ownHome: ALICE.path,
    platform: 'linux',
    mode: 'watch',
    vaultDir: () => null,
    anyOwner: false,
    cursors: () => [],
    records: () => [],
    isScanned: () => true,
    onFirstScan() {},
    onDone() {},
    onQuarantined() {},
    ...given,
  });
  captures.start();
  return { captures, processes, initOf: (at: number) => initOf(processes, at) };
}

async function initOf(processes: readonly FakeProcess[], at: number): Promise<CaptureInit> {
  await until('what the process is told', () => (processes[at]?.heardOf('init').length ?? 0) > 0);
  const [heard] = processes[at]?.heardOf('init') ?? [];
  assert.ok(heard);
  return heard.init;
}

function placesOf(init: CaptureInit, id: string) {
  return init.sources.find((source) => source.id === id);
}

describe('agent/keeper/home-captures', () => {
  it('begins to observe a home that appears, once, and keeps one that went away', async () => {
    const { captures, processes, initOf } = setUp();

    const first = captures.update([ALICE, BOB]);
    const second = captures.update([BOB]);

    assert.deepEqual([first, second], [[BOB], []]);
    assert.equal((await initOf(1)).home, BOB.path);
    assert.equal(processes.length, 2);
    assert.deepEqual(
      captures.states().map(({ home }) => home.user),
      ['alice', 'bob'],
    );
    await captures.stop();
  });

  it('begins nothing any more once it is stopped', async () => {
    const { captures, processes } = setUp();

    await captures.stop();
    const fresh = captures.update([ALICE, BOB]);

    assert.deepEqual(fresh, []);
    assert.equal(processes.length, 1);
  });

  it('follows the variables that put stores and files of our own home elsewhere', async () => {
    const { captures, initOf } = setUp(
      {},
      {
        GEMINI_CLI_HOME: '/srv/alt',
        GEMINI_CLI_TRUSTED_FOLDERS_PATH: '/srv/trusted.json',
        QWEN_HOME: '/srv/qwen',
        QWEN_RUNTIME_DIR: '/srv/run',
      },
    );

    captures.update([BOB]);
    const [own, other] = [await initOf(0), await initOf(1)];

    assert.deepEqual(placesOf(own, 'gemini-cli')?.extraRoots, ['/srv/alt/.gemini']);
    assert.deepEqual(placesOf(own, 'gemini-cli')?.extraFiles, [
      { spec: 'trusted-folders', path: '/srv/trusted.json' },
    ]);
    assert.deepEqual(placesOf(own, 'qwen-code')?.extraRoots, ['/srv/qwen', '/srv/run']);
    assert.deepEqual(placesOf(other, 'gemini-cli')?.extraRoots, []);
    assert.deepEqual(placesOf(other, 'gemini-cli')?.extraFiles, []);
    await captures.stop();
  });

  it('follows the configuration for every home', async () => {
    const file = join(tempDir(), 'config.yaml');
    writeFileSync(
      file,
      'sources: {gemini-cli: {roots: [work/.gemini], files: {trusted-folders: work/trusted.json}}}\n',
    );
    const { config } = loadConfig({ file, confDir: null, env: {} });
    const { captures, initOf } = setUp({ config });

    const places = placesOf(await initOf(0), 'gemini-cli');

    assert.deepEqual(places?.extraRoots, ['work/.gemini']);
    assert.deepEqual(places?.extraFiles, [{ spec: 'trusted-folders', path: 'work/trusted.json' }]);
    await captures.stop();
  });

  it('reads settings of the machine for homes that live on it, not for copies', async () => {
    const [live, copied] = [setUp(), setUp({ mode: 'once', anyOwner: true })];

    assert.deepEqual(placesOf(await live.initOf(0), 'gemini-cli')?.systemRoots, ['/etc/gemini-cli']);
    assert.deepEqual(placesOf(await copied.initOf(0), 'gemini-cli')?.systemRoots, []);
    await Promise.all([live.captures.stop(), copied.captures.stop()]);
  });
});
