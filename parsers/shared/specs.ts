import type { DocumentSpec, FileSpec, LogSpec, Place, StandingSpec } from '../../agent/contract/source.ts';

/** Files of a source, in the order in which people ask: what it is called, what it counts for, how it is known and read. */

export function log(name: string, role: FileSpec['role'], rest: Pick<LogSpec, 'matches' | 'open'>): LogSpec {
  return { kind: 'log', name, role, ...rest };
}

export function document(
  name: string,
  role: FileSpec['role'],
  rest: Pick<DocumentSpec, 'matches' | 'parse' | 'isAhead' | 'places'>,
): DocumentSpec {
  return { kind: 'document', name, role, ...rest };
}

export function standing(
  name: string,
  places: readonly Place[],
  rest: Pick<StandingSpec, 'matches' | 'read' | 'again'>,
): StandingSpec {
  return { kind: 'standing', name, role: 'standing', places, ...rest };
}

/** The file of exactly this root-relative path. */
export function is(path: string): FileSpec['matches'] {
  return (relative) => relative === path;
}
