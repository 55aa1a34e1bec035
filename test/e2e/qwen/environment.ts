/** The world the program runs in: an environment from nothing, and settings. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, plainEnvironment, temporaryFolder, writeDeep } from '../shared/environment.ts';

/** The seeded rule, as the program names it when it denies a call. */
export const DENY_RULE = 'Bash(git push *)';

/** The system settings are named and absent: those of this machine must not count either. */
export function cleanEnvironment(home: string, apiUrl: string): Environment {
  return {
    ...plainEnvironment(home),
    GEMINI_API_KEY: 'scripted-key',
    GOOGLE_GEMINI_BASE_URL: apiUrl,
    QWEN_CODE_SYSTEM_SETTINGS_PATH: join(home, '.absent', 'settings.json'),
    QWEN_CODE_SYSTEM_DEFAULTS_PATH: join(home, '.absent', 'system-defaults.json'),
  };
}

/** Settings as an administrator would have put them; a home that has settings keeps them. */
export function seedHome(home: string): void {
  mkdirSync(temporaryFolder(home), { recursive: true });
  if (!existsSync(settingsFile(home)))
    writeDeep(settingsFile(home), `${JSON.stringify(SETTINGS, null, 2)}\n`);
}

export function settingsFile(home: string): string {
  return join(home, '.qwen', 'settings.json');
}

/** Changes the settings as a person with an editor would. */
export function editSettings(home: string, edit: (settings: Settings) => void): void {
  const settings = JSON.parse(readFileSync(settingsFile(home), 'utf8')) as Settings;
  edit(settings);
  writeFileSync(settingsFile(home), `${JSON.stringify(settings, null, 2)}\n`);
}

export interface Settings {
  security: { folderTrust?: { enabled: boolean } };
  tools?: { approvalMode?: string };
}

const SETTINGS = {
  general: { enableAutoUpdate: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  ui: { hideTips: true, enableFollowupSuggestions: false, autoModeAcknowledged: true },
  security: { auth: { selectedType: 'gemini' } },
  model: { name: 'gemini-2.5-pro' },
  modelProviders: {
    gemini: [
      { id: 'gemini-2.5-pro', name: 'Pro', envKey: 'GEMINI_API_KEY' },
      { id: 'gemini-2.5-flash', name: 'Flash', envKey: 'GEMINI_API_KEY' },
    ],
  },
  permissions: { deny: [DENY_RULE] },
} as const;
