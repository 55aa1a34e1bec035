import type { DraftRow, Emit } from '../../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../../agent/contract/source.ts';
import { badDocument } from '../../shared/bad-line.ts';
import { withoutMark } from '../../shared/byte-mark.ts';
import { structureRefusal } from '../../shared/structure.ts';
import { cleanText } from '../../shared/text.ts';
import { type Time, toUtc } from '../../shared/time.ts';
import { decodeOne } from '../elements.ts';
import { asObject, asText } from '../records.ts';
import { sessionKeyOf } from '../session-name.ts';
import { emitBadRow, type FilePlace, fileName, fileTime, placeOf } from './place.ts';

/** What is kept before a tool changes a file; the histories in it are copies and are not read. */
interface RawCheckpoint {
  readonly toolCall?: unknown;
  readonly commitHash?: unknown;
  readonly messageId?: unknown;
}

interface RawToolCall {
  readonly name?: unknown;
  readonly args?: unknown;
}

/**
 * Parser of `checkpoints/<time>-<file>-<tool>.json`: which call was about to change a file, and the commit of the
 * shadow repository that holds the project as it was. The program deletes all of them at its next start.
 */
export function parseToolCheckpoint(document: Document, context: ParseContext, emit: Emit): DocumentResult {
  const { settled } = document;
  const bytes = withoutMark(document.bytes);
  const refusal = structureRefusal(bytes);
  const raw = refusal === undefined ? asObject<RawCheckpoint>(decodeOne(bytes)?.value) : undefined;
  if (!raw && !settled) return 'torn';
  const place = placeOf(context, emit);
  const row = raw && checkpointRow(place, raw);
  if (row) place.emit(row);
  else
    emitBadRow(
      place,
      badDocument('not a tool checkpoint', { bytes, reason: refusal ?? 'no tool call', line: 1 }),
    );
  return 'parsed';
}

function checkpointRow(place: FilePlace, raw: RawCheckpoint): DraftRow | undefined {
  const call = asObject<RawToolCall>(raw.toolCall);
  const tool = asText(call?.name);
  const args = call && argsText(call.args);
  if (tool === undefined || args === undefined) return undefined;
  const { context, project, projectKey } = place;
  const commit = cleanText(asText(raw.commitHash) ?? '-');
  const message = cleanText(asText(raw.messageId) ?? '-');
  const session = sessionOf(message);
  const time = nameTime(context);
  const from = time.source === 'file' ? 'file mtime' : 'time in the file name';
  return {
    record: `tool-checkpoint:${message}`,
    part: 'tool.checkpoint',
    content: cleanText(`${projectKey} ${time.source === 'file' ? '' : time.utc} ${commit} ${tool} ${args}`),
    ...(session !== undefined && { sessionKey: sessionKeyOf(session), session_id: session }),
    turn_type: 'system',
    event: 'tool.checkpoint',
    text: cleanText(
      `tool checkpoint: ${tool} ${args} commit=${commit} message=${message} (from ${fileName(context)}, ${from})`,
    ),
    timestamp_utc: time.utc,
    timestamp_source: time.source,
    project_path: project,
    tool_name: cleanText(tool),
    attributes: { tool: cleanText(tool), commit, message },
    source_line: 1,
  };
}

/** Undefined for what is nested too deeply to be written down. */
function argsText(args: unknown): string | undefined {
  try {
    return JSON.stringify(args) ?? '{}';
  } catch {
    return undefined;
  }
}

/** The message is named by the id of its prompt: `<session id>########<number>`. */
function sessionOf(message: string): string | undefined {
  return /^(.+)########\d+$/.exec(message)?.[1];
}

/** `2026-10-01T09-00-05_123Z-notes.md-replace.json`. */
function nameTime(context: ParseContext): Time {
  const match = /\/(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)_(\d{3})Z-[^/]*$/.exec(context.path);
  const [, day, hour, minute, second, ms] = match ?? [];
  const utc = toUtc(`${day}T${hour}:${minute}:${second}.${ms}Z`);
  return utc === null ? fileTime(context) : { utc, source: 'derived' };
}
