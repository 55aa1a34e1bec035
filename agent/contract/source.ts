import type { EventName } from './events.ts';
import type { DeletionBurst, DeletionCause, Retention } from './lifecycle.ts';
import type { AgentId, Attributes, DraftRow, Emit, Role } from './row.ts';

/**
 * A source: one coding agent's stores, as data. It says where its files lie, how each kind is read and
 * which paths are never opened. Parsers behind it are pure: bytes in, draft rows out, total over any input.
 */
export interface Source {
  readonly id: AgentId;
  readonly title: string;
  /** Raised when the same bytes give other rows than before: files are then read again from their start. */
  readonly version: number;
  readonly roots: readonly SourceRoot[];
  readonly files: readonly FileSpec[];
  /** Directories below a root that are never entered, root-relative with forward slashes. */
  skipDirectory(relative: string, place: Place): boolean;
  /** The program that writes the store; without it, live rows do not tell which process that was. */
  readonly program?: Program;
  /** How long the coding agent keeps a file under the settings in force; without it, for ever. Drives the order of intake. */
  retention?(query: RetentionQuery): Retention;
  /** The likely cause for each file of the burst, in its order; without it every cause is unknown. */
  causesOfDeletion?(burst: DeletionBurst): readonly DeletionCause[];
  /** Absolute project path of a file's session, from small files beside it. */
  projectOf?(query: ProjectQuery, small: SmallFiles): string | undefined;
  /** Full id of the session whose first characters are known, from small files beside it. */
  sessionOf?(query: SessionQuery, small: SmallFiles): string | undefined;
  /** Absolute paths of projects that small files of a store name, beside those that rows name. */
  projectsIn?(small: SmallFiles): Iterable<string>;
  /** Further stores that small files of a store name: absolute, or relative to the home. */
  storesIn?(small: SmallFiles): Iterable<string>;
  /** Single files that small files of a store name: what the user had written out somewhere. */
  filesIn?(small: SmallFiles): Iterable<NamedFile>;
  /** Where a project keeps settings of its own, relative to the project: ".gemini". */
  readonly projectDirectory?: string;
  /** Where the machine's settings lie, absolute, by platform as Node.js names it. */
  readonly systemDirectories?: Readonly<Record<string, readonly string[]>>;
  /** Files that an environment variable of the coding agent puts elsewhere, with the name of their spec. */
  readonly filesFromEnv?: Readonly<Record<string, string>>;
}

/** A file that a store names. */
export interface NamedFile {
  /** Name of its spec. */
  readonly spec: string;
  /** As it was named: absolute, below `~/`, or relative to some project. */
  readonly path: string;
}

/** A coding agent's program as npm installs it, by which its processes are known. */
export interface Program {
  /** Name of the npm package. */
  readonly package: string;
  /** Name of the command. */
  readonly command: string;
  /** Scripts of the package that a session runs in, package-relative with forward slashes. */
  readonly entries: readonly string[];
}

/** Where a directory stands: a coding agent's own store, a project that it works in, or the whole machine's settings. */
export type Place = 'store' | 'project' | 'system';

/** A directory of a home that a source reads. */
export interface SourceRoot {
  /** Home-relative, forward slashes. */
  readonly path: string;
  /** Environment variables that put it elsewhere, as the coding agent itself reads them. */
  readonly env?: readonly RootVariable[];
}

export interface RootVariable {
  readonly name: string;
  /** Whether it names another parent of the path, or the directory itself. */
  readonly names: 'parent' | 'directory';
  /** What stands below the parent, where that is not the root's own path: "amazon-q". */
  readonly path?: string;
}

export type FileSpec = LogSpec | DocumentSpec | StandingSpec | DatabaseSpec;

