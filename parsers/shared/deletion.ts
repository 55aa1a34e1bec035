import type { DeletedFile, DeletionBurst, DeletionCause } from '../../agent/contract/lifecycle.ts';

/** Where a file of a burst belongs. */
export interface Belonging {
  /** Folder that holds the sessions of one project. */
  readonly folder: string;
  /** The session as far as file names tell it; the same for its parts. */
  readonly session: string;
  /** A file that belongs to a session and goes with it: a subagent's. */
  readonly isPart: boolean;
  /** The session lies in a folder of its own, which goes with it. */
  readonly hasOwnFolder?: boolean;
}

/** A session that is still there, and how old its last record is. */
export type Left = Belonging & { readonly ageDays: number };

export type Deleted = Belonging & { readonly file: DeletedFile };

/** What one coding agent deletes by itself. A rule that does not explain a file leaves it undefined. */
export interface DeletionRules {
  belonging(path: string): Belonging;
  /** Causes of sessions, in their order; `left` are those that are still there. */
  ofSessions(sessions: readonly Deleted[], left: readonly Left[]): readonly (DeletionCause | undefined)[];
  /** Cause of a part whose session did not go with it. */
  ofPart(file: DeletedFile): DeletionCause | undefined;
}

/** So many sessions at once are no single decision. */
export const MASS = 5;

/** Judges a burst: what the coding agent does by itself first, then what people do. */
export function judgeDeletions(burst: DeletionBurst, rules: DeletionRules): readonly DeletionCause[] {
  const all = burst.files.map((file) => ({ file, ...rules.belonging(file.path) }));
  const left = burst.left.map(({ path, ageDays }) => ({ ageDays, ...rules.belonging(path) }));
  const sessions = all.filter(({ isPart }) => !isPart);
  const byRule = rules.ofSessions(sessions, left);
  const explained = new Map<Deleted, DeletionCause | undefined>(
    sessions.map((one, at) => [one, isStoreGone(one) ? 'store_gone' : byRule[at]]),
  );
  const unexplained = sessions.filter((one) => explained.get(one) === undefined);
  const causeOf = (one: Deleted) => explained.get(one) ?? deliberate(one, { all, unexplained, left });
  return all.map((one) => (one.isPart ? causeOfPart(one, sessions, rules, causeOf) : causeOf(one)));
}

function isStoreGone({ file, hasOwnFolder = false }: Deleted): boolean {
  return file.alongWith === 'store' || (file.alongWith === 'folder' && !hasOwnFolder);
}

/** Whether the last record is older than the period in force. */
export function isExpired({ ageDays, retention }: Pick<DeletedFile, 'ageDays' | 'retention'>): boolean {
  return retention.days !== null && ageDays >= retention.days;
}

export function isSameSession(a: Belonging, b: Belonging): boolean {
  return a.folder === b.folder && a.session === b.session;
}

interface Surroundings {
  readonly all: readonly Deleted[];
  readonly unexplained: readonly Deleted[];
  readonly left: readonly Left[];
}

/** Somebody wanted it: one session, with its parts or without, or everything there was. */
function deliberate(one: Deleted, { all, unexplained, left }: Surroundings): DeletionCause {
  const count = new Set(unexplained.map(({ folder, session }) => `${folder} ${session}`)).size;
  const isLast = !left.some(({ folder, isPart }) => folder === one.folder && !isPart);
  if (count >= MASS || (count > 1 && isLast)) return 'mass_deletion';
  if (all.some((other) => other.isPart && isSameSession(other, one))) return 'delete_command';
  return one.file.tally === undefined ? 'unknown' : 'user';
}

function causeOfPart(
  part: Deleted,
  sessions: readonly Deleted[],
  rules: DeletionRules,
  causeOf: (session: Deleted) => DeletionCause,
): DeletionCause {
  const owner = sessions.find((session) => isSameSession(session, part));
  if (owner) return causeOf(owner);
  if (part.file.alongWith === 'store') return 'store_gone';
  return rules.ofPart(part.file) ?? 'unknown';
}
