import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../support/run-command.ts';
import { tempDir } from '../../support/temp.ts';

describe('agent/cli/program', () => {
  it('ends with 2 on what it does not understand, and says so', async () => {
    const wrong: [word: string, ...args: string[]][] = [
      ['Usage'],
      ["unknown command 'frobnicate'", 'frobnicate'],
      ["unknown option '--frobnicate'", 'status', '--frobnicate'],
      ['one of text, jsonl, csv', 'scan', '-f', 'xml'],
      ['whole number', 'tail', '--since', '-1'],
      ['/none/config.yaml', '-c', '/none/config.yaml', 'status'],
    ];

    const results = await Promise.all(wrong.map(([, ...args]) => runCommand(...args)));

    for (const [index, { code, stdout, stderr }] of results.entries()) {
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.ok(stderr.includes(wrong[index]?.[0] ?? '?'), stderr);
    }
  });

  it('ends with 2 on a bad configuration, and tells every place in it', async () => {
    const file = configFile('homes: 7\nlabels:\n  team: red\nsweep: 5\n');

    const { code, stderr } = await runCommand('-c', file, 'status');

    assert.equal(code, 2);
    assert.ok(stderr.includes(`${file}:1:1: homes:`), stderr);
    assert.ok(stderr.includes(`${file}:4:1: `), stderr);
    assert.doesNotMatch(stderr, /\n\s+at /, 'no stack');
  });

  it('answers help and version with 0', async () => {
    const [help, version] = await Promise.all([runCommand('--help'), runCommand('--version')]);

    assert.deepEqual([help.code, version.code], [0, 0]);
    assert.match(help.stdout, /Usage: holdfast/);
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  });

  it('tells its version to programs', async () => {
    const { code, stdout } = await runCommand('version', '--json');

    const facts = JSON.parse(stdout) as Record<string, unknown>;
    assert.equal(code, 0);
    assert.match(String(facts['version']), /^\d+\.\d+\.\d+/);
    assert.deepEqual([facts['row_schema'], facts['node']], [1, process.versions.node]);
  });

  it('ends with 3 when nothing runs that it could ask', async () => {
    const commands = [['status', '--json'], ['tail'], ['show', 'abc']];

    const results = await Promise.all(commands.map((args) => runCommand('--state-dir', tempDir(), ...args)));

    for (const { code, stdout, stderr } of results) {
      assert.deepEqual([code, stdout], [3, '']);
      assert.match(stderr, /Holdfast is not running/);
    }
  });

  for (const [what, prepare, word] of [
    ['when something else lies at the control socket', controlTaken, /control\.sock/],
    ['when its state directory is open to others', openState, /can be written by others/],
    ['when its state directory cannot be made', noState, /cannot create the state directory/],
  ] as const) {
    it(`does not start, and ends with 3, ${what}`, async () => {
      const stateDir = prepare(tempDir());
      const file = configFile(`homes: [${tempDir()}]\nstate_dir: ${stateDir}\ncollector: { port: 0 }\n`);

      const { code, stderr } = await runCommand('-c', file, 'run');

      assert.equal(code, 3, stderr);
      assert.match(stderr, word);
    });
  }
});

function configFile(text: string): string {
  const file = join(tempDir(), 'config.yaml');
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

function controlTaken(dir: string): string {
  writeFileSync(join(dir, 'control.sock'), 'no socket');
  return dir;
}

function openState(dir: string): string {
  const stateDir = join(dir, 'state');
  mkdirSync(stateDir);
  chmodSync(stateDir, 0o777);
  return stateDir;
}

function noState(dir: string): string {
  writeFileSync(join(dir, 'file'), '');
  return join(dir, 'file', 'state');
}
