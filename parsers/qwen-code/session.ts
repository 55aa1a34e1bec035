import type { LogParser, ParseContext } from '../../agent/contract/source.ts';
import { createRecordLog } from '../shared/record-log.ts';
import { emitBad, readRecord } from './reader.ts';
import { createSession, sessionIdOf } from './state.ts';

/** Parser of a session file, and of a subagent's. Format: docs/formats/qwen-code.md. */
export function openSession(context: ParseContext): LogParser {
  const session = createSession(context);
  return createRecordLog({
    damaged: () => {
      session.hasGap = true;
    },
    record: (place, record) => readRecord(session, place, record),
    bad: (place, part) => emitBad(session, place, part),
    session: () => sessionIdOf(session),
  });
}
