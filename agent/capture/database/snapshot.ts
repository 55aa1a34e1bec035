import type { Clock } from '../../contract/clock.ts';
import { type OpenedFile, openSourceFile } from '../open-file.ts';
import { isSameState } from '../track.ts';
import { type DatabaseHeader, HEADER_BYTES, isPageSize, readHeader } from './header.ts';
import { isLiveJournal, journalOverlay, namesAnother } from './journal.ts';
import type { SnapshotMemory } from './memory.ts';
import { createPages, type Overlay, type Pages } from './pages.ts';
import { besideOf } from './side-files.ts';
import { followWal, isWalUnmoved, type WalIndex, walOverlay } from './wal.ts';

/** Programs fold their log in at a few megabytes; one of this size takes seconds to go through. */
const MAX_LOG_BYTES = 1024 ** 3;

/** A committed state of a database, read without a lock: whether it still was that one is found out afterwards. */
export interface Snapshot extends Disposable {
  readonly pages: Pages;
  /** Whether everything that was read so far is of one and the same commit. */
  isIntact(): boolean;
}

/**
 * moving: a transaction is being written. more: a long log goes on in a further slice. unreadable: it is no
 * database, or nothing but its owner could put it right.
 */
export type SnapshotResult =
  | { readonly kind: 'open'; readonly snapshot: Snapshot }
  | { readonly kind: 'empty' }
  | { readonly kind: 'moving' }
  | { readonly kind: 'more' }
  | { readonly kind: 'unreadable'; readonly reason: string };

export interface SnapshotDeps {
  readonly path: string;
  readonly ownerUid: number | null;
  readonly clock: Clock;
  /** Time after which an unfinished transaction counts as abandoned. */
  readonly settleMs: number;
  /** Whether this slice of reading is over. */
  readonly until: () => boolean;
}

/**
 * A lock of ours would be one that the coding agent waits for, so there is none. SQLite changes pages of a database
 * without a log only while a journal with its mark lies beside it, and counts every commit in the header. Header,
 * then journal before, journal, then header after: nothing was written in between when neither says so.
 */
export function takeSnapshot(file: OpenedFile, memory: SnapshotMemory, deps: SnapshotDeps): SnapshotResult {
  const beside = besideOf(deps.path);
  if (file.facts.size === 0) return { kind: 'empty' };
  const header = readHeader(file.read(0, HEADER_BYTES));
  const journal = openBeside(deps, '-journal');
  if (journal === 'unknown') return { kind: 'moving' };
  if (journal && isLiveJournal(journal)) return fromJournal({ file, journal, beside }, memory, deps);
  journal?.[Symbol.dispose]();
  memory.journal = undefined;
  if (!header) return { kind: 'unreadable', reason: 'no database' };
  return header.usesWal ? fromWal(file, header, { memory, deps }) : plain({ file, header }, deps);
}

function plain(
  { file, header }: { file: OpenedFile; header: DatabaseHeader },
  deps: SnapshotDeps,
): SnapshotResult {
  const isIntact = () => !isBeingWritten(deps) && isSameCommit(file, header);
  return opened(createPages(file, header, undefined), isIntact, []);
}

/** A journal is there while a transaction is written, and stays when its writer was killed. */
function fromJournal(
  { file, journal, beside }: { file: OpenedFile; journal: OpenedFile; beside: string },
  memory: SnapshotMemory,
  deps: SnapshotDeps,
): SnapshotResult {
  const facts = file.facts;
  const now = deps.clock.monotonic();
  const state = `${facts.ino} ${facts.size} ${facts.mtimeNs} ${beside}`;
  if (memory.journal?.state !== state) memory.journal = { state, since: now };
  const changedMs = Math.max(facts.mtimeMs, journal.facts.mtimeMs);
  const isQuiet =
    now - memory.journal.since >= deps.settleMs || deps.clock.now() - changedMs >= deps.settleMs;
  const overlay = isQuiet ? journalOverlay(journal) : undefined;
  const foreign = isQuiet && namesAnother(journal);
  const header = overlay && headerThrough(file, overlay);
  if (foreign || !overlay || !header) {
    journal[Symbol.dispose]();
    if (foreign) return { kind: 'unreadable', reason: 'an unfinished transaction over several databases' };
    if (overlay?.count === 0) return { kind: 'empty' };
    return isQuiet ? { kind: 'unreadable', reason: 'a broken journal' } : { kind: 'moving' };
  }
  const isIntact = () => besideOf(deps.path) === beside && isUnwritten(file);
  return opened(createPages(file, header, overlay), isIntact, [journal]);
}

