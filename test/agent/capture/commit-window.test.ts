import assert from 'node:assert/strict';
import type { Channel } from '../../../agent/capture/channel.ts';
import { createCommitWindow } from '../../../agent/capture/commit-window.ts';
import type { CommitHeader, FromCapture, ToCapture } from '../../../agent/capture/protocol.ts';
import { type Commit, EMPTY_ROWS } from '../../../agent/contract/commit.ts';
import { settle } from '../../support/fake-clock.ts';

const MIB = 1024 * 1024;

describe('agent/capture/commit-window', () => {
  for (const [what, bytes] of [
    ['small commits', 10],
    ['large commits', MIB],
  ] as const) {
    it(`has room for a bounded number of ${what}, and again after an answer`, async () => {
      const { window, sent, isReady } = setUp();
      while (sent.length < 2_000 && (await isReady(window.port.room()))) window.port.commit(commitOf(bytes));
      const room = window.port.room();
      const full = await isReady(room);

      window.onAck(sent[0]?.n ?? 0);

      assert.ok(sent.length > 1 && sent.length * bytes <= 32 * MIB && sent.length <= 1_000, `${sent.length}`);
      assert.deepEqual([full, await isReady(room)], [false, true]);
    });
  }

  it('takes one commit larger than all it has room for', async () => {
    const { window, sent, isReady } = setUp();
    window.port.commit(commitOf(64 * MIB));
    const room = window.port.room();
    const early = await isReady(room);

    window.onAck(sent[0]?.n ?? 0);

    assert.deepEqual([early, await isReady(room)], [false, true]);
  });

  it('is settled only when everything was answered, in whatever order', async () => {
    const { window, sent, isReady } = setUp();
    const atFirst = await isReady(window.port.settled());
    for (let n = 0; n < 3; n++) window.port.commit(commitOf(1));
    const settled = window.port.settled();
    const states: boolean[] = [];

    for (const { n } of sent.toReversed()) {
      states.push(await isReady(settled));
      window.onAck(n);
    }

    assert.equal(atFirst, true);
    assert.deepEqual(states, [false, false, false]);
    assert.equal(await isReady(settled), true);
  });

  it('counts an answer once, and none to what it never sent', async () => {
    const { window, sent, isReady } = setUp();
    window.port.commit(commitOf(64 * MIB));
    window.port.commit(commitOf(64 * MIB));

    window.onAck(sent[0]?.n ?? 0);
    window.onAck(sent[0]?.n ?? 0);
    window.onAck(999);

    assert.equal(await isReady(window.port.room()), false);
  });

  it('gives every commit a number of its own', () => {
    const { window, sent } = setUp();

    for (let n = 0; n < 5; n++) window.port.commit(commitOf(1));

    assert.equal(new Set(sent.map(({ n }) => n)).size, 5);
  });
});

function setUp() {
  const sent: CommitHeader[] = [];
  const channel = { send: (header: CommitHeader) => sent.push(header) } as unknown as Channel<
    ToCapture,
    FromCapture
  >;
  const isReady = async (promise: Promise<void>) => {
    let ready = false;
    void promise.then(() => {
      ready = true;
    });
    await settle();
    return ready;
  };
  return { window: createCommitWindow(channel), sent, isReady };
}

/** A commit of one row with a line of so many bytes. */
function commitOf(bytes: number): Commit {
  const rows = {
    ...EMPTY_ROWS,
    count: 1,
    ids: Buffer.alloc(16),
    sessionOf: Buffer.alloc(2),
    turns: Buffer.alloc(1),
  };
  return { lane: 'live', file: 'f', cursor: undefined, rows: { ...rows, lines: Buffer.alloc(bytes, 'x') } };
}
