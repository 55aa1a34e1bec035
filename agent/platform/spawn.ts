import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import type { Home } from './homes.ts';
import { entryFile } from './paths.ts';

export interface SelfProcess {
  readonly pid: number | undefined;
  /** Both directions of the frames between the two processes. */
  readonly channel: Duplex;
  readonly stderr: Readable;
  kill(signal: NodeJS.Signals): void;
  /** Called once, with a short text on how it ended. */
  onExit(listener: (how: string) => void): void;
}

/** File descriptor of the channel in the child. */
export const CHANNEL_FD = 3;

/**
 * Starts this program again for one home, as the home's owner when we are root: it then cannot read what
 * its owner cannot. The environment is empty but for what a process needs, so that nothing the user set
 * (NODE_OPTIONS, LD_PRELOAD, CHOKIDAR_USEPOLLING) reaches it.
 */
export function spawnForHome(command: string, home: Home, memoryMb: number): SelfProcess {
  const child = spawn(
    process.execPath,
    [
      ...process.execArgv,
      '--max-semi-space-size=2',
      `--max-old-space-size=${memoryMb}`,
      entryFile(),
      command,
    ],
    {
      cwd: '/',
      env: cleanEnv(home),
      stdio: ['ignore', 'ignore', 'pipe', process.platform === 'win32' ? 'overlapped' : 'pipe'],
      windowsHide: true,
      ...ownerOf(home),
    },
  );
  return wrap(child);
}

function ownerOf(home: Home): { uid?: number; gid?: number } {
  const mayChange = process.getuid?.() === 0 && home.uid !== undefined && home.uid !== 0;
  return mayChange ? { uid: home.uid, gid: home.gid ?? home.uid } : {};
}

function cleanEnv(home: Home): NodeJS.ProcessEnv {
  const keep: NodeJS.ProcessEnv = { HOME: home.path, LANG: 'C.UTF-8' };
  for (const name of ['SystemRoot', 'TEMP']) {
    const value = process.env[name];
    if (value !== undefined) keep[name] = value;
  }
  return keep;
}

function wrap(child: ChildProcess): SelfProcess {
  const onExit = followExit(child);
  // Out of descriptors, there is no process and no stdio; its error comes a moment later.
  const [, , stderr, channel] = child.stdio ?? [];
  if (!stderr || !channel) throw new Error('the child process has no channel');
  channel.on('error', () => {});
  return {
    pid: child.pid,
    channel: channel as Duplex,
    stderr: stderr as Readable,
    kill: (signal) => void child.kill(signal),
    onExit,
  };
}

/** Listens at once: an error that nobody hears would end the keeper. One of a running process is not its end. */
function followExit(child: ChildProcess): SelfProcess['onExit'] {
  const ended = Promise.withResolvers<string>();
  child.on('error', (error) => {
    if (child.pid === undefined) ended.resolve(error.message);
  });
  child.once('close', (code, signal) => {
    ended.resolve(signal === null ? `exit code ${code}` : `signal ${signal}`);
  });
  return (listener) => void ended.promise.then(listener);
}
