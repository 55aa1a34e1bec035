import { METRICS } from '../contract/metrics.ts';
import type { CaptureState, FromCapture } from './protocol.ts';

const LEVELS: readonly unknown[] = ['debug', 'info', 'warn', 'error'];

/**
 * Throws on a frame that is not what its type says. A capture process runs as a user, who may take it over: what
 * it says goes into health, metrics and the log, and must not be able to end the keeper there. Commits are
 * checked where they are taken apart.
 */
export function checkFrame(header: FromCapture): void {
  if (!isWellFormed(header))
    throw new Error(`a frame of type ${String(header?.type).slice(0, 20)} is malformed`);
}

function isWellFormed(header: FromCapture): boolean {
  switch (header?.type) {
    case 'commit':
    case 'done':
      return true;
    case 'at':
      return header.file === null || isText(header.file);
    case 'log':
      return LEVELS.includes(header.level) && isText(header.message) && isFlat(header.fields);
    case 'count':
      return Object.hasOwn(METRICS, header.name) && isNumber(header.amount) && isMapOf(header.labels, isText);
    case 'state':
      return isState(header.state);
    case 'waiting':
      return isNumber(header.files);
    case 'swept':
      return isText(header.reason) && typeof header.first === 'boolean';
    default:
      return false;
  }
}

function isState(state: CaptureState): boolean {
  const {
    watchMode,
    roots,
    files,
    parsed,
    rows,
    unreadable,
    waiting,
    readBytes,
    lastFullSweep,
    minDaysToExpiry,
  } = Object(state) as CaptureState;
  return (
    isText(watchMode) &&
    Array.isArray(roots) &&
    Array.isArray(unreadable) &&
    unreadable.every(isText) &&
    [files, parsed, rows].every((counts) => isMapOf(counts, isNumber)) &&
    [waiting, readBytes, lastFullSweep ?? 0, minDaysToExpiry ?? 0].every(isNumber)
  );
}

function isFlat(fields: unknown): boolean {
  return isMapOf(fields, (value) => value === null || typeof value !== 'object');
}

function isMapOf(value: unknown, isValue: (value: unknown) => boolean): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every(isValue);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}
