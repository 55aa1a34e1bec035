import type { ParseContext } from '../../../agent/contract/source.ts';
import { cleanText } from '../../shared/text.ts';
import { type Time, utcOfMs } from '../../shared/time.ts';
import { fileTime } from './place.ts';

/** What the name of a saved history says. */
export interface SavedName {
  readonly tag: string;
  readonly time: Time;
}

/** `checkpoint-<tag>.json`; the tag is percent-encoded, or not in old releases, or missing in the oldest. */
export function readCheckpointName(context: ParseContext): SavedName {
  const tag = /(?:^|\/)checkpoint-([^/]+)\.json$/.exec(context.path)?.[1];
  return { tag: tag === undefined ? '-' : cleanText(decoded(tag)), time: fileTime(context) };
}

/** `bug-report-history-<epoch ms>.json`. */
export function readExportName(context: ParseContext): SavedName {
  const ms = /-(\d{1,16})\.json$/.exec(context.path)?.[1] ?? '-';
  const utc = utcOfMs(Number(ms));
  return { tag: ms, time: utc === null ? fileTime(context) : { utc, source: 'derived' } };
}

/** What cannot be decoded was not encoded. */
function decoded(tag: string): string {
  try {
    return decodeURIComponent(tag);
  } catch {
    return tag;
  }
}
