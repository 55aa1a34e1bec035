/**
 * Identity of one conversation's records in every store that may hold them: rows of the database, session files of the
 * second engine, and sessions that the third converted from these. Each engine repeats other ids, so a record is named
 * by what all of them keep: the answer by its message id, calls and results by the answer that asked for them and the
 * call id, the prompt by its second and its words.
 */
export interface RecordIdentity {
  readonly sessionKey: string;
  readonly record: string;
  readonly part: string;
  readonly content?: string;
}

/** A random id names the same record wherever it stands: forks and copies keep it under another session. */
export function keyOf(session: string, id: string): string {
  return isRandom(id) ? '' : session;
}

export function isRandom(id: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) || /^tooluse_[\w-]{22}$/.test(id);
}

/** A prompt: message ids are made anew by each engine, and one of them keeps whole seconds only. */
export function promptIdentity(session: string, utc: string | null, text: string): RecordIdentity {
  const second = utc === null ? '-' : utc.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length);
  return { sessionKey: session, record: 'prompt', part: 'text', content: `${second} ${text}` };
}

/** Something that an answer says. */
export function answerIdentity(session: string, message: string): RecordIdentity {
  return { sessionKey: keyOf(session, message), record: message, part: 'text' };
}

export function thoughtIdentity(session: string, message: string): RecordIdentity {
  return { sessionKey: keyOf(session, message), record: message, part: 'thought' };
}

/** A call that an answer asks for; later states of it are the same call. */
export function callIdentity(session: string, message: string, call: string): RecordIdentity {
  return ofCall(session, message, `call:${call}`);
}

/** What a call gave back: once, since the engines word some results differently. */
export function resultIdentity(session: string, message: string, call: string): RecordIdentity {
  return ofCall(session, message, `result:${call}`);
}

/** How a call was decided; without a call, how all calls of the answer were. */
export function decisionIdentity(session: string, message: string, call: string | undefined): RecordIdentity {
  return ofCall(session, message, call === undefined ? 'permission' : `permission:${call}`);
}

function ofCall(session: string, message: string, part: string): RecordIdentity {
  return { sessionKey: keyOf(session, message), record: message, part, content: '' };
}
