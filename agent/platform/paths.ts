import { homedir, tmpdir } from 'node:os';
import { dirname, join, posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';

type Env = Readonly<Record<string, string | undefined>>;

/** What decides where Holdfast's own files lie; taken apart so that every platform can be tested on one. */
export interface PlatformFacts {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly tmp: string;
  /** True for a service: root, or LocalSystem. */
  readonly system: boolean;
  readonly env: Env;
}

export interface OwnPaths {
  readonly stateDir: string;
  readonly configFile: string;
  readonly confDir: string;
}

/** Facts of this process. */
export function platformFacts(env: Env = process.env): PlatformFacts {
  return {
    platform: process.platform,
    home: homedir(),
    tmp: tmpdir(),
    system: process.platform === 'win32' ? env['USERNAME']?.endsWith('$') === true : process.getuid?.() === 0,
    env,
  };
}

/** systemd's own directories win over built-in ones; it names several with colons between them, ours first. */
export function ownPaths(facts: PlatformFacts): OwnPaths {
  const configDir = firstOf(facts.env['CONFIGURATION_DIRECTORY']) ?? defaultConfigDir(facts);
  const path = facts.platform === 'win32' ? win32 : posix;
  return {
    stateDir: firstOf(facts.env['STATE_DIRECTORY']) ?? defaultStateDir(facts),
    configFile: path.join(configDir, 'config.yaml'),
    confDir: path.join(configDir, 'conf.d'),
  };
}

/**
 * The control socket of a state directory: a Unix socket inside it, or a named pipe on Windows. A path
 * too long for a socket address (about 100 bytes) moves to the temporary directory under a hash.
 */
export function controlPath(
  facts: PlatformFacts,
  stateDir: string,
  digest: (text: string) => string,
): string {
  if (facts.platform === 'win32') return `\\\\.\\pipe\\holdfast-${digest(stateDir.toLowerCase())}`;
  const inside = join(stateDir, 'control.sock');
  return Buffer.byteLength(inside) <= 100
    ? inside
    : join(facts.tmp, `holdfast-${digest(stateDir)}`, 'control.sock');
}

/** Root of the program's own files: the folder that holds agent/ when run from source. */
export function programDir(): string {
  return dirname(dirname(dirname(fileURLToPath(import.meta.url))));
}

/** The file that starts this program again when it is run from source or from a bundle. */
export function entryFile(): string {
  return process.argv[1] ?? join(programDir(), 'agent', 'main.ts');
}

function defaultStateDir({ platform, home, system, env }: PlatformFacts): string {
  switch (platform) {
    case 'win32':
      return win32.join(
        system ? programData(env) : (env['LOCALAPPDATA'] ?? win32.join(home, 'AppData', 'Local')),
        'Holdfast',
        'state',
      );
    case 'darwin':
      return posix.join(system ? '/' : home, 'Library', 'Application Support', 'Holdfast', 'state');
    default:
      return system
        ? '/var/lib/holdfast'
        : posix.join(env['XDG_STATE_HOME'] ?? posix.join(home, '.local', 'state'), 'holdfast');
  }
}

function defaultConfigDir({ platform, home, system, env }: PlatformFacts): string {
  switch (platform) {
    case 'win32':
      return win32.join(
        system ? programData(env) : (env['APPDATA'] ?? win32.join(home, 'AppData', 'Roaming')),
        'Holdfast',
      );
    case 'darwin':
      return posix.join(system ? '/' : home, 'Library', 'Application Support', 'Holdfast');
    default:
      return system
        ? '/etc/holdfast'
        : posix.join(env['XDG_CONFIG_HOME'] ?? posix.join(home, '.config'), 'holdfast');
  }
}

function firstOf(directories: string | undefined): string | undefined {
  return directories?.split(':')[0];
}

function programData(env: Env): string {
  return env['ProgramData'] ?? 'C:\\ProgramData';
}
