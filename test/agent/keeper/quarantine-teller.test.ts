import assert from 'node:assert/strict';
import { silentLogger } from '../../../agent/contract/logger.ts';
import { createQuarantineTeller } from '../../../agent/keeper/quarantine-teller.ts';
import { createSelfRows, type SelfEvent } from '../../../agent/keeper/self-rows.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/temp.ts';
import { open } from '../store/support.ts';

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;

describe('agent/keeper/quarantine-teller', () => {
  it('gives every try of one quarantine the same row, also after a restart', async () => {
    const { clock, dir, idsOf, tell } = setUp();
    const first = open(clock, dir);
    tell(first.store, 'a');
    await clock.advance(12 * MINUTE);
    tell(first.store, 'a');
    first.close();
    await clock.advance(12 * MINUTE);
    tell(open(clock, dir).store, 'a');

    assert.equal(new Set(idsOf()).size, 1);
  });

  it('gives a quarantine weeks later another row, and every file its own', async () => {
    const { clock, dir, idsOf, tell } = setUp();
    const { store } = open(clock, dir);
    tell(store, 'a');
    tell(store, 'b');
    await clock.advance(3 * WEEK);
    tell(store, 'a');

    assert.equal(new Set(idsOf()).size, 3);
  });

  it('tells it also when it cannot be noted', () => {
    const { idsOf, tell } = setUp();
    const full = {
      episode(): number {
        throw new Error('disk full');
      },
    };

    tell(full, 'a');

    assert.equal(idsOf().length, 1);
  });
});

function setUp() {
  const clock = new FakeClock();
  const events: SelfEvent[] = [];
  const rows = createSelfRows({ id: 'h', name: 'h', labels: {}, maxTextBytes: 1_000 }, clock);
  return {
    clock,
    dir: tempDir(),
    tell(store: { episode(name: string, goesOnMs: number): number }, file: string) {
      const teller = createQuarantineTeller({
        store,
        clock,
        logger: silentLogger,
        tell: (event) => events.push(event),
      });
      teller('/home/alice', file, 'signal SIGABRT');
    },
    idsOf: () => events.map((event) => rows(event).rows.ids.toString('hex')),
  };
}
