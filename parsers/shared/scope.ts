import type { ParseContext } from '../../agent/contract/source.ts';

/** Whose file it is: the user's own, one of a project, one for the whole machine, or what that falls back to. */
export type Scope = 'home' | 'project' | 'system' | 'system_defaults';

/** The project that a file of one belongs to. */
export function projectFor(scope: Scope, context: ParseContext): { readonly project?: string } {
  const project = scope === 'project' ? context.project(undefined) : undefined;
  return project === undefined ? {} : { project };
}
