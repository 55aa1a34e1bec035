import type { Source, SourceRoot } from '../../agent/contract/source.ts';
import { sessionFiles } from '../shared/kiro-sessions/index.ts';
import { document, standing } from '../shared/specs.ts';
import { parseChat } from './chat.ts';
import { messageName } from './claims.ts';
import { parseExecution } from './execution.ts';
import { parseMigration } from './migration.ts';
import {
  isChat,
  isExecution,
  isMigrationMark,
  isSession,
  isSessionList,
  isSettings,
  isSkippedDirectory,
} from './paths.ts';
import { projectOf } from './project.ts';
import { parseSession } from './session.ts';
import { readSessionList } from './session-list.ts';
import { readSettings } from './standing/settings.ts';

/** The editor's directory on Linux, on the far end of a remote session, on macOS and on Windows. */
const USERS = [
  '.config/Kiro/User',
  '.kiro-server/data/User',
  'Library/Application Support/Kiro/User',
  'AppData/Roaming/Kiro/User',
];

/**
 * The agent's own store comes before the directory that holds it: it may be a link to another disk, and those are only
 * followed where they are a root.
 */
const ROOTS: readonly SourceRoot[] = [
  ...USERS.map((path) => ({ path: `${path}/globalStorage/kiro.kiroagent` })),
  ...USERS.map((path) => ({ path })),
  { path: '.kiro-server/data/Machine' },
  // Only sessions that were copied from the stores above; everything else in it is Kiro CLI's to tell.
  { path: '.kiro', env: [{ name: 'KIRO_HOME', names: 'directory' }] },
];

/** Kiro IDE. What each file holds and where the facts come from: docs/formats/kiro-ide.md. */
export const kiroIde: Source = {
  id: 'kiro-ide',
  title: 'Kiro IDE',
  version: 1,
  roots: ROOTS,
  files: [
    ...sessionFiles({ forms: ['moved'], claimsOf: (session, message) => [messageName(session, message)] }),
    document('session', 'primary', { matches: isSession, parse: parseSession }),
    document('execution', 'primary', { matches: isExecution, parse: parseExecution }),
    document('chat', 'primary', { matches: isChat, parse: parseChat }),
    document('migration-mark', 'secondary', { matches: isMigrationMark, parse: parseMigration }),
    standing('session-list', ['store'], { matches: isSessionList, read: readSessionList }),
    standing('settings', ['store', 'project'], { matches: isSettings, read: readSettings }),
  ],
  skipDirectory: isSkippedDirectory,
  projectOf,
  projectDirectory: '.vscode',
};
