import type { Place, Source } from '../../agent/contract/source.ts';
import { dataRoots } from '../shared/conversation/data-roots.ts';
import { isDelegate, parseDelegate } from '../shared/conversation/delegate.ts';
import { savedConversation, stateForm } from '../shared/conversation/saved.ts';
import { sessionFiles } from '../shared/kiro-sessions/index.ts';
import { readAgent, readAgentText } from '../shared/kiro-standing/agents.ts';
import { readHooks } from '../shared/kiro-standing/hooks.ts';
import { readPermissions, readTrustMigration } from '../shared/kiro-standing/permissions.ts';
import { readServers } from '../shared/kiro-standing/servers.ts';
import { readSettings } from '../shared/kiro-standing/settings.ts';
import { readSteering } from '../shared/kiro-standing/steering.ts';
import { typedHistory } from '../shared/kiro-typed/typed-history.ts';
import { document, log, standing } from '../shared/specs.ts';
import { causesOfDeletion, retention } from './lifecycle.ts';
import {
  isAgent,
  isAgentText,
  isHeader,
  isHook,
  isLock,
  isManagedSettings,
  isPermissions,
  isServerList,
  isSessionIndex,
  isSessionLog,
  isSettings,
  isSkippedDirectory,
  isSteering,
  isTrustMigration,
  isTypedHistory,
} from './paths.ts';
import { projectOf } from './project.ts';
import { filesIn, sessionForm } from './saved.ts';
import { openSessionIndex } from './session-index.ts';
import { KIRO_DATABASE } from './v1/database.ts';
import { parseHeader } from './v2/header.ts';
import { readLock } from './v2/lock.ts';
import { openSession } from './v2/session.ts';

const STORE: readonly Place[] = ['store'];
/** Files that a project can have too, below a directory of the same name. */
const ANYWHERE: readonly Place[] = ['store', 'project'];

/** Kiro CLI, its session files and settings. What each holds and where the facts come from: docs/formats/kiro-cli.md. */
export const kiroCli: Source = {
  id: 'kiro-cli',
  title: 'Kiro CLI',
  version: 1,
  roots: [
    {
      path: '.kiro',
      env: [
        { name: 'KIRO_HOME', names: 'directory' },
        { name: 'KIRO_TEST_SESSIONS_DIR', names: 'directory' },
      ],
    },
    ...dataRoots('kiro-cli'),
  ],
  files: [
    KIRO_DATABASE,
    document('delegate', 'primary', { matches: isDelegate, parse: parseDelegate }),
    log('session', 'primary', { matches: isSessionLog, open: openSession }),
    document('session-header', 'standing', { matches: isHeader, parse: parseHeader }),
    standing('session-lock', STORE, { matches: isLock, read: readLock, again: true }),
    ...sessionFiles({ forms: ['native', 'converted'] }),
    log('session-index', 'secondary', { matches: isSessionIndex, open: openSessionIndex }),
    typedHistory(isTypedHistory),
    savedConversation([sessionForm, stateForm({ forks: true })]),
    standing('settings', ANYWHERE, { matches: isSettings, read: readSettings }),
    standing('agents', ANYWHERE, { matches: isAgent, read: readAgent }),
    standing('agent-texts', ANYWHERE, { matches: isAgentText, read: readAgentText }),
    standing('permissions', ANYWHERE, { matches: isPermissions, read: readPermissions }),
    standing('managed-settings', ['store', 'system'], { matches: isManagedSettings, read: readPermissions }),
    standing('trust-migration', STORE, { matches: isTrustMigration, read: readTrustMigration }),
    standing('mcp', ANYWHERE, { matches: isServerList, read: readServers }),
    standing('hooks', ANYWHERE, { matches: isHook, read: readHooks }),
    standing('steering', ANYWHERE, { matches: isSteering, read: readSteering }),
  ],
  skipDirectory: isSkippedDirectory,
  retention,
  causesOfDeletion,
  projectDirectory: '.kiro',
  filesIn,
  filesFromEnv: { KIRO_TEST_DB_PATH: KIRO_DATABASE.name },
  projectOf,
};
