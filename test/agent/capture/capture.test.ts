import assert from 'node:assert/strict';
import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { MemoryPort } from '../../support/memory-port.ts';
import { tempDir } from '../../support/temp.ts';
import { toySource } from '../../support/toy-source.ts';
import { until } from '../../support/until.ts';
import { quiet, startCapture, storeOf } from './support.ts';

describe('agent/capture/capture', () => {
  it('reads what is there at the start, and what is appended later, each line once', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, 'one\ntwo\n');

    const { port } = await startCapture(home);
    appendFileSync(log, 'three\n');
    await until('the appended line', () => port.texts().length === 3);
    appendFileSync(log, 'four\nfive\n');
    await until('two more', () => port.texts().length === 5);

    assert.deepEqual(port.texts(), ['one', 'two', 'three', 'four', 'five']);
    assert.equal(port.duplicates, 0);
    assert.deepEqual(
      port.rows.map((row) => row.source_line),
      [1, 2, 3, 4, 5],
    );
  });

  it('picks up a store that appears after the start', async () => {
    const home = tempDir();

    const { port } = await startCapture(home);
    writeFileSync(join(storeOf(home), 'late.log'), 'hello\n');

    await until('the line', () => port.texts().includes('hello'));
  });

  it('waits for the end of a line, over appends and half characters', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    const line = Buffer.from('schön 🙂\n');
    writeFileSync(log, '');
    const { port } = await startCapture(home, { limits: { settleMs: 5_000 } });

    appendFileSync(log, line.subarray(0, 8));
    await quiet();
    const early = port.texts();
    appendFileSync(log, line.subarray(8));
    await until('the whole line', () => port.texts().length === 1);

    assert.deepEqual(early, []);
    assert.deepEqual(port.texts(), ['schön 🙂']);
  });

  it('takes an unfinished line after the settle time, and the whole line when it is completed', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, 'one\ncut');

    const { port } = await startCapture(home);
    await until('the unfinished line', () =>
      port.rows.some((row) => row.turn_type === 'system' && row.text === 'cut'),
    );
    await quiet();
    appendFileSync(log, ' off\n');
    await until('the whole line', () => port.texts().includes('cut off'));

    assert.deepEqual(port.texts(), ['one', 'cut off']);
    assert.equal(port.rows.filter((row) => row.turn_type === 'system').length, 1);
  });

  it('reads a file that was replaced by another from its start, and says so', async () => {
    const home = tempDir();
    const store = storeOf(home);
    writeFileSync(join(store, 'a.log'), 'one\ntwo\n');
    const { port } = await startCapture(home);

    writeFileSync(join(store, 'new.tmp'), 'one\nother\nthird\n');
    renameSync(join(store, 'new.tmp'), join(store, 'a.log'));
    await until('the new lines', () => port.texts().includes('third'));

    assert.deepEqual(port.texts(), ['one', 'two', 'other', 'third']);
    assert.ok(port.events().includes('source.changed'));
  });

  it('notices a file rewritten in place: shorter, longer than before, and of the same size', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, 'aaa\nbbb\n');
    const { port } = await startCapture(home);

    writeFileSync(log, 'ccc\n');
    await until('the shorter text', () => port.texts().includes('ccc'));
    writeFileSync(log, 'a longer first line\nddd\n');
    await until('the longer text', () => port.texts().includes('ddd'));
    writeFileSync(log, 'A longer first line\nDDD\n');
    await until('the text of the same size', () => port.texts().includes('DDD'));

    assert.deepEqual(port.texts(), [
      'aaa',
      'bbb',
      'ccc',
      'a longer first line',
      'ddd',
      'A longer first line',
      'DDD',
    ]);
    assert.equal(port.events().filter((event) => event === 'source.changed').length, 3);
  });

  it('says nothing of a file whose times alone changed', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, 'one\n');
    const { port } = await startCapture(home);

    utimesSync(log, new Date(), new Date());
    await quiet();

    assert.deepEqual(port.events(), []);
    assert.deepEqual(port.texts(), ['one']);
  });

  it('reads what was appended just before a file was deleted, and says that it was deleted', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, 'one\n');
    const { port } = await startCapture(home);

    for (let round = 0; round < 5; round++) {
      appendFileSync(log, `kept ${round}\n`);
      await until('the line', () => port.texts().includes(`kept ${round}`));
    }
    appendFileSync(log, 'last\n');
    unlinkSync(log);
    await until('the deletion', () => port.events().includes('session.deleted'));

    assert.ok(port.texts().includes('last'));
    assert.equal(port.cursors.size, 0);
    assert.equal(port.rows.at(-1)?.session_id, 'a');
  });

  it('says which setting deletes sessions when one went away, and whether it was old enough', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    const setting = { setting: 'keepDays', days: 30 };
    const source = { ...toySource, retentionNow: () => setting };
    writeFileSync(log, 'one\n');
    utimesSync(log, new Date(0), new Date(0));
    const { port } = await startCapture(home, { source });

    unlinkSync(log);
    await until('the deletion', () => port.events().includes('session.deleted'));

    const { retention_setting, retention_days, expired } = port.rows.at(-1)?.attributes ?? {};
    assert.deepEqual([retention_setting, retention_days, expired], ['keepDays', 30, true]);
  });

  it('tells a renamed file from a deleted one and gives its rows once', async () => {
    const home = tempDir();
    const store = storeOf(home);
    writeFileSync(join(store, 'a.log'), 'one\n');
    const { port } = await startCapture(home);

    renameSync(join(store, 'a.log'), join(store, 'b.log'));
    await until('the new name', () => port.cursors.has('.toy/b.log'));
    await quiet(600);

    assert.ok(!port.events().includes('session.deleted'));
    assert.ok(!port.cursors.has('.toy/a.log'));
  });

  it('says at its next start what was deleted while it was not running', async () => {
    const home = tempDir();
    const store = storeOf(home);
    writeFileSync(join(store, 'a.log'), 'one\n');
    const first = await startCapture(home);
    await first.capture.stop();
    unlinkSync(join(store, 'a.log'));

    const second = await startCapture(home, { port: first.port });
    await until('the deletion', () => second.port.events().includes('session.deleted'));

    assert.equal(second.port.cursors.size, 0);
  });

  it('does not take a store that went away for deleted sessions', async () => {
    const home = tempDir();
    const store = storeOf(home);
    writeFileSync(join(store, 'a.log'), 'one\n');
    const first = await startCapture(home);
    await first.capture.stop();
    rmSync(store, { recursive: true });

    const second = await startCapture(home, { port: first.port });
    await quiet();

    assert.ok(!second.port.events().includes('session.deleted'));
    assert.equal(second.port.cursors.size, 1);
  });

  it('goes on behind its cursor after a restart without giving known rows again', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, 'one\ntwo\n');
    const first = await startCapture(home);
    await first.capture.stop();
    appendFileSync(log, 'three\n');

    const second = await startCapture(home, { port: first.port });

    await until('the new line', () => second.port.texts().length === 3);
    assert.equal(second.port.duplicates, 0);
  });

  it('reads everything again without a cursor, and every row has the id it had', async () => {
    const home = tempDir();
    writeFileSync(join(storeOf(home), 'a.log'), 'one\ntwo\n');
    const first = await startCapture(home);
    const second = await startCapture(home, { port: new MemoryPort() });

    assert.deepEqual(
      second.port.rows.map((row) => row.row_id),
      first.port.rows.map((row) => row.row_id),
    );
  });

  it('goes on with the file when its parser breaks its promise on a line', async () => {
    const home = tempDir();
    writeFileSync(join(storeOf(home), 'a.log'), 'one\nboom\ntwo\n');

    const { port } = await startCapture(home);

    assert.deepEqual(port.texts(), ['one', 'two']);
    assert.equal(port.rows.filter((row) => row.event === 'parser.error').length, 1);
  });

  it('passes over a line beyond the limit, says so, and reads the rest', async () => {
    const home = tempDir();
    writeFileSync(join(storeOf(home), 'a.log'), `one\n${'x'.repeat(300_000)}\ntwo\n`);

    const { port } = await startCapture(home, { limits: { maxLineBytes: 1_000 } });

    assert.deepEqual(port.texts(), ['one', 'two']);
    const [row] = port.rows.filter((candidate) => candidate.event === 'parser.error');
    assert.equal(row?.attributes['bytes'], 300_000);
  });

  it('reads a torn document when it is whole, and says what is wrong when it stays torn', async () => {
    const home = tempDir();
    const file = join(storeOf(home), 'd.json');
    writeFileSync(file, '["one"]');
    const { port } = await startCapture(home);

    truncateSync(file, 0);
    writeFileSync(file, '["one","tw');
    await quiet(50);
    writeFileSync(file, '["one","two"]');
    await until('the second text', () => port.texts().includes('two'));
    const errorsWhileTorn = port.events().length;
    writeFileSync(file, '["one","two","thr');
    await until('the error', () => port.events().includes('parser.error'));
    await quiet();

    assert.equal(errorsWhileTorn, 0);
    assert.deepEqual(port.texts(), ['one', 'two']);
    assert.equal(port.events().length, 1);
  });

  it('follows a store that was moved away inside the home and linked, under its old name', async () => {
    const home = tempDir();
    mkdirSync(join(home, 'disk'));
    mkdirSync(join(home, '.toy'));
    writeFileSync(join(home, 'disk', 'a.log'), 'one\n');
    symlinkSync(join(home, 'disk'), join(home, '.toy', 'linked'));

    const { port } = await startCapture(home);
    appendFileSync(join(home, 'disk', 'a.log'), 'two\n');
    await until('the appended line', () => port.texts().length === 2);

    assert.deepEqual(
      port.rows.map((row) => row.source_file),
      ['.toy/linked/a.log', '.toy/linked/a.log'],
    );
  });

  it('follows no link that leads out of the home, and no link in place of a file', async () => {
    const home = tempDir();
    const elsewhere = tempDir();
    writeFileSync(join(elsewhere, 'secret.log'), 'secret\n');
    symlinkSync(elsewhere, join(storeOf(home), 'out'));
    symlinkSync(join(elsewhere, 'secret.log'), join(storeOf(home), 'link.log'));

    const { port, capture } = await startCapture(home);

    assert.deepEqual(port.texts(), []);
    assert.ok(capture.state().unreadable.some((entry) => entry.includes('outside the home')));
  });

  it('polls when watching is switched off', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, 'one\n');

    const { port, capture } = await startCapture(home, { limits: { watch: 'poll' } });
    appendFileSync(log, 'two\n');
    await until('the appended line', () => port.texts().length === 2);
    writeFileSync(join(storeOf(home), 'b.log'), 'three\n');
    await until('the new file', () => port.texts().length === 3);

    assert.equal(capture.state().watchMode, 'polling');
  });

  it('marks what the first scan of a home finds, and only that, as backfill', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, 'old\n');

    const { port } = await startCapture(home, { firstScan: true });
    appendFileSync(log, 'new\n');
    await until('the appended line', () => port.texts().length === 2);

    assert.deepEqual(
      port.rows.map((row) => row.backfill),
      [true, false],
    );
  });

  it('is done after one scan when asked for one, with unfinished ends taken as they are', async () => {
    const home = tempDir();
    writeFileSync(join(storeOf(home), 'a.log'), 'one\ncut');

    const { port, isDone } = await startCapture(home, { mode: 'once' });
    await until('the end', isDone);

    assert.deepEqual(
      port.rows.map((row) => row.text),
      ['one', 'cut'],
    );
  });

  it('sends the text of a long row cut, with its whole length and hash', async () => {
    const home = tempDir();
    writeFileSync(join(storeOf(home), 'a.log'), `${'ä'.repeat(2_000)}\n`);

    const { port } = await startCapture(home, { limits: { maxTextBytes: 1_001 } });

    const [row] = port.rows;
    assert.equal(row?.text_bytes, 4_000);
    assert.match(row?.text_sha256 ?? '', /^[0-9a-f]{64}$/);
    assert.equal(row?.text, `${'ä'.repeat(500)}\n[cut: 1001 of 4000 bytes]`);
  });
});
