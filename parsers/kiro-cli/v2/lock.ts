import type { Document, ParseContext, StandingResult } from '../../../agent/contract/source.ts';
import { withoutMark } from '../../shared/byte-mark.ts';
import { asNumber, asObject, asText } from '../../shared/fields.ts';
import { entryOf } from '../../shared/standing.ts';
import { cleanText } from '../../shared/text.ts';
import { sessionIn } from './state.ts';

const PROCESS = { label: 'session process', event: 'session.process' } as const;

/**
 * Reader of `sessions/cli/<id>.lock`: the process that has the session open, from when. It is removed when the process
 * lets go; one that was killed leaves it, which is the only trace of a turn that it was killed in. Some releases write it
 * empty: that says nothing.
 */
export function readLock({ bytes, settled }: Document, context: ParseContext): StandingResult {
  const lock = asObject<{ pid?: unknown; started_at?: unknown }>(parse(withoutMark(bytes)));
  const pid = asNumber(lock?.pid);
  if (pid === undefined) return settled ? { kind: 'entries', entries: [] } : { kind: 'torn' };
  const since = cleanText(asText(lock?.started_at) ?? '-');
  const facts = { value: `${pid} ${since}`, attributes: { kind: 'session_process', pid, started_at: since } };
  const subject = `pid ${pid} since ${since}`;
  const entries = [entryOf(PROCESS, { ...facts, key: 'lock', subject })];
  if (context.isRunning(pid, since) === false)
    entries.push(
      entryOf(PROCESS, {
        ...facts,
        key: 'left',
        subject: `${subject} is gone and did not close the session; a turn that was going on left no record`,
        attributes: { ...facts.attributes, left: true },
      }),
    );
  const session = sessionIn(context.path);
  return { kind: 'entries', entries: entries.map((entry) => ({ ...entry, session })) };
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
