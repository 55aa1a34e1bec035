import type { DatabaseSpec } from '../../../agent/contract/source.ts';
import { isZedDatabase } from './paths.ts';
import { parseThread } from './thread.ts';

/** Zed, which drives Gemini CLI as an external agent, and lists the sessions of its agents in a table. */
export const ZED_THREADS: DatabaseSpec = {
  kind: 'database',
  name: 'zed-threads',
  role: 'secondary',
  matches: isZedDatabase,
  tables: [
    {
      name: 'sidebar_threads',
      key: ['session_id'],
      columns: ['agent_id', 'title', 'created_at', 'updated_at', 'folder_paths'],
      parse: parseThread,
    },
  ],
};
