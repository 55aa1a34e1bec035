import assert from 'node:assert/strict';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createLayout } from '../../../../agent/capture/layout.ts';
import { factsAt, type Method, take } from '../../../../agent/capture/vault/take.ts';
import { openVault, type VaultOptions } from '../../../../agent/capture/vault/vault.ts';
import { silentLogger } from '../../../../agent/contract/logger.ts';
import { onCleanUp, tempDir } from '../../../support/temp.ts';
import { toySource } from '../../../support/toy-source.ts';
import { storeOf } from '../support.ts';

/** Memory of Linux as a file system, where no file of a disk can have a second name. */
const OTHER_DEVICE = '/dev/shm';

function setUp(options: Partial<VaultOptions> = {}) {
  const home = tempDir();
  const store = storeOf(home);
  const dir = join(tempDir(), 'vault');
  const counted: string[] = [];
  const open = () =>
    openVault({
      dir,
      ownerUid: process.geteuid?.() ?? null,
      logger: silentLogger,
      count: (name, _, { method }) => counted.push(`${name} ${method}`),
      maxCopyBytes: 1000,
      closing: false,
      ...options,
    });
  const layout = createLayout({
    home,
    sources: [{ source: toySource, extraRoots: [], systemRoots: [], extraFiles: [] }],
  });
  function refOf(name: string) {
    const ref = layout.file(join(store, name));
    assert.ok(ref);
    return ref;
  }
  return { store, dir, counted, open, refOf };
}

function sameFile(path: string) {
  const facts = factsAt(path);
  assert.ok(facts);
  return facts;
}

describe('agent/capture/vault/vault', () => {
  it('knows after a restart what it holds', () => {
    const { store, open, refOf } = setUp();
    writeFileSync(join(store, 'a.log'), 'one\n');
    open().pin(refOf('a.log'));
    unlinkSync(join(store, 'a.log'));

    const vault = open();

    assert.deepEqual([...vault.keys()], ['.toy/a.log']);
    const [pin] = vault.of('.toy/a.log');
    assert.ok(pin);
    using file = vault.open(pin);
    assert.equal(file?.read(0, 100).toString(), 'one\n');
  });

  it('pins a file once, and each file that stands under its name', () => {
    const { store, counted, open, refOf } = setUp();
    const vault = open();
    for (let round = 0; round < 6; round++) {
      writeFileSync(join(store, 'a.log'), `${round}\n`);
      vault.pin(refOf('a.log'));
      vault.pin(refOf('a.log'));
      if (round < 5) unlinkSync(join(store, 'a.log'));
    }

    assert.deepEqual(
      vault.of('.toy/a.log').map(({ path }) => readFileSync(path, 'utf8')),
      ['2\n', '3\n', '4\n', '5\n'],
    );
    assert.equal(counted.filter((name) => name === 'holdfast_pins_total link').length, 6);
  });

  it('leaves links to other places, and what is not a plain file, alone', () => {
    const { store, open, refOf } = setUp();
    writeFileSync(join(store, 'secret'), 'token');
    symlinkSync(join(store, 'secret'), join(store, 'a.log'));
    const vault = open();

    vault.pin(refOf('a.log'));
    vault.pin(refOf('nothing.log'));

    assert.equal(vault.size, 0);
  });

  it('removes what is no pin from its own directory, and nothing that a pin leads to', () => {
    const { store, dir, open, refOf } = setUp();
    writeFileSync(join(store, 'a.log'), 'one\n');
    open().pin(refOf('a.log'));
    symlinkSync(join(store, 'a.log'), join(dir, 'strange~1-2-3.link'));
    writeFileSync(join(dir, 'half~1-2-3.link.half'), '');

    const vault = open();

    assert.equal(vault.size, 1);
    assert.equal(readFileSync(join(store, 'a.log'), 'utf8'), 'one\n');
    assert.equal(statSync(join(dir, 'half~1-2-3.link.half'), { throwIfNoEntry: false }), undefined);
  });

  it('reads a copy as the file that it was taken of', () => {
    const { store, dir, open } = setUp();
    const from = join(store, 'a.log');
    writeFileSync(from, 'one\n');
    const facts = sameFile(from);
    const name = `a.log~${facts.dev}-${facts.ino}-${facts.birthNs}.copy`;
    const to = join(dir, '.toy', name);

    assert.equal(take('copy', { from, to, identity: facts, ownerUid: facts.uid }), 'taken');
    unlinkSync(from);
    const vault = open();
    const [pin] = vault.of('.toy/a.log');
    assert.ok(pin);
    using file = vault.open(pin);

    assert.equal(file?.facts.ino, facts.ino);
    assert.equal(file?.facts.birthNs, facts.birthNs);
    assert.ok(Math.abs((file?.facts.mtimeMs ?? 0) - facts.mtimeMs) <= 1);
  });

  for (const method of ['link', 'clone', 'copy'] satisfies Method[])
    it(`does not take another file that got the name meanwhile (${method})`, () => {
      const { store, dir } = setUp();
      const from = join(store, 'a.log');
      writeFileSync(from, 'one\n');
      const identity = sameFile(from);
      linkSync(from, join(store, 'kept'));
      unlinkSync(from);
      writeFileSync(from, 'other\n');
      const to = join(dir, 'pin');

      const outcome = take(method, { from, to, identity, ownerUid: identity.uid });

      assert.ok(outcome === 'gone' || (method === 'clone' && outcome === 'unable'), outcome);
      assert.equal(factsAt(to), undefined);
      assert.equal(factsAt(`${to}.half`), undefined);
    });

  if (existsSync(OTHER_DEVICE))
    it('copies to another device, within its bounds', () => {
      const dir = mkdtempSync(join(OTHER_DEVICE, 'holdfast-'));
      onCleanUp(() => rmSync(dir, { recursive: true }));
      const { store, counted, open, refOf } = setUp({ dir });
      for (const name of ['a.log', 'b.log', 'c.log']) writeFileSync(join(store, name), 'x'.repeat(400));
      const vault = open();
      vault.pin(refOf('a.log'));
      vault.pin(refOf('b.log'));
      vault.pin(refOf('c.log'));
      assert.deepEqual([...vault.keys()], ['.toy/a.log', '.toy/b.log']);
      assert.equal(counted.at(-1), 'holdfast_pins_total none');

      for (const pin of vault.of('.toy/a.log')) pin.readSize = pin.size;
      vault.pin(refOf('c.log'));
      assert.deepEqual([...vault.keys()], ['.toy/b.log', '.toy/c.log']);
    });

  it('does without a directory that it may not enter', () => {
    const { store, dir, open, refOf } = setUp({ dir: join('/proc', 'vault') });
    writeFileSync(join(store, 'a.log'), 'one\n');
    const vault = open();

    vault.pin(refOf('a.log'));

    assert.equal(vault.size, 0);
    assert.equal(existsSync(dir), false);
  });

  it('sees what is appended to a file through its link', () => {
    const { store, open, refOf } = setUp();
    writeFileSync(join(store, 'a.log'), 'one\n');
    const vault = open();
    vault.pin(refOf('a.log'));
    appendFileSync(join(store, 'a.log'), 'two\n');

    const [pin] = vault.of('.toy/a.log').filter(({ kind }) => kind === 'link');
    assert.ok(pin);
    using file = vault.open(pin);

    assert.equal(file?.read(0, 100).toString(), 'one\ntwo\n');
  });
});
