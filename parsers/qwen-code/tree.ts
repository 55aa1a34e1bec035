import { asText } from '../shared/fields.ts';
import { cleanText } from '../shared/text.ts';
import { timeOf } from './place.ts';
import type { RawRecord } from './records.ts';
import { addEvent } from './rows.ts';
import type { Scope, Session } from './state.ts';

/** May stand beside the conversation: the next record hangs on one of these, or on what it hangs on itself. */
const ASIDE = new Set([
  'custom_title',
  'session_source',
  'session_artifact_event',
  'session_artifact_snapshot',
  'session_sources_snapshot',
]);

/** More ends than this are no conversation; a bound on what a hostile file can make us keep. */
const MAX_KEPT = 10_000;

/**
 * Follows the tree of records. A record that hangs on no end of the tree, but on an earlier record, begins a branch:
 * the session was taken up there again. A rewind says so itself.
 */
export function followTree(scope: Scope, raw: RawRecord): void {
  const { session, record } = scope;
  const { tips, asides } = session;
  const named = asText(raw.parentUuid);
  const parent = named !== undefined && asides.has(named) ? asides.get(named) : named;
  if (ASIDE.has(String(raw.subtype))) {
    if (asides.size >= MAX_KEPT) asides.clear();
    asides.set(record, parent);
    return;
  }
  if (tips.has(record)) return;
  const isNext = parent !== undefined && tips.delete(parent);
  const isBranch = !isNext && tips.size > 0 && !session.hasGap && raw.subtype !== 'rewind';
  addTip(session, record);
  if (isBranch) addBranch(scope, raw, parent);
}

function addTip(session: Session, record: string): void {
  session.hasGap = false;
  if (session.tips.size >= MAX_KEPT) session.tips.clear();
  session.tips.add(record);
}

function addBranch(scope: Scope, raw: RawRecord, parent: string | undefined): void {
  const from = parent === undefined ? 'the start' : cleanText(parent);
  addEvent(scope, 'session.branched', {
    text: `branched from ${from}`,
    time: timeOf(raw.timestamp),
    attributes: { from: parent === undefined ? 'start' : from },
  });
}
