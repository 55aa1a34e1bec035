import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '../../support/temp.ts';

const SPAWN = join(import.meta.dirname, '../../../agent/platform/spawn.ts');

/** What a keeper does: starts itself again; as the child, says what it sees, and ends as it is told. */
const PROGRAM = `
  import { spawnForHome, CHANNEL_FD } from ${JSON.stringify(SPAWN)};
  import { openSync, writeSync } from 'node:fs';
  const home = { path: '/home/alice', user: 'alice', uid: undefined, gid: undefined };
  function start(command, uid) {
    const child = spawnForHome(command, { ...home, uid, gid: uid }, 64);
    child.channel.on('data', (chunk) => process.stdout.write(chunk));
    child.onExit((how) => console.log(how));
    return child;
  }
  switch (process.argv[2]) {
    case 'look':
      writeSync(CHANNEL_FD, JSON.stringify({ cwd: process.cwd(), env: process.env, uid: process.getuid() }) + '\\n');
      process.exit(7);
    case 'wait': setInterval(() => {}, 1000); break;
    case 'try-look': start('look'); break;
    case 'try-kill': setTimeout(() => child.kill('SIGKILL'), 200); var child = start('wait'); break;
    case 'try-full': {
      try { for (;;) openSync('/dev/null'); } catch {}
      try { start('look'); } catch (error) { console.log(error.message); }
      setTimeout(() => console.log('goes on'), 100);
    }
  }
`;

describe('agent/platform/spawn', () => {
  it('starts itself with an empty environment, and tells with which code it ended', () => {
    const [seen = '', how] = run('try-look', { NODE_OPTIONS: '--no-warnings', LD_TEST: 'x' });

    const { env, cwd } = JSON.parse(seen) as { env: Record<string, string>; cwd: string };
    assert.deepEqual(env, { HOME: '/home/alice', LANG: 'C.UTF-8' });
    assert.equal(cwd, '/');
    assert.equal(how, 'exit code 7');
  });

  it('tells by which signal it ended', () => {
    assert.deepEqual(run('try-kill'), ['signal SIGKILL']);
  });

  it('survives that the system has no descriptors left for a process', () => {
    const lines = run('try-full', {}, 'ulimit -n 40; ');

    assert.equal(lines.at(-1), 'goes on');
    assert.equal(lines.length, 2, lines.join('\n'));
  });
});

function run(command: string, env: Record<string, string> = {}, before = ''): string[] {
  const program = join(tempDir(), 'program.mjs');
  writeFileSync(program, PROGRAM);
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', `${before}exec "$0" "$1" "$2"`, process.execPath, program, command],
    { encoding: 'utf8', env, timeout: 10_000 },
  );
  assert.equal(stderr, '');
  return stdout.trim().split('\n');
}
