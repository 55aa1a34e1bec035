import type { Row } from '../../agent/contract/row.ts';
import type { Pattern } from './case-form.ts';

/** A key in which a row is not what was wanted. */
export interface Difference {
  readonly key: string;
  readonly wanted: unknown;
  readonly found: unknown;
}

/** Where the row differs from the pattern; empty when it fits. */
export function differences(pattern: Pattern, row: Row): Difference[] {
  return Object.entries(pattern).flatMap(([key, wanted]) => {
    const { found, fits } = CHECKS[key as keyof Pattern](row, wanted);
    return fits ? [] : [{ key, wanted, found }];
  });
}

export function fits(pattern: Pattern, row: Row): boolean {
  return differences(pattern, row).length === 0;
}

type Check = (row: Row, wanted: unknown) => { readonly found: unknown; readonly fits: boolean };

const CHECKS: Readonly<Record<keyof Pattern, Check>> = {
  turn: ({ turn_type: found }, wanted) => ({ found, fits: String(wanted).split('|').includes(found) }),
  ts: ({ timestamp_utc: found }, wanted) => ({
    found,
    fits: found !== null && Date.parse(found) === Date.parse(String(wanted)),
  }),
  text: ({ text: found }, wanted) => ({ found, fits: found === wanted }),
  text_has: ({ text: found }, wanted) => ({
    found,
    fits: [wanted].flat().every((part) => found.includes(String(part))),
  }),
  sid: ({ session_id: found }, wanted) => ({ found, fits: found === wanted }),
  sid_has: ({ session_id: found }, wanted) => ({ found, fits: found?.includes(String(wanted)) === true }),
  proj: ({ project_path: found }, wanted) => ({ found, fits: found === wanted }),
  model: ({ model: found }, wanted) => ({ found, fits: found === wanted }),
  tool: ({ tool_name: found }, wanted) => ({ found, fits: found === wanted }),
  tuid: ({ tool_use_id: found }, wanted) => ({ found, fits: found === wanted }),
  file: ({ source_file: found }, wanted) => ({ found, fits: found === wanted }),
  line: ({ source_line: found }, wanted) => ({ found, fits: found === wanted }),
  event: ({ event: found }, wanted) => ({ found, fits: found === wanted }),
  attrs: ({ attributes: found }, wanted) => ({
    found,
    fits: Object.entries(wanted as object).every(([name, value]) => (found?.[name] ?? null) === value),
  }),
};
