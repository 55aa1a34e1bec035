import type { EventName } from './events.ts';
import type { DeletionBurst, DeletionCause, Retention, RetentionQuery } from './lifecycle.ts';
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
  /** How long the coding agent keeps a session file by default, in days: drives the order of intake. */
  readonly retentionDays: number;
  /** The program that writes the store; without it, live rows do not tell which process that was. */
  readonly program?: Program;
  /** How long it keeps a file under the settings in force; without it, by default. */
  retention?(query: RetentionQuery): Retention;
  /** The likely cause for each file of the burst, in its order; without it every cause is unknown. */
  causesOfDeletion?(burst: DeletionBurst): readonly DeletionCause[];
  /** Absolute project path of a file's session, from small files beside it. */
  projectOf?(query: ProjectQuery, small: SmallFiles): string | undefined;
  /** Full id of the session whose first characters are known, from small files beside it. */
  sessionOf?(query: SessionQuery, small: SmallFiles): string | undefined;
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
  /** Environment variable that names another parent of `path`, as the coding agent itself reads it. */
  readonly env?: string;
}

export type FileSpec = LogSpec | DocumentSpec | StandingSpec;

interface FileSpecBase {
  /** Short name for configuration, metrics and documentation: "session", "legacy-session". */
  readonly name: string;
  readonly role: Role;
  /** Where such files count: in the coding agent's store, unless told otherwise. */
  readonly places?: readonly Place[];
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
  readonly attributes?: Attributes;
}

export interface Document {
  readonly bytes: Buffer;
  readonly settled: boolean;
}

/** torn: nothing was emitted because the value is cut and may still be whole in a moment. */
export type DocumentResult = 'parsed' | 'torn';

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
  /** Modification time of the file as RFC 3339, for records that have no time of their own. */
  fileTime(): string;
  /** Project path for what the store records of it (a hash, a slug); undefined when unknown. */
  project(recorded: string | undefined): string | undefined;
  /** Full id of a session by its first characters, from another file of this directory or beside it. */
  knownSession(prefix: string): string | undefined;
  /** Counts something worth a metric but no row, by a fixed code ("unknown_record"). */
  note(code: string): void;
}

export interface ProjectQuery {
  readonly path: string;
  readonly recorded: string | undefined;
}

export interface SessionQuery {
  readonly path: string;
  readonly prefix: string;
}

/** Bounded reads of small text files below the root, cached by fingerprint. */
export interface SmallFiles {
  text(relative: string): string | undefined;
  list(relative: string): readonly string[];
}
