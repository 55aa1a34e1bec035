import type { ProjectQuery, SmallFiles } from '../../agent/contract/source.ts';
import { projectOfSession } from '../shared/kiro-sessions/index.ts';
import { workspaceOf } from './workspace.ts';

/** Path of the project that a file belongs to, in either store. */
export function projectOf({ path }: ProjectQuery, small: SmallFiles): string | undefined {
  return path.startsWith('sessions/') ? projectOfSession(path, small) : workspaceOf(path, small);
}
