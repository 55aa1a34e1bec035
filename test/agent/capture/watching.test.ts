import assert from 'node:assert/strict';
import type { Layout } from '../../../agent/capture/layout.ts';
import type { WatchListener } from '../../../agent/capture/watcher.ts';
import { createWatching } from '../../../agent/capture/watching.ts';
import { silentLogger } from '../../../agent/contract/logger.ts';
import { FakeClock, settle } from '../../support/fake-clock.ts';

const MINUTE = 60_000;

describe('agent/capture/watching', () => {
  it('asks for the first sweep once the watch is set up, and for nothing before', async () => {
    const { clock, watching, watcher, sweeps } = setUp();
    watching.start();
    await clock.advance(1_000);
    const early = [...sweeps];

    watcher.listener.onReady();
    await clock.advance(10 * MINUTE);

    assert.deepEqual([early, sweeps], [[], ['full start']]);
    assert.equal(watching.mode(), 'watching');
  });

  it('does not wait for ever for a watch that takes its time, and looks again when it is there', async () => {
    const { clock, watching, watcher, sweeps } = setUp();
    watching.start();

    await clock.advance(6_000);
    const late = [...sweeps];
    watcher.listener.onReady();

    assert.deepEqual(late, ['full start']);
    assert.deepEqual(sweeps, ['full start', 'full start']);
  });

  it('looks at everything when events may have been lost', () => {
    const { watching, watcher, sweeps, codes } = setUp();
    watching.start();
    watcher.listener.onReady();

    watcher.listener.onDoubt('EIO');

    assert.deepEqual(sweeps, ['full start', 'full watch_error']);
    assert.deepEqual(codes, ['EIO']);
  });

  it('polls when the system refuses watches, and tries to watch again every five minutes', async () => {
    const { clock, watching, watcher, sweeps } = setUp();
    watching.start();
    watcher.listener.onRefused('ENOSPC');
    const mode = watching.mode();
    await clock.advance(1_600);
    const polled = sweeps.splice(0);

    await clock.advance(5 * MINUTE);
    const again = [watching.mode(), watcher.starts];
    watcher.listener.onReady();
    sweeps.length = 0;
    await clock.advance(20 * MINUTE);

    assert.equal(mode, 'polling');
    assert.equal(polled[0], 'full watch_error');
    assert.deepEqual([polled.filter((sweep) => sweep.startsWith('quick')).length, polled.length], [15, 17]);
    assert.deepEqual(again, ['watching', 2]);
    assert.deepEqual(sweeps, [], 'neither polls nor tries again');
  });

  it('goes on polling through refusals without end, with one try waiting at a time', async () => {
    const { clock, watching, watcher } = setUp();
    watcher.onStart = () => watcher.listener.onRefused('EMFILE');
    watching.start();

    await clock.advance(60 * MINUTE);

    assert.equal(watching.mode(), 'polling');
    assert.equal(watcher.starts, 13);
  });

  it('polls from the start when it is told to', async () => {
    const { clock, watching, watcher, sweeps } = setUp('poll');

    watching.start();
    await clock.advance(250);

    assert.deepEqual(sweeps, ['full start', 'quick schedule', 'quick schedule']);
    assert.deepEqual([watching.mode(), watcher.starts], ['polling', 0]);
  });

  it('begins anew for a directory that was replaced, unless it polls anyway', async () => {
    const { watching, watcher, sweeps } = setUp();
    watching.start();
    watcher.listener.onReady();

    watching.renew();
    await settle();
    watcher.listener.onReady();
    const renewed = [watcher.starts, watcher.stops];
    watcher.listener.onRefused('ENOSPC');
    watching.renew();
    await settle();

    assert.deepEqual(renewed, [2, 1]);
    assert.deepEqual([watcher.starts, watcher.stops], [2, 1]);
    assert.deepEqual(sweeps.slice(0, 3), ['full start', 'full watch_error', 'quick watch_error']);
  });

  it('asks for nothing any more once it was stopped', async () => {
    const { clock, watching, watcher, sweeps } = setUp();
    watching.start();
    watcher.listener.onRefused('ENOSPC');
    watching.renew();

    await watching.stop();
    sweeps.length = 0;
    await clock.advance(60 * MINUTE);

    assert.deepEqual([sweeps, watcher.starts], [[], 1]);
  });
});

class FakeWatcher {
  listener!: WatchListener;
  starts = 0;
  stops = 0;
  onStart = () => {};

  start(): void {
    this.starts++;
    this.onStart();
  }

  add(): void {}

  async stop(): Promise<void> {
    this.stops++;
  }
}

function setUp(watch: 'auto' | 'poll' = 'auto') {
  const clock = new FakeClock();
  const watcher = new FakeWatcher();
  const sweeps: string[] = [];
  const codes: string[] = [];
  const watching = createWatching({
    home: '/home/alice',
    layout: {} as Layout,
    limits: { watch, pollMs: 100 },
    clock,
    logger: silentLogger,
    count: (_name, _amount, { code = '' }) => codes.push(code),
    listener: { onChange: () => {}, onGone: () => {} },
    sweep: (full, reason) => sweeps.push(`${full ? 'full' : 'quick'} ${reason}`),
    watcherFor: (_layout, listener) => {
      watcher.listener = listener;
      return watcher;
    },
  });
  return { clock, watching, watcher, sweeps, codes };
}
