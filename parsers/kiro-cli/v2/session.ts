import type { LogParser, ParseContext } from '../../../agent/contract/source.ts';
import { badLine } from '../../shared/bad-line.ts';
import { withoutReturn } from '../../shared/byte-mark.ts';
import { asObject, asText, type JsonObject } from '../../shared/fields.ts';
import type { BadPart, LineRecord } from '../../shared/jsonl.ts';
import { addBad } from '../../shared/kiro/rows.ts';
import { createRecordLog, type LinePlace } from '../../shared/record-log.ts';
import { isNestedTooDeeply } from '../../shared/structure.ts';
import { cleanText } from '../../shared/text.ts';
import { directoryOf } from '../project.ts';
import { readAnswer } from './answer.ts';
import { readOther } from './marks.ts';
import { readPrompt } from './prompt.ts';
import { readResults } from './results.ts';
import { createSession, type Scope, type Session } from './state.ts';

/** Parser of `sessions/cli/<id>.jsonl`, the log of one session of the second engine. Format: docs/formats/kiro-cli.md. */
export function openSession(context: ParseContext): LogParser {
  const log = createSession(context);
  return createRecordLog({
    record: (place, record) => readRecord(log, place, record),
    bad: (place, part) => addBad(scopeOf(log, place), badLine({ ...part, line: place.line })),
    session: () => log.id,
  });
}

function readRecord(log: Session, place: LinePlace, { value, bytes, lossy }: LineRecord): void {
  const raw = asObject(value);
  const kind = asText(raw?.['kind']);
  lookUpProject(log, kind);
  const scope = { ...scopeOf(log, place), shared: { ...lossy } };
  if (!raw || kind === undefined) {
    addBroken(scope, { bytes, reason: 'not a session record' });
    return;
  }
  try {
    dispatch(scope, kind, asObject(raw['data']) ?? {});
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    addBroken(scope, { bytes, reason: isNestedTooDeeply(bytes) ? 'nested too deeply' : 'too large' });
  }
}

/** Looked up anew with each prompt, and as long as nothing is known. */
function lookUpProject(log: Session, kind: string | undefined): void {
  if (log.project !== undefined && kind !== 'Prompt') return;
  const directory = directoryOf(log.context.path, log.context.small);
  if (directory !== undefined) log.project = cleanText(directory);
}

function dispatch(scope: Scope, kind: string, data: JsonObject): void {
  if (kind === 'Prompt') readPrompt(scope, data);
  else if (kind === 'AssistantMessage') readAnswer(scope, data);
  else if (kind === 'ToolResults') readResults(scope, data);
  else readOther(scope, kind, data);
}

function scopeOf(log: Session, { line, emit }: LinePlace): Scope {
  return { log, line, emit, session: log.id, project: log.project, shared: {} };
}

function addBroken(scope: Scope, part: BadPart): void {
  addBad(scope, badLine({ reason: part.reason, bytes: withoutReturn(part.bytes), line: scope.line }));
}
