import { hash } from 'node:crypto';
import type { DraftRow, Emit } from '../../../agent/contract/row.ts';
import type { ParseContext } from '../../../agent/contract/source.ts';
import { cleanText } from '../../shared/text.ts';
import { type Time, toUtc } from '../../shared/time.ts';
import { folderOf } from '../claims.ts';
import { isProjectHash } from '../session-name.ts';

/** Where a secondary file lies: what all its rows share. */
export interface FilePlace {
  readonly context: ParseContext;
  readonly emit: Emit;
  /** Folder of the project, which names of copies hold. */
  readonly folder: string;
  /** Path of the project, else its hash; null when the store tells neither. */
  readonly project: string | null;
  /**
   * The project as row ids see it: the hash of its path. A folder named by the hash and one named by a slug give
   * the same; a slug whose project is unknown gives none, since ids are never built on a path in the store.
   */
  readonly projectKey: string;
}

export function placeOf(context: ParseContext, emit: Emit): FilePlace {
  const folder = folderOf(context.path);
  const recorded = isProjectHash(folder) ? folder : undefined;
  const path = context.project(recorded);
  return {
    context,
    emit,
    folder,
    project: path === undefined ? (recorded ?? null) : cleanText(path),
    projectKey: recorded ?? (path === undefined ? '' : hash('sha256', path, 'hex')),
  };
}

/** The file as texts name it. */
export function fileName({ root, path }: ParseContext): string {
  return cleanText(`${root}/${path}`);
}

export function fileTime(context: ParseContext): Time {
  const utc = toUtc(context.fileTime());
  return utc === null ? { utc, source: 'none' } : { utc, source: 'file' };
}

/** Emits a row about unreadable content, with its project. */
export function emitBadRow(place: FilePlace, row: DraftRow): void {
  place.emit({ ...row, project_path: place.project });
}
