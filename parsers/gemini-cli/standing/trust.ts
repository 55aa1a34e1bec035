/** Tools that can do anything: a grant for one of them without conditions is a grant for everything. */
const EVERYTHING: ReadonlySet<string> = new Set(['*', 'run_shell_command', 'ShellTool']);

export function grantsAll(tool: string): boolean {
  return EVERYTHING.has(tool);
}

/** `run_shell_command(git status)`: the tool, and whether the grant holds only for some arguments. */
export function toolOfPattern(pattern: string): { readonly tool: string; readonly isNarrowed: boolean } {
  const at = pattern.indexOf('(');
  const args =
    at < 0
      ? ''
      : pattern
          .slice(at + 1)
          .replace(/\)\s*$/, '')
          .trim();
  return {
    tool: at < 0 ? pattern.trim() : pattern.slice(0, at).trim(),
    isNarrowed: args !== '' && args !== '*',
  };
}
