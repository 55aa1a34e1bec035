import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Timer } from '../contract/clock.ts';

export interface ConfigWatchOptions {
  readonly files: readonly (string | null)[];
  readonly confDir: string | null;
  readonly everyMs: number;
  readonly clock: Clock;
  readonly onChange: () => void;
}

/**
 * Notices that configuration files changed, whichever way they were replaced: in place, by renaming, by
 * swapping a link. A state counts only when it was the same at two looks, so that a file is not read half written.
 */
export function watchConfig({ files, confDir, everyMs, clock, onChange }: ConfigWatchOptions): Timer {
  const look = () => fingerprint(files, confDir);
  let known = look();
  let pending = known;
  return clock.every(everyMs, () => {
    const now = look();
    if (now !== known && now === pending) {
      known = now;
      onChange();
    }
    pending = now;
  });
}

function fingerprint(files: readonly (string | null)[], confDir: string | null): string {
  const folder = confDir === null ? [] : list(confDir).map((name) => join(confDir, name));
  return [...files.filter((file) => file !== null), ...folder].map(stateOf).join('\n');
}

function stateOf(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return `${path} ${stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs}` : 'none'}`;
}

function list(dir: string): string[] {
  try {
    return readdirSync(dir).sort();
  } catch {
    return [];
  }
}
