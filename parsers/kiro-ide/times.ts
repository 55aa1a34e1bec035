import type { TimestampSource } from '../../agent/contract/row.ts';
import type { ParseContext } from '../../agent/contract/source.ts';
import { asList, asObject, asText } from '../shared/fields.ts';
import { NO_TIME, type Time, toUtc, utcOfMs } from '../shared/time.ts';
import { METADATA, SAVES } from './paths.ts';
import { hash32, workspaceHashes } from './workspace.ts';

/** A time in any form that the IDE writes: seconds or milliseconds since 1970, as number or text, or RFC 3339. */
export function timeOf(value: unknown, source: TimestampSource = 'record'): Time {
  const utc = utcOf(value);
  return utc === null ? NO_TIME : { utc, source };
}

/** Below this a number counts seconds: as milliseconds it would be a day of 1973. */
const MIN_MS = 1e11;

function utcOf(value: unknown): string | null {
  const number = typeof value === 'string' && /^\d{9,17}(?:\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number') return toUtc(value);
  return number > 0 ? utcOfMs(number < MIN_MS ? number * 1000 : number) : null;
}

export function fileTime(context: ParseContext): Time {
  return timeOf(context.fileTime(), 'file');
}

/** Start times of executions, for records that have none of their own. */
export interface ExecutionTimes {
  startOf(execution: string): Time | undefined;
}

/** Execution files that are looked into for one session; the list of executions nearly always knows. */
const MAX_LOOKS = 20;

export function createExecutionTimes(context: ParseContext, project: string | undefined): ExecutionTimes {
  const folders = project === undefined ? [] : workspaceHashes(project);
  let listed: Map<string, Time> | undefined;
  let looks = 0;

  return {
    startOf(execution) {
      listed ??= listedStarts(context, folders);
      const known = listed.get(execution);
      if (known || looks >= MAX_LOOKS) return known;
      looks++;
      const found = startInFile(context, folders, execution);
      if (found) listed.set(execution, found);
      return found;
    },
  };
}

function listedStarts({ small }: ParseContext, folders: readonly string[]): Map<string, Time> {
  const starts = new Map<string, Time>();
  for (const folder of folders) {
    for (const value of asList(executionsIn(small.text(`${folder}/${METADATA}`)))) {
      const { executionId, startTime } =
        asObject<{ executionId?: unknown; startTime?: unknown }>(value) ?? {};
      const id = asText(executionId);
      const time = timeOf(startTime, 'derived');
      if (id !== undefined && time.utc !== null) starts.set(id, time);
    }
  }
  return starts;
}

function executionsIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : asObject<{ executions?: unknown }>(JSON.parse(text))?.executions;
  } catch {
    return undefined;
  }
}

/** Execution files are megabytes long. */
const HEAD_BYTES = 4_096;

/** The start stands near the beginning of the file, so it is not parsed for this. */
function startInFile(
  { small }: ParseContext,
  folders: readonly string[],
  execution: string,
): Time | undefined {
  for (const folder of folders) {
    const text = small.text(`${folder}/${SAVES}/${hash32(execution)}`, HEAD_BYTES);
    const start = text === undefined ? undefined : /"startTime"\s*:\s*"?(\d{9,17})/.exec(text)?.[1];
    if (start !== undefined) return timeOf(start, 'derived');
  }
  return undefined;
}
