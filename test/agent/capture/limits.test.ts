import assert from 'node:assert/strict';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { MemoryPort } from '../../support/memory-port.ts';
import { becomeOrdinary, ordinaryDir } from '../../support/ordinary-user.ts';
import { tempDir } from '../../support/temp.ts';
import { toySource } from '../../support/toy-source.ts';
import { until } from '../../support/until.ts';
import { quiet, startCapture, storeOf } from './support.ts';

const MANY = 200;

describe('agent/capture/capture, within limits', () => {
  for (const mode of ['watch', 'once'] as const) {
    it(`holds few of many files open when asked to ${mode}`, async () => {
      const home = tempDir();
      const store = storeOf(home);
      for (let n = 0; n < MANY; n++) writeFileSync(join(store, `${n}.log`), `text ${n}\n`);
      const before = readdirSync('/dev/fd').length;

      const { port } = await startCapture(home, { mode });
      const after = readdirSync('/dev/fd').length;

      assert.equal(port.texts().length, MANY);
      assert.ok(after - before < MANY / 2, `${after - before} more open files`);
    });
  }

  it('takes the unfinished end of every one of many files, and each once', async () => {
    const home = tempDir();
    const store = storeOf(home);
    for (let n = 0; n < MANY; n++) writeFileSync(join(store, `${n}.log`), `whole ${n}\ncut ${n}`);

    const { port } = await startCapture(home, { limits: { settleMs: 400 } });
    await until('every end', () => port.rows.length === 2 * MANY);

    assert.deepEqual(port.texts().sort(), names(MANY, 'whole'));
    assert.deepEqual(
      port.rows.flatMap(({ turn_type, text }) => (turn_type === 'system' ? text : [])).sort(),
      names(MANY, 'cut'),
    );
  });

  it('follows a file that had to give way to others again, from where it stood', async () => {
    const home = tempDir();
    const store = storeOf(home);
    writeFileSync(join(store, 'first.log'), 'one\n');
    const { port } = await startCapture(home);
    for (let n = 0; n < MANY; n++) writeFileSync(join(store, `${n}.log`), `text ${n}\n`);
    await until('the others', () => port.texts().length === MANY + 1);

    appendFileSync(join(store, 'first.log'), 'two\n');
    await until('the appended line', () => port.texts().includes('two'));

    assert.equal(port.duplicates, 0);
  });

  it('hands on a large file in pieces when its parser has changed, and saves how far it got', async () => {
    const home = tempDir();
    const lines = 3_000;
    const text = Array.from({ length: lines }, (_, n) => `${n} ${'x'.repeat(1_000)}\n`).join('');
    writeFileSync(join(storeOf(home), 'a.log'), text);
    const first = await startCapture(home);
    await first.capture.stop();
    const port = new MemoryPort();
    for (const [file, cursor] of first.port.cursors) port.cursors.set(file, cursor);

    await startCapture(home, { port, source: { ...toySource, version: 2 } });

    const sizes = port.commits.map(({ rows }) => rows.lines.length);
    assert.equal(port.texts().length, lines);
    assert.ok(Math.max(...sizes) < 2 * 1024 * 1024, `${Math.max(...sizes)} bytes in one commit`);
    assert.ok(port.commits.filter(({ cursor }) => cursor).length > 3);
  });

  it('says nothing again of a large file whose times alone changed while it was not running', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, `${'x'.repeat(1_000)}\n`.repeat(2_000));
    const first = await startCapture(home);
    await first.capture.stop();
    const port = new MemoryPort();
    for (const [file, cursor] of first.port.cursors) port.cursors.set(file, cursor);
    utimesSync(log, new Date(), new Date());

    await startCapture(home, { port });

    assert.deepEqual(port.rows, []);
  });

  it('reads a file whose cursor makes no sense from its start, and leaves nothing open', async () => {
    const home = tempDir();
    writeFileSync(join(storeOf(home), 'a.log'), 'one\ntwo\n');
    const first = await startCapture(home);
    await first.capture.stop();
    const port = new MemoryPort();
    for (const [file, cursor] of first.port.cursors)
      port.cursors.set(file, { ...cursor, offset: -5, mtimeNs: '0' });
    const before = readdirSync('/dev/fd').length;

    const { capture } = await startCapture(home, { port });
    await until('the lines', () => port.texts().length === 2);
    await capture.stop();

    assert.equal(readdirSync('/dev/fd').length, before);
  });

  it('ends a single scan over a file that may not be read, and says so', async () => {
    const home = ordinaryDir();
    becomeOrdinary();
    const store = storeOf(home);
    writeFileSync(join(store, 'a.log'), 'fine\n');
    writeFileSync(join(store, 'b.log'), 'closed\n', { mode: 0o000 });

    const { port, capture, isDone } = await startCapture(home, { mode: 'once' });
    await until('the end', isDone);

    assert.deepEqual(port.texts(), ['fine']);
    assert.deepEqual(capture.state().unreadable, [`${join(store, 'b.log')}: EACCES`]);
  });

  it('reads a file once it may, and has no complaint left', async () => {
    const home = ordinaryDir();
    becomeOrdinary();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, 'closed\n', { mode: 0o000 });
    const { port, capture } = await startCapture(home);

    chmodSync(log, 0o600);
    await until('the line', () => port.texts().includes('closed'));

    assert.deepEqual(capture.state().unreadable, []);
  });

  it('goes on when a directory may be listed and not entered', async () => {
    const home = ordinaryDir();
    becomeOrdinary();
    const store = storeOf(home);
    mkdirSync(join(store, 'flat'));
    writeFileSync(join(store, 'flat', 'a.log'), 'inside\n');
    const { port, capture } = await startCapture(home);

    chmodSync(join(store, 'flat'), 0o600);
    capture.sweep(true, 'request');
    writeFileSync(join(store, 'b.log'), 'beside\n');
    await until('the other file', () => port.texts().includes('beside'));
    await quiet(600);
    const { unreadable } = capture.state();
    chmodSync(join(store, 'flat'), 0o700);

    assert.ok(!port.events().includes('session.deleted'));
    assert.deepEqual(unreadable, [`${join(store, 'flat')}: EACCES`]);
  });

  it('takes a document for cut only after the settle time, however many events tell of it', async () => {
    const home = tempDir();
    const file = join(storeOf(home), 'd.json');
    writeFileSync(file, '["one","tw');
    const old = new Date(Date.now() - 1_000);
    utimesSync(file, old, old);
    const { port } = await startCapture(home, { limits: { settleMs: 3_000 } });

    for (let n = 0; n < 5; n++) {
      utimesSync(file, old, new Date(old.getTime() + (n % 2)));
      utimesSync(file, old, old);
      await quiet(60);
    }

    assert.deepEqual(port.rows, []);
  });

  it('does not take a renamed file for deleted while reading waits for the outbox', async () => {
    const home = tempDir();
    const store = storeOf(home);
    writeFileSync(join(store, 'a.log'), 'one\n');
    const port = new PausedPort();
    await startCapture(home, { port });
    port.pause();
    writeFileSync(join(store, 'b.log'), 'two\n');
    await until('reading to wait', () => port.waiting > 0);

    renameSync(join(store, 'a.log'), join(store, 'c.log'));
    await quiet(800);
    port.resume();
    await until('the new name', () => port.cursors.has('.toy/c.log') && !port.cursors.has('.toy/a.log'));

    assert.ok(!port.events().includes('session.deleted'));
  });

  it('leaves the files beside a deleted directory alone', async () => {
    const home = tempDir();
    const store = storeOf(home);
    for (const dir of ['one', 'one-more']) {
      mkdirSync(join(store, dir));
      writeFileSync(join(store, dir, 'a.log'), `in ${dir}\n`);
    }
    const { port } = await startCapture(home);

    rmSync(join(store, 'one'), { recursive: true });
    await until('the deletion', () => port.events().includes('session.deleted'));
    appendFileSync(join(store, 'one-more', 'a.log'), 'more\n');
    await until('the appended line', () => port.texts().includes('more'));

    assert.equal(port.events().length, 1);
  });

  it('watches the store that stands in the place of one that was moved away', async () => {
    const home = tempDir();
    writeFileSync(join(storeOf(home), 'a.log'), 'one\n');
    const { port, capture } = await startCapture(home);
    renameSync(join(home, '.toy'), join(home, 'aside'));
    writeFileSync(join(storeOf(home), 'b.log'), 'two\n');
    capture.sweep(false, 'schedule');
    await until('the other store', () => port.texts().includes('two'));
    await quiet();

    writeFileSync(join(storeOf(home), 'c.log'), 'three\n');

    await until('a line that no sweep looked for', () => port.texts().includes('three'), 5_000);
  });

  it('follows no link out of the home that is made while it runs', async () => {
    const home = tempDir();
    const elsewhere = tempDir();
    writeFileSync(join(elsewhere, 'secret.log'), 'secret\n');
    const { port, capture } = await startCapture(home);

    symlinkSync(elsewhere, join(storeOf(home), 'out'));
    writeFileSync(join(storeOf(home), 'a.log'), 'fine\n');
    await until('the fine line', () => port.texts().includes('fine'));
    capture.sweep(true, 'request');
    await quiet();

    assert.deepEqual(port.texts(), ['fine']);
  });
});

/** A keeper whose outbox can be full. */
class PausedPort extends MemoryPort {
  waiting = 0;
  #room: PromiseWithResolvers<void> | undefined;

  pause(): void {
    this.#room = Promise.withResolvers<void>();
  }

  resume(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  override async room(): Promise<void> {
    if (!this.#room) return;
    this.waiting++;
    await this.#room.promise;
  }
}

function names(count: number, what: string): string[] {
  return Array.from({ length: count }, (_, n) => `${what} ${n}`).sort();
}
