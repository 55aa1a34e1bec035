import type { Emit } from '../../../agent/contract/row.ts';
import type {
  Cell,
  GoneRecord,
  ParseContext,
  TableRecord,
  TableSpec,
} from '../../../agent/contract/source.ts';
import { addEvent } from '../kiro/rows.ts';
import { timeOf } from '../kiro/time.ts';
import { cleanText } from '../text.ts';
import { readConversation } from './conversation.ts';
import { readMemory } from './memory.ts';

interface Talks {
  /** Whether compacting goes on under a new conversation id. */
  readonly forks: boolean;
  readonly required?: boolean;
}

/** Table with one conversation a directory: saving replaces the record. */
export function slotTable({ forks, required = false }: Talks): TableSpec {
  return {
    name: 'conversations',
    required,
    key: ['key'],
    columns: ['value'],
    parse: (record, _context, emit) => parseRecord(record, { forks, emit, id: undefined }),
  };
}

/** Table with any number of conversations a directory. */
export function talkTable({ forks }: Talks): TableSpec {
  return {
    name: 'conversations_v2',
    key: ['key', 'conversation_id'],
    columns: ['value'],
    parse: (record, _context, emit) => parseRecord(record, { forks, emit, id: record.key[1] }),
    gone: noteGone,
  };
}

interface How {
  readonly forks: boolean;
  readonly emit: Emit;
  readonly id: string | undefined;
}

function parseRecord({ key, cells, memory }: TableRecord, how: How): string | undefined {
  const project = cleanText(key[0] ?? '');
  return readConversation({
    ...how,
    bytes: bytesOf(cells['value']),
    project: project === '' ? undefined : project,
    memory,
  });
}

function bytesOf(cell: Cell | undefined): Buffer {
  if (Buffer.isBuffer(cell)) return cell;
  return cell === null || cell === undefined ? Buffer.alloc(0) : Buffer.from(String(cell));
}

/** A conversation that was deleted alone; a database that went away as a whole is told by its reader. */
function noteGone({ key, memory, cause }: GoneRecord, context: ParseContext, emit: Emit): void {
  if (cause !== 'record') return;
  const [project = '', session = ''] = key.map((text) => cleanText(text));
  const count = readMemory(memory)?.count;
  addEvent({ session, project, line: null, shared: {}, emit }, 'session.deleted', {
    record: 'database',
    content: '',
    text: `session deleted: conversation ${session} is no longer in the store`,
    time: timeOf(context.fileTime(), 'file'),
    attributes: { kind: 'conversation', cause: 'unknown', ...(count !== undefined && { entries: count }) },
  });
}
