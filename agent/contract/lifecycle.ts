/** What is known of session files that go away, and how a source judges why. */

/** Likely causes of a deletion, with the words that a row's text has for them. */
export const DELETION_CAUSES = {
  expired: 'it was older than the coding agent keeps sessions',
  over_count: 'there were more sessions than the coding agent keeps',
  unresumable: 'it held nothing that the coding agent could resume',
  shared_id: 'the coding agent deleted another file with the same short id, and this one with it',
  delete_command: 'the session was deleted together with what belongs to it, as the delete command does',
  user: 'no rule of the coding agent explains it: somebody deleted it',
  mass_deletion: 'no rule of the coding agent explains it: it went away together with other sessions',
  store_gone: 'its whole folder went away',
  unknown: 'the cause is not known',
} as const satisfies Record<string, string>;

export type DeletionCause = keyof typeof DELETION_CAUSES;

/** How long the coding agent keeps sessions under the settings in force; null: without that limit. */
export interface Retention {
  readonly days: number | null;
  /** Most sessions that it keeps in one folder. */
  readonly count: number | null;
}

/** Days as rows tell them: a tenth is as exact as anybody asks. */
export function inTenths(days: number): number {
  return Math.round(days * 10) / 10;
}

/** What a file gave, counted over the rows that it gave since it was read from its start. */
export interface Tally {
  readonly rows: number;
  readonly prompts: number;
  readonly answers: number;
  readonly calls: number;
  /** Rows `session.start`. */
  readonly starts: number;
  /** The latest timestamp_utc, or null. */
  readonly last: string | null;
  /** The latest project_path, or null. */
  readonly project: string | null;
}

export interface DeletedFile {
  /** Root-relative, forward slashes. */
  readonly path: string;
  /** Days from its last record to now, or from its last change when no record had a time. */
  readonly ageDays: number;
  /** Undefined when an older release of Holdfast read it. */
  readonly tally: Tally | undefined;
  readonly retention: Retention;
  /** What went away with it: nothing, the folder that it lay in, the whole store. */
  readonly alongWith: 'nothing' | 'folder' | 'store';
}

/** Files of one source that went away within moments of one another. */
export interface DeletionBurst {
  readonly files: readonly DeletedFile[];
  /** Files with records that are still there. */
  readonly left: readonly Pick<DeletedFile, 'path' | 'ageDays'>[];
}
