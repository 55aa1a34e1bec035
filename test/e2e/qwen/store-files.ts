/** Watches the session files of a home, so that also a file that is deleted again is known afterwards. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { errnoOf } from '../../../agent/contract/errors.ts';

const POLL_MS = 40;

/** A session's file, or a subagent's. */
export interface StoreFile {
  /** Home-relative, forward slashes. */
  readonly path: string;
  isGone: boolean;
  /** All that was ever read of it. */
  text: string;
}

export interface StoreFiles {
  /** Every file seen so far. Looks once more before it answers. */
  all(): readonly StoreFile[];
  stop(): void;
}

export function watchStore(home: string): StoreFiles {
  const files = new Map<string, StoreFile>();
  const look = () => {
    const present = new Set<string>();
    for (const path of sessionFiles(home)) {
      present.add(path);
      const file = files.get(path) ?? { path, isGone: false, text: '' };
      files.set(path, file);
      file.isGone = false;
      refresh(home, file);
    }
    for (const file of files.values()) if (!present.has(file.path)) file.isGone = true;
  };
  look();
  const timer = setInterval(look, POLL_MS);
  return {
    all() {
      look();
      return [...files.values()];
    },
    stop: () => clearInterval(timer),
  };
}

/** Files only grow, so the size tells whether there is more. */
function refresh(home: string, file: StoreFile): void {
  const path = join(home, file.path);
  const size = ifThere(() => statSync(path).size);
  if (size === undefined || size === Buffer.byteLength(file.text)) return;
  file.text = ifThere(() => readFileSync(path, 'utf8')) ?? file.text;
}

function* sessionFiles(home: string): Generator<string> {
  const projects = join(home, '.qwen', 'projects');
  for (const project of namesIn(projects)) {
    for (const folder of ['chats', 'subagents']) {
      const names = ifThere(() => readdirSync(join(projects, project, folder), { recursive: true })) ?? [];
      for (const name of names)
        if (String(name).endsWith('.jsonl'))
          yield relative(home, join(projects, project, folder, String(name)))
            .split(sep)
            .join('/');
    }
  }
}

function namesIn(folder: string): string[] {
  return ifThere(() => readdirSync(folder)) ?? [];
}

function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}
