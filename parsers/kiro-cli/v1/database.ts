import type { DatabaseSpec } from '../../../agent/contract/source.ts';
import { slotTable, talkTable } from '../../shared/conversation/tables.ts';

/** Store of the first engine. The older table stays beside the newer one, with copies of what was in it before. */
export const KIRO_DATABASE: DatabaseSpec = {
  kind: 'database',
  name: 'conversations',
  role: 'primary',
  matches: (path) => path === 'data.sqlite3',
  tables: [slotTable({ forks: true }), talkTable({ forks: true })],
};
