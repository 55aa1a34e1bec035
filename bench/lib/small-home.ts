import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeProjects, writeProjects } from '../corpus/gemini-cli/home.ts';
import { session } from '../corpus/gemini-cli/session.ts';
import { createRng } from '../corpus/rng.ts';

const DAY_S = 86_400;
const SMALL_BYTES = 600;

/** Writes a home of many small sessions that were last used days ago; returns the paths of the files. */
export function writeSmallHome(
  home: string,
  { files, projects }: { files: number; projects: number },
): string[] {
  const rng = createRng('small home');
  const all = makeProjects(rng, projects);
  writeProjects(home, all);
  return Array.from({ length: files }, () => {
    const { slug, cwd, hash } = rng.pick(all);
    const file = writeSession(home, slug, session(rng, SMALL_BYTES, { cwd, projectHash: hash }));
    const modified = Date.now() / 1000 - DAY_S * rng.int(1, 20);
    utimesSync(file, modified, modified);
    return file;
  });
}

/** Writes one session of about the given size into a project of its own; returns its path. */
export function writeOneSession(home: string, name: string, bytes: number): string {
  return writeSession(home, name, session(createRng(name), bytes));
}

function writeSession(home: string, slug: string, { content, facts }: ReturnType<typeof session>): string {
  const dir = join(home, '.gemini', 'tmp', slug, 'chats');
  mkdirSync(dir, { recursive: true });
  const file = join(dir, `session-2026-10-01T08-00-${facts.sessionId.slice(0, 8)}.jsonl`);
  writeFileSync(file, content);
  return file;
}