function fromWal(
  file: OpenedFile,
  header: DatabaseHeader,
  { memory, deps }: { memory: SnapshotMemory; deps: SnapshotDeps },
): SnapshotResult {
  const log = openBeside(deps, '-wal');
  if (log === 'unknown') return { kind: 'moving' };
  if (log && log.facts.size > MAX_LOG_BYTES) {
    log[Symbol.dispose]();
    return { kind: 'unreadable', reason: 'a write-ahead log over the limit' };
  }
  const followed = log && followWal(log, memory.wal, deps.until);
  memory.wal = followed?.index;
  if (followed?.more) {
    log?.[Symbol.dispose]();
    return { kind: 'more' };
  }
  const overlay = log && followed && walOverlay(log, followed.index);
  if (!log || !followed || !overlay) {
    log?.[Symbol.dispose]();
    const isIntact = () => !hasCommits(deps, followed?.index) && isSameCommit(file, header);
    return opened(createPages(file, header, undefined), isIntact, []);
  }
  const current = headerThrough(file, overlay);
  if (!current || current.pageBytes !== followed.index.pageBytes) {
    const isMoving = !isWalUnmoved(log, followed.index);
    log[Symbol.dispose]();
    return isMoving
      ? { kind: 'moving' }
      : { kind: 'unreadable', reason: 'a write-ahead log that does not fit' };
  }
  return opened(createPages(file, current, overlay), () => isWalUnmoved(log, followed.index), [log]);
}

function opened(pages: Pages, isIntact: () => boolean, files: readonly OpenedFile[]): SnapshotResult {
  const dispose = () => {
    for (const file of files) file[Symbol.dispose]();
  };
  return { kind: 'open', snapshot: { pages, isIntact, [Symbol.dispose]: dispose } };
}

/** The header as the overlay has it: the one in the file may be older, or half written. */
function headerThrough(file: OpenedFile, overlay: Overlay): DatabaseHeader | undefined {
  const place = overlay.find(1) ?? { file, position: 0 };
  const header = readHeader(place.file.read(place.position, HEADER_BYTES));
  return overlay.count > 0 && header && isPageSize(header.pageBytes) ? header : undefined;
}

/** Undefined when there is nothing of that name, or something that SQLite would not take for it either. */
function openBeside(
  { path, ownerUid }: Pick<SnapshotDeps, 'path' | 'ownerUid'>,
  end: '-journal' | '-wal',
): OpenedFile | 'unknown' | undefined {
  const result = openSourceFile(`${path}${end}`, ownerUid);
  if (result.kind === 'open') return result.file;
  return result.kind === 'failed' ? 'unknown' : undefined;
}

function isBeingWritten(deps: SnapshotDeps): boolean {
  const journal = openBeside(deps, '-journal');
  if (journal === 'unknown') return true;
  using file = journal;
  return file !== undefined && isLiveJournal(file);
}

/** Whether a log came into being that holds commits which were not looked at. */
function hasCommits(deps: SnapshotDeps, known: WalIndex | undefined): boolean {
  const log = openBeside(deps, '-wal');
  if (log === 'unknown') return true;
  using file = log;
  if (!file || file.facts.size === 0) return false;
  if (known) return !isWalUnmoved(file, known);
  return (followWal(file, undefined, () => true)?.index.count ?? 0) > 0;
}

function isSameCommit(file: OpenedFile, header: DatabaseHeader): boolean {
  return isUnwritten(file) && readHeader(file.read(0, HEADER_BYTES))?.counter === header.counter;
}

function isUnwritten(file: OpenedFile): boolean {
  const before = file.facts;
  file.refresh();
  return isSameState(before, file.facts);
}