interface FileSpecBase {
  /** Short name for configuration, metrics and documentation: "session", "legacy-session". */
  readonly name: string;
  readonly role: Role;
  /** Where such files count: in the coding agent's store, unless told otherwise. None: only a file that is named. */
  readonly places?: readonly Place[];
  /**
   * Copies in these files stand there before the records that they copy: those come only when the model has answered.
   * Such a copy waits as long as an answer may take (capture.answer_wait_ms).
   */
  readonly isAhead?: boolean;
  /** Whether a root-relative path (forward slashes) is one of these files. */
  matches(relative: string): boolean;
}

/** Append-only JSONL, read from the cursor. */
export interface LogSpec extends FileSpecBase {
  readonly kind: 'log';
  open(context: ParseContext): LogParser;
}

/** One whole value, read again whenever its fingerprint changes. */
export interface DocumentSpec extends FileSpecBase {
  readonly kind: 'document';
  /** Called with a whole, quiet file. `settled` is false while the file may still be in the middle of a write. */
  parse(document: Document, context: ParseContext, emit: Emit): DocumentResult;
}

/** Settings and grants: the whole file as a set of entries, told as differences to what it held before. */
export interface StandingSpec extends FileSpecBase {
  readonly kind: 'standing';
  /** What it says also depends on the moment: it is read again with every full sweep. */
  readonly again?: boolean;
  read(document: Document, context: ParseContext): StandingResult;
}

/**
 * entries: all that the file holds, in any order. torn: cut, and may be whole in a moment. unreadable: what is
 * there says nothing; the rows say so, and what the file held before still counts.
 */
export type StandingResult =
  | { readonly kind: 'entries'; readonly entries: readonly StandingEntry[] }
  | { readonly kind: 'torn' }
  | { readonly kind: 'unreadable'; readonly rows: readonly DraftRow[] };

/** One setting or grant. Equal keys and values mean that nothing changed, wherever it stands in the file. */
export interface StandingEntry {
  /** What it is about, unique in the file: "trustedFolders./srv/shop". */
  readonly key: string;
  readonly value: string;
  /** "permission setting", "session retention": how the seed documents call it. */
  readonly label: string;
  readonly event: EventName;
  /** The entry as the row's text names it: "trustedFolders./srv/shop=TRUST_FOLDER". */
  readonly subject: string;
  readonly project?: string;
  /** The session that it is about, where it is about one. */
  readonly session?: string;
  readonly attributes?: Attributes;
}

/**
 * A SQLite database of which a few tables are read, record by record. Any other table, view, trigger or virtual
 * table in it is never looked into. Its -journal and -wal belong to it and match nothing by themselves.
 */
export interface DatabaseSpec extends FileSpecBase {
  readonly kind: 'database';
  readonly tables: readonly TableSpec[];
}

/** One table of a database. Its records come one at a time, each when it is new or any byte of it changed. */
export interface TableSpec {
  readonly name: string;
  /** A database that holds other tables but not this one is told in a row; a table that is not required may be missing. */
  readonly required?: boolean;
  /** Columns that together name one record from now on. A record whose key has a NULL in it is named by its rowid. */
  readonly key: readonly string[];
  /** Further columns that are read; nothing else of the record is. A schema may lack some of them. */
  readonly columns: readonly string[];
  /** Gives the memory that comes with the next version of this record; undefined or '' keeps none. */
  parse(record: TableRecord, context: ParseContext, emit: Emit): string | undefined;
  /** The record is not there any more. Called once; its memory is forgotten then. */
  gone?(record: GoneRecord, context: ParseContext, emit: Emit): void;
}

/** A value as stored: text as its UTF-8 bytes; null for NULL and for a column that this schema lacks. */
export type Cell = Buffer | number | bigint | null;

export interface TableRecord {
  /** Values of the key columns as text, in the order of the spec. */
  readonly key: readonly string[];
  /** Key columns and further ones, by name. Buffers are the parser's own and may be kept or cut. */
  readonly cells: Readonly<Record<string, Cell>>;
  readonly rowid: number | bigint;
  /**
   * What the parser gave back when it last saw this record, also across restarts: it became durable together with
   * the rows emitted then. Undefined at first sight, and again when the source's version was raised.
   */
  readonly memory: string | undefined;
  /** What parsers keep of the other records of the table, as far as these were read before. */
  beside(): Iterable<RecordMemory>;
}

