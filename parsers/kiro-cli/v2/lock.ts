import type { Document, ParseContext, StandingResult } from '../../../agent/contract/source.ts';
import { withoutMark } from '../../shared/byte-mark.ts';
import { asNumber, asObject, asText } from '../../shared/fields.ts';
import { entryOf } from '../../shared/standing.ts';
import { cleanText } from '../../shared/text.ts';
import { sessionIn } from './state.ts';

const PROCESS = { label: 'session process', event: 'session.process' } as const;

/**
 * Reader of `sessions/cli/<id>.lock`: the process that has the session open, from when. It is removed when the process
 * lets go; one that was killed leaves it, and so do releases that write it empty. Neither is worth a complaint.
 */
export function readLock({ bytes, settled }: Document, context: ParseContext): StandingResult {
  const lock = asObject<{ pid?: unknown; started_at?: unknown }>(parse(withoutMark(bytes)));
  const pid = asNumber(lock?.pid);
  if (pid === undefined) return settled ? { kind: 'entries', entries: [] } : { kind: 'torn' };
  const since = cleanText(asText(lock?.started_at) ?? '-');
  const entry = entryOf(PROCESS, {
    key: 'lock',
    value: `${pid} ${since}`,
    subject: `pid ${pid} since ${since}`,
    attributes: { kind: 'session_process', pid, started_at: since },
  });
  return { kind: 'entries', entries: [{ ...entry, session: sessionIn(context.path) }] };
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
