/**
 * Which files beside the sessions of a project are read. Called for every path of a home, so one test of the start
 * comes before all others.
 */

const TMP = 'tmp/';

/** The prompts typed in the terminal, and files that the program set aside as unreadable. */
export function isPromptHistory(path: string): boolean {
  const name = nameInProject(path);
  return (
    name === 'logs.json' || (name !== undefined && /^logs\.json\.[a-z_]{1,40}\.\d{1,16}\.bak$/.test(name))
  );
}

export function isShellHistory(path: string): boolean {
  return nameInProject(path) === 'shell_history';
}

export function isCheckpoint(path: string): boolean {
  const name = nameInProject(path);
  return name === 'checkpoint.json' || (name !== undefined && /^checkpoint-.+\.json$/.test(name));
}

export function isBugExport(path: string): boolean {
  const name = nameInProject(path);
  return name !== undefined && /^bug-report-history-\d{1,16}\.json$/.test(name);
}

export function isActivityLog(path: string): boolean {
  return path.startsWith(TMP) && /^tmp\/[^/]+\/logs\/session-[^/]+\.jsonl$/.test(path);
}

export function isToolCheckpoint(path: string): boolean {
  return path.startsWith(TMP) && /^tmp\/[^/]+\/checkpoints\/[^/]+\.json$/.test(path);
}

/** Name of a file that lies directly in the folder of a project. */
function nameInProject(path: string): string | undefined {
  if (!path.startsWith(TMP)) return undefined;
  const slash = path.indexOf('/', TMP.length);
  if (slash <= TMP.length || path.indexOf('/', slash + 1) >= 0) return undefined;
  return path.slice(slash + 1);
}
