import { asObject, type JsonObject } from '../shared/fields.ts';
import { readCompression } from './compression.ts';
import {
  readFiles,
  readParent,
  readRewind,
  readSessionModel,
  readSource,
  readTitle,
  readTurnResult,
} from './facts.ts';
import type { RawRecord } from './records.ts';
import { readSlashCommand } from './slash-command.ts';
import type { Scope } from './state.ts';
import { readTelemetry } from './telemetry.ts';

/** A record about the session itself. `payload` is its systemPayload, empty when there is none. */
type Reader = (scope: Scope, raw: RawRecord, payload: JsonObject) => void;

const READERS: Readonly<Record<string, Reader>> = {
  at_command: readFiles,
  chat_compression: readCompression,
  custom_title: readTitle,
  parent_session: readParent,
  rewind: readRewind,
  session_model: readSessionModel,
  session_source: readSource,
  slash_command: readSlashCommand,
  turn_result: readTurnResult,
  ui_telemetry: readTelemetry,
};

/** Known, and of no use here: what they say stands in other records, or is the program's own bookkeeping. */
const SILENT = new Set([
  'agent_bootstrap',
  'agent_launch_prompt',
  'agent_retry',
  'agent_session_ready',
  'attribution_snapshot',
  'background_task_completed',
  'branch_checkpoint',
  'file_history_snapshot',
  'goal_state',
  'goal_turn_end',
  'omni_recall',
  'session_artifact_event',
  'session_artifact_snapshot',
  'session_sources_snapshot',
  'user_text_elements',
]);

export function readSystem(scope: Scope, raw: RawRecord): void {
  const subtype = typeof raw.subtype === 'string' ? raw.subtype : '';
  const read = Object.hasOwn(READERS, subtype) ? READERS[subtype] : undefined;
  if (read) read(scope, raw, asObject(raw.systemPayload) ?? {});
  else if (!SILENT.has(subtype)) scope.session.context.note('unknown_record');
}
