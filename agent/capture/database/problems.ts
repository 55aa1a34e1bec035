import type { DraftRow } from '../../contract/row.ts';
import type { Malformed } from './malformed.ts';

/** What could not be read of a database in one look. */
export interface Problems {
  readonly onBad: (error: Malformed) => void;
  readonly count: number;
  /** Rows that say so: the same damage seen again is the same row. */
  rows(): DraftRow[];
}

/** Damage is mostly in one place; a database made of damage needs no row for every page. */
const MAX_TOLD = 20;

export function createProblems(): Problems {
  const found = new Map<string, Malformed>();
  return {
    onBad: (error) => void found.set(error.message, error),
    get count() {
      return found.size;
    },
    rows: () =>
      [...found.values()].slice(0, MAX_TOLD).map(({ reason, page }) => problemRow(reason, { page })),
  };
}

export function problemRow(reason: string, facts: Readonly<Record<string, number | string>> = {}): DraftRow {
  const details = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  return {
    record: `database:${reason}`,
    part: 'parser.error',
    content: details.join(' '),
    turn_type: 'system',
    event: 'parser.error',
    text: `parser: database not read: ${reason}${details.length > 0 ? ` (${details.join(', ')})` : ''}`,
    attributes: { reason, ...facts },
  };
}
