import type { Place, Source } from '../../agent/contract/source.ts';
import { dataRoots } from '../shared/conversation/data-roots.ts';
import { isDelegate, parseDelegate } from '../shared/conversation/delegate.ts';
import { savedConversation, stateForm } from '../shared/conversation/saved.ts';
import { slotTable } from '../shared/conversation/tables.ts';
import { readAgent } from '../shared/kiro-standing/agents.ts';
import { readServers } from '../shared/kiro-standing/servers.ts';
import { readSettings } from '../shared/kiro-standing/settings.ts';
import { readSteering } from '../shared/kiro-standing/steering.ts';
import { savedFiles } from '../shared/kiro-typed/saved-files.ts';
import { typedHistory } from '../shared/kiro-typed/typed-history.ts';
import { document, standing } from '../shared/specs.ts';
import {
  isAgent,
  isDatabase,
  isRule,
  isServerList,
  isSettings,
  isSkippedDirectory,
  isTypedHistory,
  TYPED_HISTORY,
} from './paths.ts';
import { SHELL_HISTORY } from './shell-history.ts';

/** Files that a project can have too, below a directory of its own. */
const ANYWHERE: readonly Place[] = ['store', 'project'];

/** Amazon Q Developer CLI. What each file holds and where the facts come from: docs/formats/amazon-q.md. */
export const amazonQ: Source = {
  id: 'amazon-q',
  title: 'Amazon Q Developer CLI',
  version: 1,
  roots: [...dataRoots('amazon-q'), { path: '.aws/amazonq' }],
  files: [
    {
      kind: 'database',
      name: 'conversations',
      role: 'primary',
      matches: isDatabase,
      tables: [slotTable({ forks: false }), SHELL_HISTORY],
    },
    document('delegate', 'primary', { places: ANYWHERE, matches: isDelegate, parse: parseDelegate }),
    typedHistory(isTypedHistory),
    savedConversation([stateForm({ forks: false })]),
    standing('settings', ['store'], { matches: isSettings, read: readSettings }),
    standing('agents', ANYWHERE, { matches: isAgent, read: readAgent }),
    standing('mcp', ANYWHERE, { matches: isServerList, read: readServers }),
    standing('rules', ANYWHERE, { matches: isRule, read: readSteering }),
  ],
  skipDirectory: isSkippedDirectory,
  projectDirectory: '.amazonq',
  filesIn: (small) => savedFiles(small.text(TYPED_HISTORY) ?? ''),
};
