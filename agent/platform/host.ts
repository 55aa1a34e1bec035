import { execFileSync } from 'node:child_process';
import { hash, randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

export interface Host {
  readonly id: string;
  readonly name: string;
}

/**
 * Who this machine is. The machine id itself never leaves: it is hashed together with our name, as
 * machine-id(5) asks. Without one (a container) an id is made once and kept in the state directory.
 */
export function identifyHost(stateDir: string, machine: string | null = machineId() ?? null): Host {
  const known = machine ?? keptId(stateDir);
  return { id: hash('sha256', `holdfast host ${known}`, 'hex').slice(0, 32), name: hostname() };
}

function machineId(): string | undefined {
  switch (process.platform) {
    case 'darwin':
      return firstMatch(
        () => run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']),
        /"IOPlatformUUID" = "([^"]+)"/,
      );
    case 'win32':
      return firstMatch(
        () => run('reg.exe', ['query', 'HKLM\\SOFTWARE\\Microsoft\\Cryptography', '/v', 'MachineGuid']),
        /MachineGuid\s+REG_SZ\s+(\S+)/,
      );
    default:
      return firstMatch(() => readFileSync('/etc/machine-id', 'utf8'), /^([0-9a-f]{32})/);
  }
}

function run(file: string, args: readonly string[]): string {
  return execFileSync(file, args, { encoding: 'utf8', timeout: 5_000, stdio: ['ignore', 'pipe', 'ignore'] });
}

function firstMatch(read: () => string, pattern: RegExp): string | undefined {
  try {
    return pattern.exec(read())?.[1];
  } catch {
    return undefined;
  }
}

/** A scan may have no state directory, and keeps nothing: the name of the machine has to do. */
function keptId(stateDir: string): string {
  const file = join(stateDir, 'host-id');
  const kept = firstMatch(() => readFileSync(file, 'utf8'), /^([0-9a-f-]{36})/);
  if (kept !== undefined) return kept;
  const made = randomUUID();
  try {
    writeFileSync(file, `${made}\n`, { mode: 0o600 });
  } catch {
    return hostname();
  }
  return made;
}
