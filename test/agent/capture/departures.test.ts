import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DeletionBurst } from '../../../agent/contract/lifecycle.ts';
import type { Source } from '../../../agent/contract/source.ts';
import type { MemoryPort } from '../../support/memory-port.ts';
import { tempDir } from '../../support/temp.ts';
import { toySource } from '../../support/toy-source.ts';
import { until } from '../../support/until.ts';
import { quiet, startCapture, storeOf } from './support.ts';

const DAY_MS = 86_400_000;

/** The toy source, which keeps what it is asked to judge, and keeps files as long as its grants say. */
function judging(bursts: DeletionBurst[]): Source {
  return {
    ...toySource,
    files: toySource.files.map((spec) => (spec.kind === 'standing' ? { ...spec, read: asRetention } : spec)),
    retention: ({ settings }) => ({
      days: Number(settings.find(({ key }) => key === 'days')?.value ?? 30),
      count: null,
    }),
    causesOfDeletion(burst) {
      bursts.push(burst);
      return burst.files.map(() => 'user');
    },
  };
}

const asRetention: Extract<Source['files'][number], { kind: 'standing' }>['read'] = ({ bytes }) => {
  const [key = '', value = ''] = bytes.toString('utf8').trim().split('=');
  const entry = {
    key,
    value,
    label: 'session retention',
    event: 'retention.setting',
    subject: `${key}=${value}`,
  } as const;
  return { kind: 'entries', entries: [entry] };
};

function deletions(port: MemoryPort) {
  return port.rows.filter(({ event }) => event === 'session.deleted');
}

function age(path: string, days: number): void {
  const then = new Date(Date.now() - days * DAY_MS);
  utimesSync(path, then, then);
}

describe('agent/capture/departures', () => {
  it('judges files that go away within moments of one another together', async () => {
    const home = tempDir();
    const store = storeOf(home);
    for (const name of ['a', 'b', 'c']) writeFileSync(join(store, `${name}.log`), 'one\n');
    const bursts: DeletionBurst[] = [];
    const { port } = await startCapture(home, { source: judging(bursts) });

    unlinkSync(join(store, 'a.log'));
    await quiet(350);
    unlinkSync(join(store, 'b.log'));
    await until('both deletions', () => deletions(port).length === 2);

    assert.equal(bursts.length, 1);
    assert.deepEqual(bursts[0]?.files.map(({ path }) => path).sort(), ['a.log', 'b.log']);
    assert.deepEqual(
      bursts[0]?.left.map(({ path }) => path),
      ['c.log'],
    );
  });

  it('says why a session went away, how old it was and how much of it is held', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, 'one\ntwo\n');
    const { port } = await startCapture(home, { source: judging([]) });
    appendFileSync(log, 'three\n');
    await until('the line', () => port.texts().includes('three'));
    age(log, 3);
    await quiet();

    unlinkSync(log);
    await until('the deletion', () => deletions(port).length === 1);

    const { attributes, text } = deletions(port)[0] ?? {};
    assert.deepEqual(attributes, {
      cause: 'user',
      age_days: 3,
      rows_held: 3,
      retention_days: 30,
      while_stopped: false,
      file_kind: 'log',
      bytes_read: 14,
      last_changed: attributes?.['last_changed'],
    });
    assert.match(text ?? '', /somebody deleted it.*3 days old; 3 rows of it are held/);
  });

  it('counts what is held on over a restart', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, 'one\ntwo\n');
    const first = await startCapture(home);
    await first.capture.stop();
    appendFileSync(log, 'three\n');
    const second = await startCapture(home, { port: first.port });
    await until('the line', () => second.port.texts().includes('three'));

    unlinkSync(log);
    await until('the deletion', () => deletions(second.port).length === 1);

    assert.equal(deletions(second.port)[0]?.attributes['rows_held'], 3);
  });

  it('says of what went away while it was not running that it did, under one id whoever tells it', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, 'one\n');
    const first = await startCapture(home);
    await first.capture.stop();
    const before = new Map(first.port.cursors);
    unlinkSync(log);

    const second = await startCapture(home, { port: first.port });
    await until('the deletion', () => deletions(second.port).length === 1);
    await second.capture.stop();
    for (const [key, cursor] of before) second.port.cursors.set(key, cursor);
    const third = await startCapture(home, { port: second.port });
    await until('the deletion again', () => third.port.duplicates === 1);

    const [told] = deletions(third.port);
    assert.equal(deletions(third.port).length, 1);
    assert.equal(told?.attributes['while_stopped'], true);
    assert.match(told?.text ?? '', /while Holdfast was not running/);
  });

  it('tells nothing of a file that is there again before the burst is over', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, 'one\n');
    const bursts: DeletionBurst[] = [];
    const { port } = await startCapture(home, { source: judging(bursts) });

    unlinkSync(log);
    await quiet(500);
    writeFileSync(log, 'two\n');
    await until('the new file', () => port.texts().includes('two'));
    await quiet(900);

    assert.deepEqual(deletions(port), []);
    assert.ok(port.cursors.has('.toy/a.log'));
  });

  it('tells whether the folder or the whole store went along', async () => {
    const home = tempDir();
    const store = storeOf(home);
    mkdirSync(join(store, 'folder'));
    writeFileSync(join(store, 'folder', 'a.log'), 'one\n');
    writeFileSync(join(store, 'b.log'), 'one\n');
    const bursts: DeletionBurst[] = [];
    const { port } = await startCapture(home, { source: judging(bursts) });

    rmSync(join(store, 'folder'), { recursive: true });
    await until('the first deletion', () => deletions(port).length === 1);
    rmSync(store, { recursive: true });
    await until('the second deletion', () => deletions(port).length === 2);

    assert.deepEqual(
      bursts.map(({ files }) => files.map(({ alongWith }) => alongWith)),
      [['folder'], ['store']],
    );
  });

  it('knows no cause where the source names none', async () => {
    const home = tempDir();
    const log = join(storeOf(home), 'a.log');
    writeFileSync(log, 'one\n');
    const { port } = await startCapture(home);

    unlinkSync(log);
    await until('the deletion', () => deletions(port).length === 1);

    assert.equal(deletions(port)[0]?.attributes['cause'], 'unknown');
  });

  it('says of an old session that it reads for the first time how long it would still be kept', async () => {
    const home = tempDir();
    const store = storeOf(home);
    writeFileSync(join(store, 'settings.grants'), 'days=14\n');
    for (const [name, days] of [
      ['new', 0],
      ['old', 10],
      ['overdue', 15],
    ] as const) {
      writeFileSync(join(store, `${name}.log`), 'one\n');
      age(join(store, `${name}.log`), days);
    }

    const first = await startCapture(home, { source: judging([]), firstScan: true });
    await first.capture.stop();
    const second = await startCapture(home, { source: judging([]), port: first.port });
    await quiet();

    const told = second.port.rows.filter(({ event }) => event === 'session.expiry');
    assert.deepEqual(told.map(({ session_id, attributes }) => [session_id, attributes['days_left']]).sort(), [
      ['old', 4],
      ['overdue', -1],
    ]);
  });
});
