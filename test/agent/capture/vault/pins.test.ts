import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { MemoryPort } from '../../../support/memory-port.ts';
import { tempDir } from '../../../support/temp.ts';
import { until } from '../../../support/until.ts';
import { quiet, startCapture, storeOf } from '../support.ts';

function pinsIn(vault: string): string[] {
  if (!existsSync(vault)) return [];
  return readdirSync(vault, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
}

/** A home with a vault beside it, and runs of capture over both that share what is durable. */
function setUp() {
  const home = tempDir();
  const vault = join(tempDir(), 'vault');
  const port = new MemoryPort();
  const run = (closing = false) => startCapture(home, { port, vault, closing });
  return { store: storeOf(home), vault, port, run };
}

describe('agent/capture/vault', () => {
  it('gives a session its own second name, and takes it back when all of it is durable', async () => {
    const { store, vault, port, run } = setUp();
    const log = join(store, 'a.log');
    writeFileSync(log, 'one\n');
    await run();
    assert.equal(statSync(log).nlink, 2);

    unlinkSync(log);
    await until('the pin to be let go', () => pinsIn(vault).length === 0);

    assert.deepEqual(port.texts(), ['one']);
  });

  it('yields what was written to a session that was deleted while it was not running', async () => {
    const { store, vault, port, run } = setUp();
    const log = join(store, 'a.log');
    writeFileSync(log, 'one\n');
    const { capture } = await run();
    await capture.stop();

    appendFileSync(log, 'two\nthree');
    unlinkSync(log);
    await run();
    await until('the pin to be let go', () => pinsIn(vault).length === 0);

    assert.deepEqual(port.texts(), ['one', 'two']);
    assert.ok(port.rows.some(({ text }) => text === 'three'));
    const [gone] = port.rows.filter(({ event }) => event === 'session.deleted');
    assert.equal(gone?.attributes?.['while_stopped'], true);
    assert.equal(gone?.attributes?.['rows_held'], 3);
  });

  it('reads what stood under a name before what stands there now', async () => {
    const { store, vault, port, run } = setUp();
    const log = join(store, 'a.log');
    writeFileSync(log, 'one\n');
    const { capture } = await run();
    await capture.stop();

    appendFileSync(log, 'two\n');
    writeFileSync(`${log}.tmp`, 'other\n');
    renameSync(`${log}.tmp`, log);
    await run();
    await until('the old pin to be let go', () => pinsIn(vault).length === 1);

    assert.deepEqual(port.texts(), ['one', 'two', 'other']);
    assert.deepEqual(port.events(), ['source.changed']);
    assert.equal(statSync(log).nlink, 2);
  });

  it('reads nothing twice when an older file takes the place of a newer one', async () => {
    const { store, vault, port, run } = setUp();
    const log = join(store, 'a.log');
    writeFileSync(join(store, 'older'), 'older\n');
    await quiet(50);
    writeFileSync(log, 'newer\n');
    await run();

    renameSync(join(store, 'older'), log);
    await until('the older file', () => port.texts().includes('older'));
    appendFileSync(log, 'more\n');
    await until('what comes next', () => port.texts().includes('more'));
    await until('one pin', () => pinsIn(vault).length === 1);

    assert.deepEqual(port.texts(), ['newer', 'older', 'more']);
    assert.deepEqual(port.events(), ['source.changed']);
    assert.equal(port.duplicates, 0);
  });

  it('yields documents too, also a last one that was cut', async () => {
    const { store, vault, port, run } = setUp();
    const whole = join(store, 'a.json');
    const cut = join(store, 'b.json');
    writeFileSync(whole, '["one"]');
    writeFileSync(cut, '["uno"]');
    const { capture } = await run();
    await capture.stop();

    writeFileSync(whole, '["one","two"]');
    writeFileSync(cut, '["uno","du');
    rmSync(whole);
    rmSync(cut);
    await run();
    await until('the pins to be let go', () => pinsIn(vault).length === 0);

    assert.deepEqual(port.texts().sort(), ['one', 'two', 'uno']);
    assert.ok(port.events().includes('parser.error'));
  });

  it('keeps a session whose folder went with it', async () => {
    const { store, vault, port, run } = setUp();
    const folder = join(store, 'deep', 'er');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'a.log'), 'one\n');
    const { capture } = await run();
    await capture.stop();

    appendFileSync(join(folder, 'a.log'), 'two\n');
    rmSync(join(store, 'deep'), { recursive: true });
    await run();
    await until('the pin to be let go', () => pinsIn(vault).length === 0);

    assert.deepEqual(port.texts(), ['one', 'two']);
  });

  it('yields a file again that it had not read when it ended', async () => {
    const { store, vault, port, run } = setUp();
    const log = join(store, 'a.log');
    writeFileSync(log, 'one\n');
    const { capture } = await run();
    await capture.stop();
    unlinkSync(log);

    const fresh = new MemoryPort();
    await startCapture(join(store, '..'), { port: fresh, vault });
    await until('the pin to be let go', () => pinsIn(vault).length === 0);

    assert.deepEqual(fresh.texts(), ['one']);
    assert.deepEqual(port.texts(), ['one']);
  });

  it('lets nothing go that is not durable', async () => {
    const { store, vault, port, run } = setUp();
    const log = join(store, 'a.log');
    writeFileSync(log, 'one\n');
    await run();
    const durable = Promise.withResolvers<void>();
    port.settled = () => durable.promise;

    unlinkSync(log);
    await until('the deletion', () => port.events().includes('session.deleted'));
    await quiet();
    assert.equal(pinsIn(vault).length, 1);

    durable.resolve();
    await until('the pin to be let go', () => pinsIn(vault).length === 0);
  });

  it('tells of a file that was cut in place while it was not running, of which a link holds no more', async () => {
    const { store, port, run } = setUp();
    const log = join(store, 'a.log');
    writeFileSync(log, 'one\ntwo\n');
    const { capture } = await run();
    await capture.stop();

    truncateSync(log, 4);
    await run();

    assert.deepEqual(port.texts(), ['one', 'two']);
    assert.deepEqual(port.events(), ['source.changed']);
  });

  it('reads what is left and lets everything go when it was turned off', async () => {
    const { store, vault, port, run } = setUp();
    writeFileSync(join(store, 'a.log'), 'one\n');
    writeFileSync(join(store, 'b.log'), 'uno\n');
    const { capture } = await run();
    await capture.stop();
    appendFileSync(join(store, 'a.log'), 'two\n');
    unlinkSync(join(store, 'a.log'));

    await run(true);
    await until('the vault to be empty', () => pinsIn(vault).length === 0);

    assert.deepEqual(port.texts().sort(), ['one', 'two', 'uno']);
    assert.equal(statSync(join(store, 'b.log')).nlink, 1);
  });

  it('is not woken by its own pins', async () => {
    const { store, run } = setUp();
    for (const name of ['a', 'b', 'c']) writeFileSync(join(store, `${name}.json`), '["one"]');
    await quiet(100);
    const { reading } = await run();
    await quiet();

    assert.deepEqual(
      reading.filter((key) => key !== null),
      ['.toy/a.json', '.toy/b.json', '.toy/c.json'],
    );
  });

  it('pins no settings', async () => {
    const { store, vault, run } = setUp();
    writeFileSync(join(store, 'a.grants'), 'a=1\n');
    await run();

    assert.deepEqual(pinsIn(vault), []);
  });
});
