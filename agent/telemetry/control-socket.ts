import { chmodSync, lstatSync, mkdirSync, type Stats, unlinkSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { dirname } from 'node:path';
import { EnvironmentError, errnoOf } from '../contract/errors.ts';

/** A socket address holds 104 bytes on macOS and 108 on Linux, with its end mark. Longer ones get cut. */
const MAX_PATH_BYTES = 103;

/** Named pipes of Windows live in a namespace of their own: no folder, no mode, no leftovers. */
export function isNamedPipe(path: string): boolean {
  return /^\\\\[.?]\\pipe\\/i.test(path);
}

/**
 * Makes the server listen at the path. A Unix socket lies in a folder that only its owner can enter; one
 * that an ended process left behind is replaced, one that answers is not.
 */
export async function bindControlSocket(server: Server, path: string): Promise<void> {
  if (isNamedPipe(path)) return listen(server, path);
  checkLength(path);
  privateFolder(dirname(path));
  await removeStale(path);
  await listen(server, path);
  chmodSync(path, 0o600);
  // A folder of another user (in /tmp, for one) may be a trap. Our own user id is that of the new socket.
  if (lstatSync(path).uid === lstatSync(dirname(path)).uid) return;
  server.close();
  throw folderError(dirname(path));
}

function checkLength(path: string): void {
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return;
  throw new EnvironmentError('CONTROL_PATH_TOO_LONG', `the path of the control socket is too long: ${path}`, {
    hint: `A socket path has at most ${MAX_PATH_BYTES} bytes. Choose a shorter state_dir.`,
  });
}

/** Never changes the mode of a folder that was there: it may be /run. */
function privateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || (stat.mode & 0o077) !== 0) throw folderError(folder);
}

function folderError(folder: string): EnvironmentError {
  return new EnvironmentError(
    'CONTROL_FOLDER_OPEN',
    `others can enter the folder of the control socket: ${folder}`,
    { hint: 'It must belong to the user of Holdfast, with mode 0700.' },
  );
}

async function removeStale(path: string): Promise<void> {
  const stat = statOf(path);
  if (!stat) return;
  if (!stat.isSocket()) {
    throw new EnvironmentError(
      'CONTROL_PATH_TAKEN',
      `something else lies at the path of the control socket: ${path}`,
      {
        hint: 'Remove it, or choose another state_dir.',
      },
    );
  }
  if (await answers(path)) {
    throw new EnvironmentError('ALREADY_RUNNING', `another Holdfast answers on ${path}`, {
      hint: 'Stop it first, or use another state_dir.',
    });
  }
  unlinkSync(path);
}

/** Only a clear "nobody listens" counts as no; a full queue or a missing permission means somebody is there. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', (error) => resolve(!['ECONNREFUSED', 'ENOENT'].includes(errnoOf(error) ?? '')));
  });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