export interface RecordMemory {
  readonly key: readonly string[];
  readonly memory: string;
}

/** record: deleted, or replaced under its key column by column. file: the whole database went away. */
export interface GoneRecord {
  readonly key: readonly string[];
  readonly memory: string | undefined;
  readonly cause: 'record' | 'file';
  /** When it was missed, in Unix ms. */
  readonly missedMs: number;
  /** Records of its database that went away with it, itself among them. */
  readonly together: number;
  /** How long the coding agent keeps one under the settings in force. */
  readonly retention: Retention;
  readonly whileStopped: boolean;
}

/** Longest memory of one record; a longer one is not kept, and the record comes again without. */
export const MAX_MEMORY_CHARS = 4_096;

export interface Document {
  readonly bytes: Buffer;
  readonly settled: boolean;
  /**
   * What the parser gave back when it last read this file, also across restarts: it became durable together with the
   * rows emitted then. Undefined at first sight, and again when the source's version was raised.
   */
  readonly memory?: string | undefined;
}

/**
 * torn: nothing was emitted because the value is cut and may still be whole in a moment. A memory comes with the
 * next version of the file, for what only a comparison of the two can tell; without one, what was kept stays.
 */
export type DocumentResult = 'parsed' | 'torn' | { readonly memory: string };

/** Keeps the state of one log between its lines. Never throws for content; bad content is a row. */
export interface LogParser {
  /** One line without its line feed. `line` counts from 1, split at byte 0x0A only. */
  line(bytes: Buffer, line: number, emit: Emit): void;
  /**
   * The last line, which has no line feed and stays so: a row for it, or one that says what was cut.
   * The line may still be completed later and then comes again through `line`.
   */
  unfinished(bytes: Buffer, line: number, emit: Emit): void;
  /** Session id as known now, for the cursor. */
  session(): string | undefined;
}

export interface ParseContext {
  /** Root-relative path of the file, forward slashes. */
  readonly path: string;
  /** The root as rows name it: relative to the home (".gemini"), or absolute when it lies elsewhere. */
  readonly root: string;
  /** Modification time of the file as RFC 3339, for records that have no time of their own. */
  fileTime(): string;
  /** Project path for what the store records of it (a hash, a slug); undefined when unknown. */
  project(recorded: string | undefined): string | undefined;
  /** Full id of a session by its first characters, from another file of this directory or beside it. */
  knownSession(prefix: string): string | undefined;
  /** Other small files below the same root. They may come later, or go: nothing of them may be part of a row's identity. */
  readonly small: SmallFiles;
  /**
   * Whether a process that began no later than the time given (RFC 3339) has this number here and now; undefined where
   * nobody can tell: the home may be that of another machine.
   */
  isRunning(pid: number, since: string): boolean | undefined;
  /** Counts something worth a metric but no row, by a fixed code ("unknown_record"). */
  note(code: string): void;
}

/** Settings in force for a file: entries of the user's own files, of its project's and of the machine's. */
export interface RetentionQuery {
  /** Root-relative path of the file, forward slashes. */
  readonly path: string;
  readonly settings: readonly StandingEntry[];
}

export interface ProjectQuery {
  readonly path: string;
  readonly recorded: string | undefined;
}

export interface SessionQuery {
  readonly path: string;
  readonly prefix: string;
}

/** Bounded reads of small text files below the root, kept for a moment. */
export interface SmallFiles {
  /** The whole file when it is small; with `firstBytes` the beginning of a file of any size, which may end in mid-character. */
  text(relative: string, firstBytes?: number): string | undefined;
  list(relative: string): readonly string[];
}
