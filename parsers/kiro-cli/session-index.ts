import type { LogParser, ParseContext } from '../../agent/contract/source.ts';
import { badLine } from '../shared/bad-line.ts';
import { asObject, asText } from '../shared/fields.ts';
import { addBad, addEvent, type RowScope } from '../shared/kiro/rows.ts';
import { timeOf } from '../shared/kiro/time.ts';
import { createRecordLog, type LinePlace } from '../shared/record-log.ts';
import { cleanText } from '../shared/text.ts';

/**
 * Parser of `session-index/<bucket>.jsonl`, the list from which the program shows sessions. Only that one was taken off
 * it is told: its messages may still be there, and every session is found without the list.
 */
export function openSessionIndex(_context: ParseContext): LogParser {
  const counts = new Map<string, number>();
  return createRecordLog({
    record(place, { value }) {
      const raw = asObject(value) ?? {};
      const path = asText(raw['sessionPath']);
      if (raw['op'] !== 'remove' || path === undefined) return;
      const session = cleanText(path.slice(path.lastIndexOf('/') + 1));
      const count = (counts.get(path) ?? 0) + 1;
      counts.set(path, count);
      addEvent(scopeOf(place, session), 'session.listed', {
        record: 'unlisted',
        content: `${count} ${path}`,
        text: `session taken off the list: ${session}`,
        time: timeOf(raw['at']),
        attributes: { listed: false },
      });
    },
    bad: (place, part) => addBad(scopeOf(place, ''), badLine({ ...part, line: place.line })),
    session: () => undefined,
  });
}

function scopeOf({ line, emit }: LinePlace, session: string): RowScope {
  return { session, project: undefined, line, shared: {}, emit };
}
