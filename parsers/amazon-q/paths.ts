/**
 * Which files below a root are read, root-relative. Not on the list, on purpose: `cli-checkouts/`, `knowledge_bases/`,
 * `profiles/`, prompts, and whatever holds credentials.
 */
export function isDatabase(path: string): boolean {
  return path === 'data.sqlite3';
}

export function isSettings(path: string): boolean {
  return path === 'settings.json';
}

export const TYPED_HISTORY = '.cli_bash_history';

export function isTypedHistory(path: string): boolean {
  return path === TYPED_HISTORY;
}

export function isAgent(path: string): boolean {
  return path.startsWith('cli-agents/') && /^cli-agents\/[^/]+\.json$/.test(path);
}

export function isServerList(path: string): boolean {
  return path === 'mcp.json';
}

export function isRule(path: string): boolean {
  return path.startsWith('rules/') && path.endsWith('.md');
}

const FLAT = new Set(['cli-agents', '.subagents']);

export function isSkippedDirectory(path: string): boolean {
  const [first = '', second, ...deeper] = path.split('/');
  if (first === '') return false;
  if (first === 'rules') return deeper.length > 2;
  return !FLAT.has(first) || second !== undefined;
}
