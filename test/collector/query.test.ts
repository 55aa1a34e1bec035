import assert from 'node:assert/strict';
import { rowOf, rowsOf } from '../support/batches.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { tempDir } from '../support/temp.ts';
import { call, hostsOf, query, send, startCollector } from './support.ts';

async function filled() {
  const collector = await startCollector();
  await send(collector, [
    rowOf('prompt', 1, { session_id: 's1' }),
    rowOf('answer', 2, {
      session_id: 's1',
      turn_type: 'assistant',
      timestamp_utc: '2026-10-01T10:00:00.000Z',
    }),
    rowOf('setting', 3, { session_id: null, turn_type: 'system', event: 'trust_all', agent: 'kiro-cli' }),
  ]);
  await send(collector, [rowOf('elsewhere', 1, { session_id: 's2' })], { host: 'host-2' });
  return collector;
}

describe('collector/query', () => {
  for (const [parameters, texts] of [
    ['', ['prompt', 'answer', 'setting', 'elsewhere']],
    ['?session=s1', ['prompt', 'answer']],
    ['?agent=kiro-cli', ['setting']],
    ['?event=trust_all', ['setting']],
    ['?host=host-2', ['elsewhere']],
    ['?host=host-1&epoch=epoch-1&since_seq=1', ['answer', 'setting']],
    ['?session=s1&agent=kiro-cli', []],
    ['?limit=2', ['prompt', 'answer']],
    ['?session=%27%20OR%201=1%20--', []],
  ] as const) {
    it(`gives rows for ${parameters || 'no filter'}`, async () => {
      assert.deepEqual(await query(await filled(), parameters), texts);
    });
  }

  it('gives page after page', async () => {
    const collector = await startCollector();
    await send(collector, rowsOf(25));
    const texts: string[] = [];

    let pages = 0;
    for (let after: string | undefined = '0'; after !== undefined; pages++) {
      const { headers, body } = await call(collector, { path: `/v1/rows?limit=10&after=${after}` });
      texts.push(...body.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).text])));
      after = headers['x-holdfast-next'] as string | undefined;
    }

    assert.equal(pages, 3);
    assert.deepEqual(
      texts,
      rowsOf(25).map(({ text }) => text),
    );
  });

  it('tells of every host when it was seen and what its last heartbeat said', async () => {
    const clock = new FakeClock();
    const collector = await startCollector({ clock });
    const beat = {
      agent: 'holdfast',
      turn_type: 'system',
      session_id: null,
      event: 'holdfast.heartbeat',
    } as const;
    await send(collector, [rowOf('beat', 1, { ...beat, attributes: { backlog_rows: 7 } })]);
    clock.jumpWall(60_000);
    await send(collector, rowsOf(2, 2));

    const [host] = await hostsOf(collector);

    assert.deepEqual(host, {
      host: 'host-1',
      epoch: 'epoch-1',
      host_name: 'alice-laptop',
      rows: 3,
      first_seq: 1,
      last_seq: 3,
      missing_rows: 0,
      missing: [],
      first_seen: '2026-11-30T12:00:00.000Z',
      last_seen: '2026-11-30T12:01:00.000Z',
      heartbeat: { at: '2026-10-01T09:00:01.000Z', attributes: { backlog_rows: 7 } },
    });
  });

  it('lists sessions with their rows and prompts', async () => {
    const collector = await filled();

    const { body } = await call(collector, { path: '/v1/sessions?host=host-1' });

    assert.deepEqual(JSON.parse(body).sessions, [
      {
        host: 'host-1',
        agent: 'gemini-cli',
        session: 's1',
        project: '/home/alice/proj',
        user: 'alice',
        first: '2026-10-01T09:00:01.000Z',
        last: '2026-10-01T10:00:00.000Z',
        rows: 2,
        prompts: 1,
      },
    ]);
  });

  it('refuses what it does not know in a query', async () => {
    const collector = await startCollector();

    const paths = ['/v1/rows?sesion=s1', '/v1/rows?limit=many', '/v1/rows?since_seq=-1', '/v1/hosts?event=x'];
    const statuses = await Promise.all(paths.map(async (path) => (await call(collector, { path })).status));

    assert.deepEqual(statuses, [400, 400, 400, 400]);
  });

  it('has everything again after a restart', async () => {
    const dir = tempDir();
    const first = await startCollector({ dir });
    await send(first, rowsOf(3));
    await send(first, rowsOf(1, 6));
    await first.close();

    const second = await startCollector({ dir });
    const { ack } = await send(second, rowsOf(3));

    assert.deepEqual([ack.accepted, ack.duplicates], [0, 3]);
    assert.deepEqual(await query(second), ['row 1', 'row 2', 'row 3', 'row 6']);
    assert.equal((await hostsOf(second))[0].missing_rows, 2);
  });

  it('forgets rows that are old, and remembers that they came', async () => {
    const clock = new FakeClock();
    const collector = await startCollector({ clock });
    await send(collector, rowsOf(5));
    clock.jumpWall(86_400_000);
    await send(collector, rowsOf(2, 6));

    const pruned = collector.prune(clock.now() - 3_600_000);

    assert.equal(pruned, 5);
    assert.deepEqual(await query(collector), ['row 6', 'row 7']);
    assert.equal((await hostsOf(collector))[0].missing_rows, 0);
  });
});
