import { DELETION_CAUSES, type DeletionCause, inTenths } from '../../../agent/contract/lifecycle.ts';
import type { Emit } from '../../../agent/contract/row.ts';
import type {
  Cell,
  GoneRecord,
  ParseContext,
  TableRecord,
  TableSpec,
} from '../../../agent/contract/source.ts';
import { isExpired, MASS } from '../deletion.ts';
import { addEvent, fact } from '../kiro/rows.ts';
import { timeOf } from '../kiro/time.ts';
import { cleanText } from '../text.ts';
import { readConversation } from './conversation.ts';
import type { Neighbour } from './forks.ts';
import { readMemory } from './memory.ts';

const DAY_MS = 86_400_000;

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
    columns: ['value', 'updated_at'],
    parse(record, context, emit) {
      tellOtherDirectory(record, context, emit);
      return parseRecord(record, { forks, emit, id: record.key[1], neighbours: () => neighboursOf(record) });
    },
    gone: noteGone,
  };
}

interface How {
  readonly forks: boolean;
  readonly emit: Emit;
  readonly id: string | undefined;
  readonly neighbours?: () => Iterable<Neighbour>;
}

function* neighboursOf({ beside }: TableRecord): Generator<Neighbour> {
  for (const { memory } of beside()) {
    const talk = readMemory(memory);
    if (talk) yield talk;
  }
}

/** A conversation can be saved from a second directory: its entries are rows once, under the one that was read first. */
function tellOtherDirectory({ key, beside, memory }: TableRecord, context: ParseContext, emit: Emit): void {
  if (memory !== undefined) return;
  const [directory = '', session = ''] = key.map((text) => cleanText(text));
  for (const other of beside()) {
    if (other.key[1] !== key[1]) continue;
    const directories = [cleanText(other.key[0] ?? ''), directory];
    addEvent({ session, project: directory, line: null, shared: {}, emit }, 'session.directories', {
      record: 'keys',
      content: directories.toSorted().join('\n'),
      text: `session directories: ${directories.join(', ')}`,
      time: timeOf(context.fileTime(), 'file'),
      attributes: { directories: directories.join('\n'), count: directories.length },
    });
  }
}

function parseRecord({ key, cells, memory }: TableRecord, how: How): string | undefined {
  const project = cleanText(key[0] ?? '');
  return readConversation({
    ...how,
    bytes: bytesOf(cells['value']),
    project: project === '' ? undefined : project,
    memory,
    savedMs: numberOf(cells['updated_at']),
  });
}

function numberOf(cell: Cell | undefined): number | undefined {
  return typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : undefined;
}

function bytesOf(cell: Cell | undefined): Buffer {
  if (Buffer.isBuffer(cell)) return cell;
  return cell === null || cell === undefined ? Buffer.alloc(0) : Buffer.from(String(cell));
}

/** A conversation that was deleted alone; a database that went away as a whole is told by its reader. */
function noteGone(record: GoneRecord, context: ParseContext, emit: Emit): void {
  if (record.cause !== 'record') return;
  const [project = '', session = ''] = record.key.map((text) => cleanText(text));
  const { count, savedMs } = readMemory(record.memory) ?? {};
  const ageDays = savedMs === undefined ? undefined : Math.max(0, record.missedMs - savedMs) / DAY_MS;
  const cause = causeOf(record, ageDays);
  const age = ageDays === undefined ? '' : `; it was saved ${inTenths(ageDays)} days before`;
  const when = record.whileStopped ? ' while Holdfast was not running' : '';
  addEvent({ session, project, line: null, shared: {}, emit }, 'session.deleted', {
    record: 'database',
    content: '',
    text: `conversation deleted from the database${when}: ${DELETION_CAUSES[cause]}${age}`,
    time: timeOf(context.fileTime(), 'file'),
    attributes: {
      kind: 'conversation',
      cause,
      while_stopped: record.whileStopped,
      ...fact('age_days', ageDays === undefined ? undefined : inTenths(ageDays)),
      ...fact('retention_days', record.retention.days ?? undefined),
      ...fact('entries', count),
    },
  });
}

/** The program deletes by when a conversation was saved; one without such a time is nobody's to judge. */
function causeOf({ retention, together }: GoneRecord, ageDays: number | undefined): DeletionCause {
  if (ageDays === undefined) return 'unknown';
  if (isExpired({ ageDays, retention })) return 'expired';
  return together >= MASS ? 'mass_deletion' : 'user';
}
