import type { ParseContext, StandingEntry } from '../../agent/contract/source.ts';

/** Whose file it is: the user's own, one of a project, one for the whole machine, or what that falls back to. */
export type Scope = 'home' | 'project' | 'system' | 'system_defaults';

/** The project that a file of one belongs to. */
export function projectFor(scope: Scope, context: ParseContext): { readonly project?: string } {
  const project = scope === 'project' ? context.project(undefined) : undefined;
  return project === undefined ? {} : { project };
}

/** Which file wins where several set the same: the machine's over the project's over the user's own. */
const RANK: Readonly<Record<string, number>> = { system_defaults: -1, home: 0, project: 1, system: 2 };

/** The value that counts among those that several files give to a key. */
export function settingInForce(settings: readonly StandingEntry[], key: string): string | undefined {
  const rank = ({ attributes }: StandingEntry) => RANK[String(attributes?.['scope'])] ?? 0;
  return settings.filter((entry) => entry.key === key).sort((a, b) => rank(b) - rank(a))[0]?.value;
}
