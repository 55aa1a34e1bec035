import { isWildcard } from '../../shared/kiro-standing/wildcard.ts';

/** Tools that can do anything, under the names that the releases gave them. */
const SHELLS = new Set(['executebash', 'execute_bash', 'executepwsh', 'runcommand', 'shell', 'execute_pwsh']);

/** `*` in any number, or the word that older releases used. */
export function grantsAllCommands(pattern: string): boolean {
  const bare = pattern.trim().toLowerCase();
  return bare === 'all' || isWildcard(bare);
}

export function grantsAllTools(tool: string): boolean {
  const bare = tool.trim().toLowerCase();
  return isWildcard(bare) || SHELLS.has(bare);
}
