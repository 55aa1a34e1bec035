import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createLogger } from '../../../agent/telemetry/logger.ts';
import { createRotatingFile } from '../../../agent/telemetry/rotating-file.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { tempDir } from '../../support/temp.ts';
import { until } from '../../support/until.ts';

function setUp({ maxBytes = 1000, maxFiles = 3, path = join(tempDir(), 'logs', 'holdfast.log') } = {}) {
  const clock = new FakeClock();
  const troubles: unknown[] = [];
  const failed: string[] = [];
  const file = createRotatingFile({
    path,
    maxBytes,
    maxFiles,
    clock,
    troubled: (error) => troubles.push(error),
  });
  const write = (line: string): void => file.write(line, (lost) => failed.push(lost));
  return { clock, file, write, path, troubles, failed };
}

describe('agent/telemetry/rotating-file', () => {
  it('appends to what is there, in folder and file of its own user only', async () => {
    const { file, write, path } = setUp();
    mkdirSync(join(path, '..'));
    writeFileSync(path, 'before\n');
    rmSync(path);

    write('one');
    write('two');
    await file.close();
    const again = setUp({ path });
    again.write('three');
    await again.file.close();

    assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\nthree\n');
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('rotates by size, keeps so many files, loses no line and splits none', async () => {
    const { file, write, path } = setUp({ maxBytes: 100, maxFiles: 3 });

    for (let i = 0; i < 40; i++) write(`line ${String(i).padStart(3, '0')}`);
    await file.close();

    const names = readdirSync(join(path, '..')).sort();
    assert.deepEqual(names, ['holdfast.log', 'holdfast.log.1', 'holdfast.log.2']);
    const kept = ['.2', '.1', '']
      .map((end) => readFileSync(`${path}${end}`, 'utf8'))
      .join('')
      .trimEnd()
      .split('\n');
    assert.equal(kept.at(-1), 'line 039');
    assert.deepEqual(
      kept,
      kept.map((_, i) => `line ${String(40 - kept.length + i).padStart(3, '0')}`),
    );
    for (const name of names) assert.ok(statSync(join(path, '..', name)).size <= 100);
  });

  it('begins anew when one file only is kept', async () => {
    const { file, write, path } = setUp({ maxBytes: 30, maxFiles: 1 });

    for (let i = 0; i < 10; i++) write(`number ${i}`);
    await file.close();

    assert.deepEqual(readdirSync(join(path, '..')), ['holdfast.log']);
    assert.ok(readFileSync(path, 'utf8').endsWith('number 9\n'));
    assert.ok(statSync(path).size <= 30);
  });

  it('writes a line longer than the bound whole', async () => {
    const { file, write, path } = setUp({ maxBytes: 10 });

    write('a'.repeat(50));
    write('b');
    await file.close();

    assert.equal(readFileSync(`${path}.1`, 'utf8'), `${'a'.repeat(50)}\n`);
    assert.equal(readFileSync(path, 'utf8'), 'b\n');
  });

  it('hands lines back while the file cannot be written, and takes it up again later', async () => {
    const { clock, file, write, path, troubles, failed } = setUp();
    mkdirSync(join(path, '..'));
    mkdirSync(path);

    write('one');
    await until('the failure', () => failed.length === 1);
    write('two');
    rmSync(path, { recursive: true });
    await clock.advance(30_000);
    write('three');
    await file.close();

    assert.deepEqual(failed, ['one', 'two']);
    assert.equal(troubles.length, 1);
    assert.equal(readFileSync(path, 'utf8'), '\nthree\n');
  });

  it('does not write through a link that someone put in its place', async () => {
    const { file, write, path, failed } = setUp();
    const victim = join(tempDir(), 'victim');
    mkdirSync(join(path, '..'));
    writeFileSync(victim, 'mine');
    symlinkSync(victim, path);

    write('one');
    await file.close();

    assert.deepEqual(failed, ['one']);
    assert.equal(readFileSync(victim, 'utf8'), 'mine');
  });

  it('reports a full disk as the system does', async () => {
    if (!existsSync('/dev/full')) return;
    const { file, write, troubles, failed } = setUp({ path: '/dev/full' });

    write('one');
    await file.close();

    assert.deepEqual(failed, ['one']);
    assert.match(String(troubles[0]), /ENOSPC/);
  });
});

describe('agent/telemetry/logger with a file', () => {
  it('logs to the file and leaves standard error alone', async () => {
    const stream = new PassThrough();
    const file = join(tempDir(), 'x', 'holdfast.log');
    const logger = createLogger({ level: 'info', clock: new FakeClock(), file, stream });

    logger.info('hello');
    await logger.close();

    assert.match(readFileSync(file, 'utf8'), /^\S+ info {2}holdfast hello\n$/);
    assert.equal(stream.read(), null);
  });

  it('goes on at standard error when the disk is full, says so, and loses nothing', async () => {
    const stream = new PassThrough();
    const folder = tempDir();
    const file = join(folder, 'holdfast.log');
    mkdirSync(file);
    const logger = createLogger({ level: 'info', clock: new FakeClock(), file, stream });

    logger.info('one');
    logger.info('two');
    await until('both lines', () => stream.readableLength > 150);
    logger.info('three');
    await logger.close();

    const shown = String(stream.read());
    for (const word of ['one', 'two', 'three']) assert.match(shown, new RegExp(`info {2}holdfast ${word}\n`));
    assert.match(
      shown,
      /warn {2}log the log file cannot be written.* event=log\.file_failed reason=EISDIR\n/,
    );
    assert.equal(logger.counts().lost, 0);
    chmodSync(folder, 0o700);
  });
});
