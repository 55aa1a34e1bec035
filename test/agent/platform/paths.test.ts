import assert from 'node:assert/strict';
import { controlPath, ownPaths, type PlatformFacts } from '../../../agent/platform/paths.ts';

const LINUX: PlatformFacts = { platform: 'linux', home: '/home/alice', tmp: '/tmp', system: false, env: {} };
const MAC: PlatformFacts = { ...LINUX, platform: 'darwin', home: '/Users/alice' };
const WINDOWS: PlatformFacts = {
  platform: 'win32',
  home: 'C:\\Users\\alice',
  tmp: 'C:\\Temp',
  system: false,
  env: { LOCALAPPDATA: 'C:\\L', APPDATA: 'C:\\R', ProgramData: 'D:\\PD' },
};
const ROOT = { system: true } as const;

describe('agent/platform/paths', () => {
  for (const [who, facts, stateDir, configFile] of [
    ['a Linux user', LINUX, '/home/alice/.local/state/holdfast', '/home/alice/.config/holdfast/config.yaml'],
    [
      'a Linux user with XDG directories',
      { ...LINUX, env: { XDG_STATE_HOME: '/s', XDG_CONFIG_HOME: '/c' } },
      '/s/holdfast',
      '/c/holdfast/config.yaml',
    ],
    ['a Linux service', { ...LINUX, ...ROOT }, '/var/lib/holdfast', '/etc/holdfast/config.yaml'],
    [
      'a Linux service, whatever root has set for itself',
      { ...LINUX, ...ROOT, env: { XDG_STATE_HOME: '/s', XDG_CONFIG_HOME: '/c' } },
      '/var/lib/holdfast',
      '/etc/holdfast/config.yaml',
    ],
    [
      'a systemd unit with directories of its own',
      { ...LINUX, ...ROOT, env: { STATE_DIRECTORY: '/var/lib/hf', CONFIGURATION_DIRECTORY: '/etc/hf' } },
      '/var/lib/hf',
      '/etc/hf/config.yaml',
    ],
    [
      'a systemd unit with several directories',
      { ...LINUX, ...ROOT, env: { STATE_DIRECTORY: '/var/lib/hf:/var/lib/other' } },
      '/var/lib/hf',
      '/etc/holdfast/config.yaml',
    ],
    [
      'a Mac user',
      MAC,
      '/Users/alice/Library/Application Support/Holdfast/state',
      '/Users/alice/Library/Application Support/Holdfast/config.yaml',
    ],
    [
      'a Mac service',
      { ...MAC, ...ROOT },
      '/Library/Application Support/Holdfast/state',
      '/Library/Application Support/Holdfast/config.yaml',
    ],
    ['a Windows user', WINDOWS, 'C:\\L\\Holdfast\\state', 'C:\\R\\Holdfast\\config.yaml'],
    [
      'a Windows service',
      { ...WINDOWS, ...ROOT },
      'D:\\PD\\Holdfast\\state',
      'D:\\PD\\Holdfast\\config.yaml',
    ],
    [
      'a Windows user without variables',
      { ...WINDOWS, env: {} },
      'C:\\Users\\alice\\AppData\\Local\\Holdfast\\state',
      'C:\\Users\\alice\\AppData\\Roaming\\Holdfast\\config.yaml',
    ],
    [
      'a Windows service without variables',
      { ...WINDOWS, ...ROOT, env: {} },
      'C:\\ProgramData\\Holdfast\\state',
      'C:\\ProgramData\\Holdfast\\config.yaml',
    ],
  ] as const) {
    it(`finds the places of ${who}`, () => {
      const paths = ownPaths(facts);

      assert.equal(paths.stateDir, stateDir);
      assert.equal(paths.configFile, configFile);
      assert.ok(paths.confDir.endsWith('conf.d'));
    });
  }

  it('puts the control socket into the state directory while its address has room', () => {
    const short = controlPath(LINUX, '/var/lib/holdfast', () => 'd1gest');
    const long = controlPath(LINUX, `/var/${'x'.repeat(100)}`, () => 'd1gest');

    assert.equal(short, '/var/lib/holdfast/control.sock');
    assert.equal(long, '/tmp/holdfast-d1gest/control.sock');
  });

  it('names a pipe on Windows after the state directory, however that is spelled', () => {
    const digested: string[] = [];
    const digest = (text: string) => {
      digested.push(text);
      return 'd1gest';
    };

    const path = controlPath(WINDOWS, 'C:\\ProgramData\\Holdfast', digest);
    controlPath(WINDOWS, 'c:\\programdata\\holdfast', digest);

    assert.equal(path, '\\\\.\\pipe\\holdfast-d1gest');
    assert.equal(digested[0], digested[1]);
  });
});
