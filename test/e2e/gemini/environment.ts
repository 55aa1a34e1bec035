/** The world the program runs in: an environment from nothing, settings, a policy. */
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Environment, plainEnvironment, temporaryFolder, writeDeep } from '../shared/environment.ts';

/** What the seeded rule answers a forbidden call with. */
const DENY_MESSAGE = 'Pushing is left to people.';

/** The system settings are named and absent: those of this machine must not count either. */
export function cleanEnvironment(home: string, apiUrl: string): Environment {
  const plain = plainEnvironment(home);
  return {
    ...plain,
    PATH: [programs(home), plain['PATH']].join(delimiter),
    GEMINI_API_KEY: 'scripted-key',
    GOOGLE_GEMINI_BASE_URL: apiUrl,
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home, '.absent', 'settings.json'),
    GEMINI_CLI_SYSTEM_DEFAULTS_PATH: join(home, '.absent', 'system-defaults.json'),
  };
}

/** Stands before those of the machine: `/bug` must open no browser. */
function programs(home: string): string {
  return join(home, '.programs');
}

/** Settings and policy as an administrator would have put them; a home that has settings keeps them. */
export function seedHome(home: string): void {
  mkdirSync(temporaryFolder(home), { recursive: true });
  writeDeep(join(programs(home), 'xdg-open'), '#!/bin/sh\nexit 0\n');
  chmodSync(join(programs(home), 'xdg-open'), 0o755);
  const settings = join(home, '.gemini', 'settings.json');
  if (existsSync(settings)) return;
  writeDeep(settings, `${JSON.stringify(SETTINGS, null, 2)}\n`);
  writeDeep(join(home, '.gemini', 'policies', 'no-push.toml'), DENY_PUSH);
}

const SETTINGS = {
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  ui: { hideBanner: true, hideTips: true },
  security: {
    auth: { selectedType: 'gemini-api-key' },
    folderTrust: { enabled: true },
    enablePermanentToolApproval: true,
  },
} as const;

const DENY_PUSH = `[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git push"]
decision = "deny"
priority = 500
denyMessage = "${DENY_MESSAGE}"
`;
