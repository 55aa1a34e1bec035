import { asObject, asText } from '../shared/fields.ts';
import { cleanText } from '../shared/text.ts';
import { timeOf } from './place.ts';
import type { RawRecord } from './records.ts';
import { addEvent } from './rows.ts';
import type { Scope } from './state.ts';

interface RawOrigin {
  readonly sessionId?: unknown;
}

/** Session from which a record was copied when its session began as a copy of that one. */
export function copiedFrom(raw: RawRecord): string | undefined {
  return asText(asObject<RawOrigin>(raw.forkedFrom)?.sessionId);
}

/** Row for the beginning, before those of the first record that is the session's own. The format has no header. */
export function noteStart(scope: Scope, raw: RawRecord): void {
  const { session } = scope;
  if (session.isStarted) return;
  const source = copiedFrom(raw);
  if (source !== undefined) {
    session.copied++;
    session.forkedFrom ??= cleanText(source);
    return;
  }
  session.isStarted = true;
  const time = timeOf(raw.timestamp);
  const { agent } = session.name;
  const kind = agent === undefined ? 'main' : 'subagent';
  const { forkedFrom, copied } = session;
  addEvent(scope, 'session.start', {
    record: agent === undefined ? 'start' : `start ${agent}`,
    content: '',
    text: `session start: ${forkedFrom === undefined ? kind : `fork of ${forkedFrom}`}, ${time.utc ?? 'no time'}`,
    time,
    attributes: {
      kind,
      ...(forkedFrom !== undefined && { forked_from: forkedFrom, copied_records: copied }),
    },
  });
}
