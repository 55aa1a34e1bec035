import { type BigIntStats, lstatSync } from 'node:fs';

/** What belongs to a database beside its main file, by the ends of their names. */
const ENDS = ['-journal', '-wal'] as const;

/** The database that a path belongs to: itself, or the one beside which it stands. */
export function mainPathOf(path: string): string {
  const end = ENDS.find((candidate) => path.endsWith(candidate));
  return end === undefined ? path : path.slice(0, -end.length);
}

/** What stands beside a database right now, as text that is another one when any of it changed. */
export function besideOf(path: string): string {
  return ENDS.map((end) => stateOf(`${path}${end}`)).join(' ');
}

function stateOf(path: string): string {
  const stat = look(path);
  return stat === undefined || stat.size === 0n ? '-' : `${stat.ino}:${stat.size}:${stat.mtimeNs}`;
}

function look(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
