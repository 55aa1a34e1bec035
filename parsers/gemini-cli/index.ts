import type { Source } from '../../agent/contract/source.ts';
import { document, log } from '../shared/specs.ts';
import { sessionOf } from './known-session.ts';
import { parseLegacySession } from './legacy-session.ts';
import { causesOfDeletion, retention } from './lifecycle.ts';
import { isLegacySession, isSessionLog, isSkippedDirectory } from './paths.ts';
import { projectOf, projectsIn } from './project.ts';
import { SECONDARY_FILES } from './secondary/index.ts';
import { openSession } from './session.ts';
import { STANDING_FILES } from './standing/index.ts';
import { ZED_THREADS } from './zed/index.ts';
import { ZED_ROOTS } from './zed/paths.ts';

/** Gemini CLI. What each file holds and where the facts come from: docs/formats/gemini-cli.md. */
export const geminiCli: Source = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  version: 1,
  roots: [
    { path: '.gemini', env: [{ name: 'GEMINI_CLI_HOME', names: 'parent' }] },
    { path: '.cache/.gemini' },
    ...ZED_ROOTS.map((path) => ({ path })),
  ],
  files: [
    log('session', 'primary', { matches: isSessionLog, open: openSession }),
    document('legacy-session', 'primary', { matches: isLegacySession, parse: parseLegacySession }),
    ...SECONDARY_FILES,
    ...STANDING_FILES,
    ZED_THREADS,
  ],
  skipDirectory: isSkippedDirectory,
  program: {
    package: '@google/gemini-cli',
    command: 'gemini',
    entries: ['bundle/gemini.js', 'dist/index.js'],
  },
  retention,
  causesOfDeletion,
  projectOf,
  projectsIn,
  projectDirectory: '.gemini',
  systemDirectories: {
    linux: ['/etc/gemini-cli'],
    darwin: ['/Library/Application Support/GeminiCli'],
    win32: ['C:\\ProgramData\\gemini-cli'],
  },
  filesFromEnv: {
    GEMINI_CLI_TRUSTED_FOLDERS_PATH: 'trusted-folders',
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: 'system-settings',
    GEMINI_CLI_SYSTEM_DEFAULTS_PATH: 'system-defaults',
  },
  sessionOf,
};
