import type { RetentionSetting, SmallFiles } from '../../agent/contract/source.ts';
import { asNumber, asObject } from '../shared/fields.ts';
import { parseJsonc } from '../shared/jsonc.ts';

const SETTING = 'cleanup.periodDays';

/**
 * Days after which the program deletes a session when it starts: those whose files are all older, whoever began them.
 * Unset by default; 0 is everything at every start; below zero is ignored.
 */
export function retentionNow(small: SmallFiles): RetentionSetting | undefined {
  const days = asNumber(settingsIn(small.text('settings/cli.json'))[SETTING]);
  return days === undefined || days < 0 ? undefined : { setting: SETTING, days };
}

function settingsIn(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return text === undefined ? {} : (asObject(parseJsonc(text)) ?? {});
  } catch {
    return {};
  }
}
