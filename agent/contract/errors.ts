/** Base of every error that Holdfast raises on purpose: a stable code, the cause, and what to do next. */
export class HoldfastError extends Error {
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
  }
}

export interface ConfigIssue {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Dotted path of the key. */
  readonly path: string;
  readonly message: string;
}

/** Everything that is wrong with a configuration, all at once, each with its place. */
export class ConfigError extends HoldfastError {
  readonly issues: readonly ConfigIssue[];

  constructor(issues: readonly ConfigIssue[]) {
    super('CONFIG_INVALID', issues.map(formatIssue).join('\n'), {
      hint: 'docs/config.md lists every key; `holdfast check` prints these problems again.',
    });
    this.issues = issues;
  }
}

/** The state directory or the database in it cannot be used. */
export class StoreError extends HoldfastError {}

/** The command line cannot be understood. */
export class UsageError extends HoldfastError {}

/** The machine does not give what is needed: permission, disk, port. */
export class EnvironmentError extends HoldfastError {}

/** Exit codes of the command line, documented in docs/cli.md. */
export const EXIT = { ok: 0, unhealthy: 1, usage: 2, environment: 3, bug: 70 } as const;

export function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError || error instanceof UsageError) return EXIT.usage;
  if (error instanceof StoreError || error instanceof EnvironmentError) return EXIT.environment;
  if (error instanceof HoldfastError) return EXIT.unhealthy;
  return EXIT.bug;
}

/** The errno name of a system error ("ENOENT"), or undefined for anything else. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function formatIssue(issue: ConfigIssue): string {
  return `${issue.file}:${issue.line}:${issue.column}: ${issue.path === '' ? '' : `${issue.path}: `}${issue.message}`;
}
