import type { ProjectQuery, SmallFiles } from '../../agent/contract/source.ts';
import { asObject, asText } from '../shared/fields.ts';
import { projectOfSession } from '../shared/kiro-sessions/index.ts';

/** The directory stands at the beginning of a header, which can be megabytes long. */
const HEAD_BYTES = 4 * 1024;

/** Project of a file: the directory of its session, or the root that the trust migration noted beside it. */
export function projectOf({ path }: ProjectQuery, small: SmallFiles): string | undefined {
  if (path.startsWith('workspace-roots/')) return rootBeside(path, small);
  if (!path.endsWith('.jsonl') || path.endsWith('/messages.jsonl') || path.includes('/sub-executions/'))
    return projectOfSession(path, small);
  return directoryOf(path, small);
}

/** The directory in which the session of a log runs now, from the header beside it. */
export function directoryOf(path: string, small: SmallFiles): string | undefined {
  const head = small.text(path.replace(/\.jsonl$/, '.json'), HEAD_BYTES);
  return head === undefined ? undefined : directoryIn(head);
}

function directoryIn(head: string): string | undefined {
  const match = /"cwd"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(head)?.[1];
  try {
    return match === undefined ? undefined : asText(JSON.parse(match));
  } catch {
    return undefined;
  }
}

function rootBeside(path: string, small: SmallFiles): string | undefined {
  const folder = path.slice(0, path.lastIndexOf('/'));
  try {
    const text = small.text(`${folder}/.trust-migration.json`);
    return text === undefined ? undefined : asText(asObject<{ root?: unknown }>(JSON.parse(text))?.root);
  } catch {
    return undefined;
  }
}
