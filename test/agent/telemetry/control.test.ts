import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import {
  ConfigError,
  EnvironmentError,
  exitCodeOf,
  StoreError,
  UsageError,
} from '../../../agent/contract/errors.ts';
import { silentLogger } from '../../../agent/contract/logger.ts';
import { createControlServer } from '../../../agent/telemetry/control.ts';
import { createControlClient } from '../../../agent/telemetry/control-client.ts';
import type { ControlHandlers } from '../../../agent/telemetry/control-routes.ts';
import { isNamedPipe } from '../../../agent/telemetry/control-socket.ts';
import type { HealthDocument } from '../../../agent/telemetry/health.ts';
import { createMetrics } from '../../../agent/telemetry/metrics.ts';
import { onCleanUp, tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';
import { fakeStore } from './fake-store.ts';

const HEALTH = { schema: 1, status: 'ok', problems: [] } as unknown as HealthDocument;

function handlersOf(changes: Partial<ControlHandlers> = {}): ControlHandlers {
  return {
    ...fakeStore().source,
    health: () => HEALTH,
    metrics: () => createMetrics().render(),
    sessions: () => [],
    rows: () => [],
    sweep: async () => ({ homes: 1 }),
    reload: async () => ({ changed: [] }),
    ...changes,
  };
}

async function setUp(changes: Partial<ControlHandlers> = {}, logger = silentLogger) {
  const path = join(tempDir(), 'run', 'control.sock');
  const server = createControlServer({ path, handlers: handlersOf(changes), logger });
  await server.start();
  onCleanUp(() => server.close());
  return { path, server, client: createControlClient(path) };
}

async function take(lines: AsyncIterable<string>, count: number): Promise<string[]> {
  const taken: string[] = [];
  if (count === 0) return taken;
  for await (const line of lines) {
    taken.push(line);
    if (taken.length === count) break;
  }
  return taken;
}

describe('agent/telemetry/control', () => {
  it('answers health and metrics', async () => {
    const { client } = await setUp();

    assert.deepEqual(await client.health(), HEALTH);
    assert.match(await client.metrics(), /^# HELP holdfast_rows_total /);
  });

  it('answers sessions, with how many and which', async () => {
    const queries: unknown[] = [];
    const { client } = await setUp({
      sessions: (query) => {
        queries.push(query);
        return [{ session: 'abc' }];
      },
    });

    assert.deepEqual(await client.sessions(), [{ session: 'abc' }]);
    await client.sessions({ limit: 7, prefix: 'a b&c' });
    await client.sessions({ limit: 999_999 });

    assert.deepEqual(queries, [
      { limit: 50, prefix: undefined },
      { limit: 7, prefix: 'a b&c' },
      { limit: 10_000, prefix: undefined },
    ]);
  });

  it('gives the rows of a session, whatever line ends they hold', async () => {
    const rows = [JSON.stringify({ text: 'a\u2028b\r\nc' }), `{"text":"\u2028 \r"}`, '{"text":"ü"}'];
    const { client } = await setUp({
      rows: ({ agent, session }) => (agent === 'kiro-cli' && session === 's/1' ? rows : []),
    });

    assert.deepEqual(await take(client.rows({ agent: 'kiro-cli', session: 's/1' }), 3), rows);
    assert.deepEqual(await take(client.rows({ agent: 'kiro-cli', session: 'other' }), 1), []);
  });

  it('bounds what it holds of a large session, and says how much it left out', async () => {
    const line = JSON.stringify({ text: 'x'.repeat(1024 * 1024) });
    const { client } = await setUp({ rows: () => Array.from({ length: 70 }, () => line) });

    const shown = await take(client.rows({ agent: 'a', session: 's' }), 100);

    assert.equal(shown.length, 64);
    assert.deepEqual(JSON.parse(shown.at(-1) ?? ''), { skipped: 7 });
  });

  it('streams rows as they are committed', async () => {
    const store = fakeStore();
    const { client } = await setUp(store.source);
    store.commit(1);
    const taken = take(client.tail(), 2);
    await until('the reader', () => store.listeners.size === 1);

    store.commit(1, 'live');
    store.commit(1, 'live');

    assert.deepEqual(
      (await taken).map((line) => JSON.parse(line).seq),
      [2, 3],
    );
    await until('the end of the stream', () => store.listeners.size === 0);
  });

  it('stops a stream when its reader aborts', async () => {
    const store = fakeStore();
    const { client } = await setUp(store.source);
    const abort = new AbortController();
    const taken = take(client.tail({ since: 0 }, abort.signal), 5);
    store.commit(1);
    await until('the reader', () => store.listeners.size === 1);

    abort.abort();

    assert.ok((await taken).length <= 1);
    await until('the end of the stream', () => store.listeners.size === 0);
  });

  it('holds little for a reader that does not read, and gives it everything once it does', async () => {
    const store = fakeStore();
    const { path } = await setUp(store.source);
    const socket = connect(path);
    onCleanUp(() => void socket.destroy());
    socket.pause();
    socket.write('GET /tail?since=0 HTTP/1.1\r\nhost: x\r\n\r\n');
    await until('the reader', () => store.listeners.size === 1);

    for (let i = 0; i < 200; i++) store.commit(10, 'y'.repeat(10_000));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const looks = store.looks();
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    socket.resume();
    await until('the last row', () => text.includes('{"seq":2000,'));

    assert.ok(looks < 50, `${looks} commits were read for a reader that did not read`);
    assert.equal(text.match(/\{"seq":\d+,/g)?.length, 2000);
  });

  it('sweeps and reloads on request, and only by POST', async () => {
    const calls: string[] = [];
    const { client, path } = await setUp({
      sweep: async () => calls.push('sweep'),
      reload: async () => void calls.push('reload'),
    });

    assert.equal(await client.sweep(), 1);
    assert.deepEqual(await client.reload(), {});
    assert.equal(await statusOf(path, 'GET', '/sweep'), 405);
    assert.equal(await statusOf(path, 'POST', '/health'), 405);
    assert.deepEqual(calls, ['sweep', 'reload']);
  });

  for (const [error, name] of [
    [
      new ConfigError([{ file: 'a.yaml', line: 2, column: 3, path: 'homes', message: 'no' }]),
      'a ConfigError',
    ],
    [new StoreError('STORE_FULL', 'the disk is full', { hint: 'free some' }), 'another error of ours'],
    [new UsageError('X', 'not so'), 'a UsageError'],
    [new EnvironmentError('Y', 'no port'), 'an EnvironmentError'],
  ] as const) {
    it(`hands ${name} on with its code, hint and exit code`, async () => {
      const { client } = await setUp({
        reload: async () => {
          throw error;
        },
      });

      await assert.rejects(client.reload(), (found: typeof error) => {
        assert.deepEqual([found.code, found.message, found.hint], [error.code, error.message, error.hint]);
        if (!(error instanceof StoreError)) assert.equal(exitCodeOf(found), exitCodeOf(error));
        return true;
      });
    });
  }

  it('logs a bug, tells the client no more than that, and goes on', async () => {
    const logged: unknown[] = [];
    const logger = { ...silentLogger, error: (...entry: unknown[]) => void logged.push(entry) };
    const { client } = await setUp(
      {
        sweep: async () => {
          throw new TypeError('/home/alice/private');
        },
      },
      logger,
    );

    await assert.rejects(client.sweep(), {
      code: 'INTERNAL',
      message: 'the request failed; the log says why',
    });
    assert.equal(logged.length, 1);
    assert.deepEqual(await client.health(), HEALTH);
  });

  it('refuses queries that it does not understand', async () => {
    const { path } = await setUp();

    assert.deepEqual(
      await Promise.all(
        ['/rows?agent=a', '/rows?session=s', '/tail?since=x', '/sessions?limit=-1', '/constructor', '/'].map(
          (route) => statusOf(path, 'GET', route),
        ),
      ),
      [400, 400, 400, 400, 404, 404],
    );
  });

  it('survives what is no HTTP', async () => {
    const { path, client } = await setUp();
    const socket = connect(path);
    socket.on('error', () => undefined);
    socket.end('\u0000\u0001 nonsense\r\n\r\n');
    await new Promise((resolve) => socket.resume().once('close', resolve));

    assert.deepEqual(await client.health(), HEALTH);
  });
});

describe('agent/telemetry/control-socket', () => {
  it('is open to its own user only, and gone after closing', async () => {
    const { path, server } = await setUp();

    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700);
    await server.close();
    assert.equal(existsSync(path), false);
  });

  it('ends open streams when it closes', async () => {
    const store = fakeStore();
    const { client, server } = await setUp(store.source);
    const taken = take(client.tail(), 1);
    taken.catch(() => undefined);
    await until('the reader', () => store.listeners.size === 1);

    await server.close();

    await assert.rejects(taken, { code: 'NOT_RUNNING' });
    await until('the end of the stream', () => store.listeners.size === 0);
  });

  it('replaces the socket that a killed process left behind', async () => {
    const folder = join(tempDir(), 'run');
    mkdirSync(folder, { mode: 0o700 });
    const path = join(folder, 'control.sock');
    const killed = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', killed]);
    assert.ok(statSync(path).isSocket());

    const server = createControlServer({ path, handlers: handlersOf(), logger: silentLogger });
    await server.start();
    onCleanUp(() => server.close());

    assert.deepEqual(await createControlClient(path).health(), HEALTH);
  });

  it('leaves the socket of a running process alone', async () => {
    const { path, client } = await setUp();
    const second = createControlServer({ path, handlers: handlersOf(), logger: silentLogger });

    await assert.rejects(second.start(), { code: 'ALREADY_RUNNING' });

    assert.deepEqual(await client.health(), HEALTH);
  });

  it('removes nothing but a socket', async () => {
    const folder = join(tempDir(), 'run');
    mkdirSync(folder, { mode: 0o700 });
    const path = join(folder, 'control.sock');
    writeFileSync(path, 'mine');

    const server = createControlServer({ path, handlers: handlersOf(), logger: silentLogger });

    await assert.rejects(server.start(), { code: 'CONTROL_PATH_TAKEN' });
    assert.ok(statSync(path).isFile());
  });

  it('refuses a folder that others can enter, and does not change its mode', async () => {
    const folder = join(tempDir(), 'open');
    mkdirSync(folder);
    chmodSync(folder, 0o755);
    const server = createControlServer({
      path: join(folder, 'c.sock'),
      handlers: handlersOf(),
      logger: silentLogger,
    });

    await assert.rejects(server.start(), { code: 'CONTROL_FOLDER_OPEN' });

    assert.equal(statSync(folder).mode & 0o777, 0o755);
  });

  it('refuses a folder of another user, which root could enter', async () => {
    const folder = join(tempDir(), 'run');
    mkdirSync(folder, { mode: 0o700 });
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(folder, 12_345, 12_345);
    const path = join(folder, 'c.sock');
    const server = createControlServer({ path, handlers: handlersOf(), logger: silentLogger });
    onCleanUp(() => server.close());

    const outcome = await server.start().then(
      () => 'started',
      (error) => error.code,
    );

    assert.equal(outcome, isRoot ? 'CONTROL_FOLDER_OPEN' : 'started');
    assert.equal(existsSync(path), !isRoot);
  });

  it('refuses a path that the system would cut', async () => {
    const path = join(tempDir(), 'x'.repeat(100), 'control.sock');
    const server = createControlServer({ path, handlers: handlersOf(), logger: silentLogger });

    await assert.rejects(server.start(), { code: 'CONTROL_PATH_TOO_LONG' });
  });

  it('knows the named pipes of Windows', () => {
    assert.equal(isNamedPipe('\\\\.\\pipe\\holdfast-1'), true);
    assert.equal(isNamedPipe('/run/holdfast/control.sock'), false);
  });
});

describe('agent/telemetry/control-client', () => {
  it('says that nothing runs and what to do, when there is no socket', async () => {
    const client = createControlClient(join(tempDir(), 'control.sock'));

    for (const call of [() => client.health(), () => client.sweep(), () => take(client.tail(), 1)]) {
      await assert.rejects(call(), (error: EnvironmentError) => {
        assert.equal(error.code, 'NOT_RUNNING');
        assert.match(error.hint ?? '', /holdfast run/);
        assert.equal(exitCodeOf(error), 3);
        return true;
      });
    }
  });

  it('says so as well when the process went away and left its socket', async () => {
    const path = join(tempDir(), 'control.sock');
    const killed = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', killed]);

    await assert.rejects(createControlClient(path).health(), { code: 'NOT_RUNNING' });
  });
});

function statusOf(path: string, method: string, route: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ socketPath: path, method, path: route, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}
