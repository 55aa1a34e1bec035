import { asList, asNumber, asObject, asText, type JsonObject } from '../../shared/fields.ts';
import { addEvent, fact } from '../../shared/kiro/rows.ts';
import { timeOf } from '../../shared/kiro/time.ts';
import { compactJson } from '../../shared/kiro/values.ts';
import type { Header } from './header-memory.ts';

/** Longer accounts of an error say nothing more. */
const MAX_ERROR_CHARS = 1_000;

/**
 * Rows for turns that ended otherwise than with an answer. A prompt whose turn failed, or was cancelled while the model
 * spoke, has no line in the log: this is all that is left of it. A turn is named by its random number and its end; two
 * turns can carry the same message ids.
 */
export function tellTurns({ scope }: Header, turns: readonly unknown[]): void {
  for (const value of turns) {
    const turn = asObject(value) ?? {};
    const reason = asText(turn['end_reason']);
    if (reason === undefined || reason === 'UserTurnEnd') continue;
    const isLost = hasNoAnswer(turn);
    const error = errorOf(turn['result']);
    const number = asNumber(asObject(turn['loop_id'])?.['rand']);
    addEvent(scope, 'session.turn', {
      record: `turn ${number ?? '-'}`,
      content: `${asText(turn['end_timestamp']) ?? '-'} ${reason}`,
      text: `turn ended: ${reason}${isLost ? ', its prompt is not in the log' : ''}${error === undefined ? '' : `: ${error}`}`,
      time: timeOf(turn['end_timestamp']),
      attributes: {
        end_reason: reason,
        prompt_logged: !isLost,
        ...fact('error', error),
        ...fact('duration_ms', durationMs(turn['turn_duration'])),
        ...fact('requests', asNumber(turn['total_request_count'])),
      },
    });
  }
}

/** Without an answer neither the prompt nor anything else of the turn was appended. */
function hasNoAnswer(turn: JsonObject): boolean {
  const [, ...others] = asList(turn['message_ids']);
  return others.every((id) => typeof id !== 'string');
}

function errorOf(result: unknown): string | undefined {
  const error = asObject<{ Err?: unknown }>(result)?.Err;
  if (error === undefined) return undefined;
  const kind = asObject<{ kind?: unknown; data?: unknown }>(
    asObject<{ kind?: unknown }>(asObject<{ Stream?: unknown }>(error)?.Stream)?.kind,
  );
  const message = asText(asObject<{ message?: unknown }>(kind?.data)?.message);
  return (message ?? asText(kind?.kind) ?? compactJson(error)).slice(0, MAX_ERROR_CHARS).toWellFormed();
}

function durationMs(value: unknown): number | undefined {
  const { secs, nanos } = asObject<{ secs?: unknown; nanos?: unknown }>(value) ?? {};
  const seconds = asNumber(secs);
  return seconds === undefined ? undefined : seconds * 1000 + Math.round((asNumber(nanos) ?? 0) / 1e6);
}
