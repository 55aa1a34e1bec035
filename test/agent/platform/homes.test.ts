import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findHomes } from '../../../agent/platform/homes.ts';
import type { PlatformFacts } from '../../../agent/platform/paths.ts';
import { becomeOrdinary, ordinaryDir } from '../../support/ordinary-user.ts';
import { tempDir } from '../../support/temp.ts';

const AUTO = { homes: 'auto', homesRoot: null } as const;

describe('agent/platform/homes', () => {
  it('takes the homes that the configuration names, with their owners', () => {
    const dir = tempDir();
    const alice = makeHome(dir, 'alice');

    const { homes, unreadable } = findHomes({ homes: [alice], homesRoot: null }, service());

    assert.deepEqual(homes, [
      { path: alice, user: 'alice', uid: process.getuid?.(), gid: process.getgid?.() },
    ]);
    assert.deepEqual(unreadable, []);
  });

  it('says why a named home cannot be observed', () => {
    const dir = ordinaryDir();
    const file = join(dir, 'file');
    writeFileSync(file, '');
    const closed = makeHome(dir, 'closed');
    chmodSync(closed, 0o000);
    becomeOrdinary();

    const { homes, unreadable } = findHomes(
      { homes: [join(dir, 'none'), file, closed], homesRoot: null },
      service(),
    );

    assert.deepEqual(homes, []);
    assert.deepEqual(
      unreadable.map(({ reason }) => reason),
      ['ENOENT', 'ENOTDIR', 'EACCES'],
    );
  });

  it("finds people's homes in the list of accounts of a Linux service", () => {
    const dir = tempDir();
    const [alice, bob, root] = ['alice', 'bob', 'root'].map((name) => makeHome(dir, name));
    const passwd = [
      `root:x:0:0:root:${root}:/bin/bash`,
      `daemon:x:1:1::${alice}:/bin/sh`,
      `alice:x:1000:1000:Alice,,,:${alice}:/bin/bash`,
      `bob:x:1001:1001::${bob}:`,
      `twin:x:1002:1002::${bob}:/bin/zsh`,
      `runner:x:1003:1003::${alice}:/usr/sbin/nologin`,
      `builder:x:1004:1004::${alice}:/bin/false`,
      `nobody:x:65534:65534::${alice}:/bin/sh`,
      'slash:x:1005:1005::/:/bin/bash',
      'relative:x:1006:1006::home:/bin/bash',
      `odd:x:abc:1::${alice}:/bin/bash`,
      '',
      'cut',
    ].join('\n');

    const { homes, unreadable } = findHomes(AUTO, service(), () => passwd);

    assert.deepEqual(
      homes.map(({ path, user }) => [path, user]),
      [
        [root, 'root'],
        [alice, 'alice'],
        [bob, 'twin'],
      ],
    );
    assert.deepEqual(unreadable, []);
  });

  it('takes an account without a home for no trouble, but a home that may not be entered for one', () => {
    const dir = ordinaryDir();
    const closed = makeHome(dir, 'closed');
    chmodSync(closed, 0o000);
    becomeOrdinary();
    const passwd = `a:x:1000:1000::${dir}/none:/bin/bash\nb:x:1001:1001::${closed}:/bin/bash\n`;

    const { unreadable } = findHomes(AUTO, service(), () => passwd);

    assert.deepEqual(unreadable, [{ path: closed, reason: 'EACCES' }]);
  });

  it('takes the sub-directories of homes_root, but not what is nobody’s', () => {
    const dir = tempDir();
    for (const name of ['alice', 'bob', 'Public', 'Shared', 'lost+found', '.cache']) makeHome(dir, name);
    writeFileSync(join(dir, 'file'), '');
    symlinkSync(join(dir, 'alice'), join(dir, 'link'));

    const { homes } = findHomes({ homes: 'auto', homesRoot: dir }, service());

    assert.deepEqual(
      homes.map(({ user }) => user),
      ['alice', 'bob'],
    );
  });

  it('says that homes_root is not there', () => {
    const root = join(tempDir(), 'none');

    const { homes, unreadable } = findHomes({ homes: 'auto', homesRoot: root }, service());

    assert.deepEqual([homes, unreadable], [[], [{ path: root, reason: 'ENOENT' }]]);
  });

  it('takes the home of the user who runs it when it is no service', () => {
    const home = tempDir();

    const { homes } = findHomes(AUTO, { ...service(), system: false, home }, () => 'a:x:1000:1::/:/bin/sh');

    assert.deepEqual(
      homes.map(({ path }) => path),
      [home],
    );
  });

  it('names a home that is gone even when it is our own', () => {
    const home = join(tempDir(), 'none');

    const { unreadable } = findHomes(AUTO, { ...service(), system: false, home });

    assert.deepEqual(unreadable, [{ path: home, reason: 'ENOENT' }]);
  });

  it('looks on Windows where the system drive has its users', () => {
    const windows = { ...service(), platform: 'win32', env: { SystemDrive: 'Z:' } } as const;

    assert.deepEqual(findHomes(AUTO, windows).unreadable, [{ path: 'Z:\\Users', reason: 'ENOENT' }]);
  });

  it('knows no owner on Windows', () => {
    const alice = makeHome(tempDir(), 'alice');

    const { homes } = findHomes({ homes: [alice], homesRoot: null }, { ...service(), platform: 'win32' });

    assert.deepEqual(homes, [{ path: alice, user: 'alice', uid: undefined, gid: undefined }]);
  });
});

function service(): PlatformFacts {
  return { platform: 'linux', home: '/root', tmp: '/tmp', system: true, env: {} };
}

function makeHome(dir: string, name: string): string {
  const home = join(dir, name);
  mkdirSync(home);
  return home;
}
