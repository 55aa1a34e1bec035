/**
 * Sessions of the third engine, which the command line and release 1.x of the IDE share:
 * `sessions/<bucket>/<id>/{session.json,messages.jsonl,sub-executions/*.jsonl}`. The bucket is a hash of the workspace.
 */

export const SESSIONS = 'sessions';
const IN_SESSIONS = `${SESSIONS}/`;

/**
 * Where an id comes from: made by the third engine, converted from a session of the second one, or kept by a session
 * that the IDE moved here from its older store.
 */
export type IdForm = 'native' | 'converted' | 'moved';

export function formOf(id: string): IdForm | undefined {
  if (id.startsWith('sess_')) return 'native';
  if (id.startsWith('cli_')) return 'converted';
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? 'moved' : undefined;
}

export interface SessionPath {
  readonly bucket: string;
  readonly id: string;
  readonly form: IdForm;
  /** Path below the session's directory. */
  readonly rest: string;
}

/** The session of a path below the root; undefined for sessions of the second engine, staging copies and the like. */
export function sessionPath(path: string): SessionPath | undefined {
  if (!path.startsWith(IN_SESSIONS)) return undefined;
  const [, bucket = '', id = '', ...rest] = path.split('/');
  const form = formOf(id);
  if (form === undefined || bucket === 'cli' || bucket.startsWith('.')) return undefined;
  return { bucket, id, form, rest: rest.join('/') };
}

export function isMessages({ rest }: SessionPath): boolean {
  return rest === 'messages.jsonl' || /^sub-executions\/[^/]+\.jsonl$/.test(rest);
}

export function isSessionFile({ rest }: SessionPath): boolean {
  return rest === 'session.json';
}

/** Directories below `sessions/` that hold no file of a session: the second engine's is not theirs. */
export function isSkippedSessionDirectory(path: string): boolean {
  const [, bucket, id, inner, ...deeper] = path.split('/');
  if (bucket === undefined) return false;
  if (bucket.startsWith('.')) return true;
  if (id === undefined) return false;
  if (formOf(id) === undefined) return true;
  return inner !== undefined && (inner !== 'sub-executions' || deeper.length > 0);
}

/** Id of the session that a converted one came from: `cli_<id>_<8 characters>`. */
export function originOf(id: string): string | undefined {
  return /^cli_(.+)_[^_]*$/.exec(id)?.[1];
}
