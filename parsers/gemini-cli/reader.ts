import type { Emit } from '../../agent/contract/row.ts';
import { badLine } from '../shared/bad-line.ts';
import type { BadPart, LineRecord, LossyMark } from '../shared/jsonl.ts';
import { isNestedTooDeeply } from '../shared/structure.ts';
import { cleanText } from '../shared/text.ts';
import { readHeader, readSet } from './facts.ts';
import { readMessage } from './message.ts';
import { type RawPatch, readPatch } from './patch.ts';
import { asObject, type RawFacts, type RawRecord } from './records.ts';
import { rewindTo } from './rewind.ts';
import { addBadRow } from './rows.ts';
import type { Scope, Session } from './state.ts';

export interface Place {
  readonly session: Session;
  readonly line: number;
  readonly emit: Emit;
}

/** Reads one record of a session. Whatever it holds, it ends in rows. */
export function readRecord(place: Place, record: LineRecord): void {
  const scope = startScope(place, record.lossy);
  try {
    dispatch(scope, record);
  } catch (error) {
    addBadRow(
      scope,
      badLine({ bytes: record.bytes, reason: reasonOf(error, record.bytes), line: place.line }),
    );
  }
  for (const row of scope.rows) place.emit(row);
}

/** Emits the row for what could not be read of a line. */
export function emitBad(place: Place, bad: BadPart): void {
  const scope = startScope(place, undefined);
  addBadRow(scope, badLine({ bytes: bad.bytes, reason: bad.reason, line: place.line }));
  for (const row of scope.rows) place.emit(row);
}

export function startScope({ session, line }: Place, lossy: LossyMark | undefined): Scope {
  const { parent } = session.name;
  const link = parent === undefined ? undefined : { parent_session_id: cleanText(parent) };
  return { session, line, rows: [], shared: link || lossy ? { ...link, ...lossy } : undefined };
}

function dispatch(scope: Scope, record: LineRecord): void {
  const raw = asObject<RawRecord & RawFacts>(record.value);
  if (!raw) {
    addBadRow(scope, badLine({ bytes: record.bytes, reason: 'not a JSON object', line: scope.line }));
    return;
  }
  const patch = asObject<RawPatch>(raw.$patch);
  const set = asObject<RawFacts>(raw.$set);
  if (typeof raw.$rewindTo === 'string') rewindTo(scope, raw.$rewindTo);
  else if (patch) readPatch(scope, patch);
  else if (raw.id !== undefined) readMessage(scope, raw);
  else if (set) readSet(scope, set);
  else if (typeof raw.sessionId === 'string') readHeader(scope, raw);
  else scope.session.context.note('unknown_record');
}

/** What a hostile shape can still do: JSON.stringify gives up on deep nesting and on huge results. */
function reasonOf(error: unknown, bytes: Buffer): string {
  if (!(error instanceof RangeError)) return 'unexpected shape';
  return isNestedTooDeeply(bytes) ? 'nested too deeply' : 'too large';
}
