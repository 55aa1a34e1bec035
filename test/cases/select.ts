import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { SOURCES } from '../../parsers/index.ts';

export interface Selection {
  /** Names of folders, or what stands before the first hyphen in them. */
  readonly only: readonly string[] | undefined;
  /** Cases that need another agent are left out; "supported" stands for those that have a parser. */
  readonly agents: readonly string[] | undefined;
}

export function selectCases(dirs: readonly string[], { only, agents }: Selection): string[] {
  const known = agents?.flatMap((name) =>
    name === 'supported' ? SOURCES.map(({ id }) => String(id)) : [name],
  );
  return dirs.filter((dir) => {
    const name = basename(dir);
    if (only && !only.some((wanted) => name === wanted || name.startsWith(`${wanted}-`))) return false;
    return !known || isOf(dir, known);
  });
}

/** A case of no agent at all belongs to none of the list. */
function isOf(dir: string, known: readonly string[]): boolean {
  const { agents } = JSON.parse(readFileSync(join(dir, 'case.json'), 'utf8')) as {
    readonly agents: readonly string[];
  };
  return agents.length > 0 && agents.every((agent) => known.includes(agent));
}
