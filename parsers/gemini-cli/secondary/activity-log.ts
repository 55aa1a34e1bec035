import type { DraftRow, Emit } from '../../../agent/contract/row.ts';
import type { LogParser, ParseContext } from '../../../agent/contract/source.ts';
import { badLine } from '../../shared/bad-line.ts';
import { decodeLine } from '../../shared/jsonl.ts';
import { cleanText } from '../../shared/text.ts';
import { utcOfMs } from '../../shared/time.ts';
import { asObject, asText } from '../records.ts';
import { sessionKeyOf } from '../session-name.ts';
import { type ActivityFacts, createRequests, type RawNetwork, type Requests } from './activity-network.ts';
import { emitBadRow, type FilePlace, placeOf } from './place.ts';

/** One line of an activity log. */
interface RawActivity {
  readonly type?: unknown;
  readonly payload?: unknown;
  readonly sessionId?: unknown;
  readonly timestamp?: unknown;
}

/** One log being followed. */
interface Activity {
  readonly context: ParseContext;
  readonly requests: Requests;
  /** Session of the file's name, until a line tells it. */
  session: string;
}

/**
 * Parser of `logs/session-<id>.jsonl`, the activity log of the developer tools: what the program printed and which
 * requests it made. Never the headers and bodies of the requests: they are the conversation once more, with secrets.
 */
export function openActivityLog(context: ParseContext): LogParser {
  const activity: Activity = { context, requests: createRequests(), session: sessionInName(context.path) };
  return {
    line: (bytes, line, emit) => readLine(activity, { bytes, line, emit }),
    unfinished: (bytes, line, emit) => readLine(activity, { bytes, line, emit, isCut: true }),
    session: () => (activity.session === '' ? undefined : activity.session),
  };
}

interface Line {
  readonly bytes: Buffer;
  readonly line: number;
  readonly emit: Emit;
  readonly isCut?: boolean;
}

function readLine(activity: Activity, { bytes, line, emit, isCut }: Line): void {
  const place = placeOf(activity.context, emit);
  const { records, bad } = decodeLine(bytes, line);
  for (const { value } of records) {
    const raw = asObject<RawActivity>(value);
    if (raw) addActivity(place, activity, { raw, line });
    else activity.context.note('unknown_record');
  }
  if (bad) emitBadRow(place, badLine({ ...bad, ...(isCut && { reason: 'cut off' }), line }));
}

function addActivity(
  place: FilePlace,
  activity: Activity,
  { raw, line }: { raw: RawActivity; line: number },
): void {
  activity.session = cleanText(asText(raw.sessionId) ?? activity.session);
  const facts = factsOf(activity, raw);
  if (facts)
    place.emit(activityRow(place, { ...facts, session: activity.session, time: raw.timestamp, line }));
}

function factsOf({ requests, context }: Activity, raw: RawActivity): ActivityFacts | undefined {
  const payload = asObject<RawNetwork & RawConsole>(raw.payload);
  if (payload && raw.type === 'network') return requests.read(payload);
  if (payload && raw.type === 'console') return consoleFacts(payload);
  context.note('unknown_record');
  return undefined;
}

interface RawConsole {
  readonly type?: unknown;
  readonly content?: unknown;
}

function consoleFacts({ type, content }: RawConsole): ActivityFacts | undefined {
  const text = asText(content);
  if (text === undefined) return undefined;
  const level = cleanText(asText(type) ?? 'log');
  return {
    record: 'console',
    part: level,
    event: 'activity.console',
    text: `console ${level}: ${cleanText(text)}`,
    attributes: { level },
  };
}

function activityRow(
  { project }: FilePlace,
  facts: ActivityFacts & { readonly session: string; readonly time: unknown; readonly line: number },
): DraftRow {
  const { record, part, event, text, attributes, session, time, line } = facts;
  const utc = typeof time === 'number' ? utcOfMs(time) : null;
  return {
    record,
    part,
    sessionKey: sessionKeyOf(session),
    content: `${utc ?? '-'} ${text}`,
    turn_type: 'system',
    event,
    text,
    timestamp_utc: utc,
    timestamp_source: utc === null ? 'none' : 'record',
    session_id: session === '' ? null : session,
    project_path: project,
    attributes,
    source_line: line,
  };
}

function sessionInName(path: string): string {
  return cleanText(/\/session-([^/]+)\.jsonl$/.exec(path)?.[1] ?? '');
}
