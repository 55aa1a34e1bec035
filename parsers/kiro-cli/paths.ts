import { isSkippedSessionDirectory, SESSIONS } from '../shared/kiro-sessions/paths.ts';

/**
 * Which files below the root are read, root-relative. Called for every path of a home, so plain string tests come first.
 * Not on the list, on purpose: `knowledge_bases/`, `cli-checkouts/`, `snapshots/`, logs, and whatever holds credentials.
 */

const CLI = `${SESSIONS}/cli/`;

/**
 * Name of a file of the second engine, without its ending. A session directory of its own (a root that an environment
 * variable names) holds the same files at its top.
 */
function sessionName(path: string, ending: string): string | undefined {
  if (!path.endsWith(ending)) return undefined;
  const name = path.startsWith(CLI) ? path.slice(CLI.length) : path;
  const stem = name.slice(0, -ending.length);
  return /^[^/.][^/]*$/.test(stem) ? stem : undefined;
}

export function isSessionLog(path: string): boolean {
  return sessionName(path, '.jsonl') !== undefined;
}

/** At the top of a root other JSON files may stand, so there the name must be a session's. */
export function isHeader(path: string): boolean {
  const name = sessionName(path, '.json');
  return (
    name !== undefined &&
    (path.startsWith(CLI) || /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name))
  );
}

export function isLock(path: string): boolean {
  return sessionName(path, '.lock') !== undefined;
}

export function isTypedHistory(path: string): boolean {
  return path === '.cli_bash_history' || sessionName(path, '.history') !== undefined;
}

export function isSessionIndex(path: string): boolean {
  return path.startsWith('session-index/') && /^session-index\/[^/]+\.jsonl$/.test(path);
}

export function isSettings(path: string): boolean {
  return path === 'settings/cli.json';
}

export function isServerList(path: string): boolean {
  return path === 'settings/mcp.json';
}

export function isAgent(path: string): boolean {
  return path.startsWith('agents/') && /^agents\/[^/]+\.json$/.test(path);
}

export function isAgentText(path: string): boolean {
  return path.startsWith('agents/') && /^agents\/[^/]+\.md$/.test(path);
}

export function isPermissions(path: string): boolean {
  return (
    /^settings\/permissions\.(?:ya?ml|json)$/.test(path) ||
    /^workspace-roots\/[^/]+\/permissions\.(?:ya?ml|json)$/.test(path)
  );
}

/** Settings of the machine's administrator. */
export function isManagedSettings(path: string): boolean {
  return path === 'managed-settings.json';
}

export function isTrustMigration(path: string): boolean {
  return (
    path.startsWith('workspace-roots/') && /^workspace-roots\/[^/]+\/\.trust-migration\.json$/.test(path)
  );
}

export function isHook(path: string): boolean {
  return path.startsWith('hooks/') && /^hooks\/[^/]+\.(?:kiro\.hook|json)$/.test(path);
}

export function isSteering(path: string): boolean {
  return path.startsWith('steering/') && path.endsWith('.md');
}

const FLAT = new Set(['settings', 'agents', 'hooks', 'session-index', '.subagents']);

/** Directories that hold no source file; only what can hold one is entered. */
export function isSkippedDirectory(path: string): boolean {
  const [first = '', second, third, ...deeper] = path.split('/');
  if (first === '') return false;
  if (first === SESSIONS) return second === 'cli' ? third !== undefined : isSkippedSessionDirectory(path);
  if (first === 'workspace-roots') return third !== undefined;
  if (first === 'steering') return deeper.length > 0;
  return !FLAT.has(first) || second !== undefined;
}
