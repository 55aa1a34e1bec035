import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { StoreError } from '../../../agent/contract/errors.ts';
import { writeMarker } from '../../../agent/store/epoch.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { onCleanUp, tempDir } from '../../support/temp.ts';
import { commitOf, HOME, open } from './support.ts';

describe('agent/store/open-store', () => {
  it('keeps its files to itself and syncs every commit', () => {
    const dir = join(tempDir(), 'state');

    open(new FakeClock(), dir);

    assert.equal(statSync(dir).mode & 0o777, 0o700);
    assert.equal(statSync(join(dir, 'state.db')).mode & 0o777, 0o600);
  });

  it('refuses a second instance and says which process holds the directory', () => {
    const dir = tempDir();
    open(new FakeClock(), dir);

    assert.throws(
      () => open(new FakeClock(), dir),
      (error: StoreError) => error.code === 'ALREADY_RUNNING' && error.message.includes(String(process.pid)),
    );
  });

  it('takes over from a process that was killed', async () => {
    const dir = tempDir();
    const script = `import { lockInstance } from ${JSON.stringify(join(import.meta.dirname, '../../../agent/store/instance-lock.ts'))};
      globalThis.lock = lockInstance(${JSON.stringify(dir)}, process.pid); console.log('locked'); setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onCleanUp(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    assert.throws(() => open(new FakeClock(), dir), { code: 'ALREADY_RUNNING' });

    child.kill('SIGKILL');
    await once(child, 'exit');

    assert.ok(open(new FakeClock(), dir).store);
  });

  it('refuses a directory that others may write', () => {
    const dir = join(tempDir(), 'state');
    mkdirSync(dir);
    chmodSync(dir, 0o777);

    assert.throws(() => open(new FakeClock(), dir), { code: 'STATE_DIR_MODE' });
  });

  it('refuses a database of a newer version and leaves it untouched', () => {
    const dir = tempDir();
    open(new FakeClock(), dir).close();
    const db = new Database(join(dir, 'state.db'));
    db.pragma('user_version = 99');
    db.close();

    assert.throws(() => open(new FakeClock(), dir), { code: 'STORE_NEWER' });

    assert.deepEqual(
      readdirSync(dir).filter((name) => name.includes('damaged')),
      [],
    );
  });

  for (const [how, damage] of [
    [
      'overwritten with text',
      (file: string) => writeFileSync(file, 'this is no database, it is a text of some length '.repeat(100)),
    ],
    ['with a header of zeros', (file: string) => writeFileSync(file, Buffer.alloc(8192))],
    ['empty', (file: string) => writeFileSync(file, '')],
  ] as const) {
    it(`begins anew when the database is ${how}, and keeps the damaged one`, () => {
      const dir = tempDir();
      const first = open(new FakeClock(), dir);
      first.store.commit(HOME, [commitOf(['a'])]);
      first.close();
      for (const suffix of ['-wal', '-shm']) rmSync(join(dir, `state.db${suffix}`), { force: true });
      damage(join(dir, 'state.db'));

      const again = open(new FakeClock(), dir);

      assert.notEqual(again.store.epoch, first.store.epoch);
      assert.partialDeepStrictEqual(again.store.commit(HOME, [commitOf(['a'])]), { added: 1, duplicates: 0 });
      if (how !== 'empty') assert.ok(again.setAside !== undefined && existsSync(again.setAside));
    });
  }

  it('checks a large database whole only after damage was met', () => {
    const dir = tempDir();
    const file = join(dir, 'state.db');
    const first = open(new FakeClock(), dir);
    const incompressible = Array.from({ length: 4_000 }, (_, n) => Math.sin(n)).join();
    first.store.commit(HOME, [commitOf(['a', incompressible])]);
    first.close();
    const db = new Database(file);
    const { rootpage } = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'segments'").get() as {
      rootpage: number;
    };
    db.close();
    const bytes = readFileSync(file);
    bytes.fill(0xab, (rootpage - 1) * 4096, rootpage * 4096);
    writeFileSync(file, bytes);

    const large = open(new FakeClock(), dir, { fullCheckBytes: 0 });
    assert.throws(() => large.store.commit(HOME, [commitOf(['b'])]), { code: /^SQLITE_CORRUPT/ });
    large.close();
    const again = open(new FakeClock(), dir, { fullCheckBytes: 0 });

    assert.equal(large.setAside, undefined);
    assert.ok(again.setAside !== undefined && existsSync(again.setAside));
    assert.equal(again.store.commit(HOME, [commitOf(['b'])]).added, 1);
  });

  it('makes databases that can shrink', () => {
    const dir = tempDir();
    open(new FakeClock(), dir).close();
    const db = new Database(join(dir, 'state.db'));

    assert.equal(db.pragma('auto_vacuum', { simple: true }), 2);
    db.close();
  });

  it('begins anew when a directory stands in the place of the database', () => {
    const dir = tempDir();
    mkdirSync(join(dir, 'state.db'));

    const { store, setAside } = open(new FakeClock(), dir);

    assert.ok(setAside !== undefined && statSync(setAside).isDirectory());
    assert.partialDeepStrictEqual(store.commit(HOME, [commitOf(['a'])]), { added: 1, duplicates: 0 });
  });

  it('starts a new epoch when the database is behind its marker', () => {
    const dir = tempDir();
    const first = open(new FakeClock(), dir);
    first.store.commit(HOME, [commitOf(['a'])]);
    writeMarker(dir, { epoch: first.store.epoch, seq: 5 });
    first.close();

    const again = open(new FakeClock(), dir);

    assert.equal(again.lostRows, 4);
    assert.notEqual(again.store.epoch, first.store.epoch);
  });

  it('keeps its epoch when the marker is not ahead', () => {
    const dir = tempDir();
    const first = open(new FakeClock(), dir);
    first.store.commit(HOME, [commitOf(['a', 'b'])]);
    writeMarker(dir, { epoch: first.store.epoch, seq: 2 });
    first.close();

    const again = open(new FakeClock(), dir);

    assert.equal(again.lostRows, 0);
    assert.equal(again.store.epoch, first.store.epoch);
  });
});
