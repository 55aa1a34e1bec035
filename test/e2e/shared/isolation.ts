/** Runs a command where there is no network but loopback, so that nothing can leave by mistake. */
import { spawnSync } from 'node:child_process';
import { networkInterfaces } from 'node:os';

const LOOPBACK_UP = 'ip link set lo up && exec "$@"';

/** Whether this process already has no way out. */
export function isLoopbackOnly(): boolean {
  return Object.values(networkInterfaces()).every((addresses = []) =>
    addresses.every(({ internal }) => internal),
  );
}

/** The command inside a network namespace of its own, or undefined where the machine allows none. */
export function inLoopbackOnly(command: readonly string[]): readonly string[] | undefined {
  const [program = '', ...rest] = wrap(['true']);
  return spawnSync(program, rest, { stdio: 'ignore' }).status === 0 ? wrap(command) : undefined;
}

/** Root needs no user namespace, and keeps its rights without one. */
function wrap(command: readonly string[]): readonly string[] {
  const flags = process.getuid?.() === 0 ? ['--net'] : ['--net', '--map-root-user'];
  return ['unshare', ...flags, 'sh', '-c', LOOPBACK_UP, 'sh', ...command];
}
