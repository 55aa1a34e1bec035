/** The world the program runs in: an environment from nothing, settings, a policy, projects. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import { dotPng } from './dot-png.ts';

export type Environment = Readonly<Record<string, string>>;

/** What the seeded rule answers a forbidden call with. */
const DENY_MESSAGE = 'Pushing is left to people.';

/**
 * Built from nothing, so that neither the caller's keys, proxies and settings nor GEMINI_CLI_HOME reach the
 * program. The system settings are named and absent: those of this machine must not count either.
 */
export function cleanEnvironment(home: string, apiUrl: string): Environment {
  return {
    HOME: home,
    USERPROFILE: home,
    USER: 'alice',
    LOGNAME: 'alice',
    SHELL: '/bin/sh',
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    TMPDIR: temporaryFolder(home),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    NO_BROWSER: 'true',
    GEMINI_API_KEY: 'scripted-key',
    GOOGLE_GEMINI_BASE_URL: apiUrl,
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: join(home, '.absent', 'settings.json'),
    GEMINI_CLI_SYSTEM_DEFAULTS_PATH: join(home, '.absent', 'system-defaults.json'),
  };
}

/** Settings and policy as an administrator would have put them; a home that has settings keeps them. */
export function seedHome(home: string): void {
  mkdirSync(temporaryFolder(home), { recursive: true });
  const settings = join(home, '.gemini', 'settings.json');
  if (existsSync(settings)) return;
  writeDeep(settings, `${JSON.stringify(SETTINGS, null, 2)}\n`);
  writeDeep(join(home, '.gemini', 'policies', 'no-push.toml'), DENY_PUSH);
}

/** A small project folder; returns its absolute path. */
export function seedProject(home: string, project: string): string {
  const folder = join(home, project);
  writeDeep(join(folder, 'README.md'), `# ${basename(project)}\n`);
  writeDeep(join(folder, 'src', 'main.ts'), 'export const answer = 42;\n');
  writeDeep(join(folder, 'dot.png'), dotPng());
  return folder;
}

export function writeDeep(file: string, content: string | Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** The program drops error reports here; inside the home, so that they go away with it. */
function temporaryFolder(home: string): string {
  return join(home, '.temporary');
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
