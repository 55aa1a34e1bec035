import type { Emit } from '../../../agent/contract/row.ts';
import type { Cell, ParseContext, TableRecord } from '../../../agent/contract/source.ts';
import { cleanText } from '../../shared/text.ts';
import { toUtc } from '../../shared/time.ts';

/** How Zed names Gemini CLI among the agents that it drives. */
const AGENT = 'gemini';
/** Longer than any session id; a row needs no more of a title. */
const MAX_CHARS = 512;

/**
 * One row for each session that Zed drives, whenever its thread is first seen: the session itself lies in Gemini
 * CLI's own store under the same id.
 */
export function parseThread({ cells, memory }: TableRecord, _context: ParseContext, emit: Emit): string {
  const session = textOf(cells['session_id']);
  if (memory !== undefined || textOf(cells['agent_id']) !== AGENT || session === '') return memory ?? '';
  const created = toUtc(textOf(cells['created_at']));
  const time = created ?? toUtc(textOf(cells['updated_at']));
  const title = textOf(cells['title']);
  emit({
    record: 'zed',
    part: 'session.origin',
    sessionKey: session.slice(0, 8),
    content: 'zed',
    turn_type: 'system',
    event: 'session.origin',
    text: `session origin: Zed over ACP${title === '' ? '' : `: ${title}`}`,
    timestamp_utc: time,
    timestamp_source: timeSource(created, time),
    session_id: session,
    project_path: folderOf(textOf(cells['folder_paths'])),
    attributes: { kind: 'zed', agent_id: AGENT, ...(title === '' ? {} : { title }) },
  });
  return 'told';
}

function timeSource(created: string | null, time: string | null): 'record' | 'derived' | 'none' {
  if (created !== null) return 'record';
  return time === null ? 'none' : 'derived';
}

/** Folders of the window, one a line; the first one is where the session runs. */
function folderOf(paths: string): string | null {
  const [first = ''] = paths.split('\n');
  return first.trim() === '' ? null : first.trim();
}

function textOf(cell: Cell | undefined): string {
  if (!Buffer.isBuffer(cell)) return '';
  return cleanText(cell.toString('utf8', 0, 4 * MAX_CHARS))
    .slice(0, MAX_CHARS)
    .toWellFormed()
    .trim();
}
