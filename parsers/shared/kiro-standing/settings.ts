import type { StandingEntry } from '../../../agent/contract/source.ts';
import type { JsonObject } from '../fields.ts';
import {
  type EntryKind,
  entryOf,
  jsonObjectReader,
  MODEL,
  PERMISSION,
  RETENTION,
  TELEMETRY,
  valueText,
} from '../standing.ts';

/** Keys worth a row, by what they are about. They are flat: the dot is part of the name. */
const KEYS: readonly (readonly [kind: EntryKind, keys: readonly string[]])[] = [
  [RETENTION, ['cleanup.periodDays']],
  [MODEL, ['chat.defaultModel']],
  [
    PERMISSION,
    [
      'chat.defaultAgent',
      'chat.disableTrustAllConfirmation',
      'chat.disableGranularTrust',
      'chat.ui',
      'chat.enableCheckpoint',
      'chat.enableDelegate',
      'chat.enableTangentMode',
    ],
  ],
  [TELEMETRY, ['telemetry.enabled', 'codeWhisperer.shareCodeWhispererContentWithAWS']],
];

/** Reader of `settings/cli.json`. No other key is looked at. */
export const readSettings = jsonObjectReader((settings, context) => {
  const project = context.project(undefined);
  return KEYS.flatMap(([kind, keys]) => keys.flatMap((key) => settingEntry(settings, key, kind))).map(
    (entry) => ({ ...entry, ...(project !== undefined && { project }) }),
  );
});

function settingEntry(settings: JsonObject, key: string, kind: EntryKind): StandingEntry[] {
  if (!Object.hasOwn(settings, key)) return [];
  const value = settings[key];
  return [
    entryOf(kind, {
      key,
      value: valueText(value),
      attributes: {
        kind: 'setting',
        setting: key,
        ...(key === 'chat.disableTrustAllConfirmation' && value === true && { trust_all_silenced: true }),
        ...(key === 'cleanup.periodDays' && typeof value === 'number' && { days: value }),
      },
    }),
  ];
}
