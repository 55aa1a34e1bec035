import type { DeletionBurst, DeletionCause, Retention } from '../../agent/contract/lifecycle.ts';
import type { RetentionQuery } from '../../agent/contract/source.ts';
import { type Belonging, isExpired, judgeDeletions } from '../shared/deletion.ts';
import { settingInForce } from '../shared/scope.ts';
import { isSubagentLog } from './paths.ts';
import { readSessionName } from './place.ts';

const PERIOD = 'general.cleanupPeriodDays';
const DEFAULT_DAYS = 30;
const HOUR_DAYS = 1 / 24;

/** Sessions have no age limit; transcripts of subagents have one, and 0 means an hour [S]. */
export function retention({ path, settings }: RetentionQuery): Retention {
  if (!isSubagentLog(path)) return { days: null, count: null };
  const days = Number(settingInForce(settings, PERIOD) ?? DEFAULT_DAYS);
  return { days: days > 0 ? days : HOUR_DAYS, count: null };
}

/** The program deletes no session by itself [S]: a person did, with `/delete` or by hand. */
export function causesOfDeletion(burst: DeletionBurst): readonly DeletionCause[] {
  return judgeDeletions(burst, {
    belonging,
    ofSessions: (sessions) => sessions.map(() => undefined),
    ofPart: (file) => (isExpired(file) ? 'expired' : undefined),
  });
}

function belonging(path: string): Belonging {
  const { id, agent } = readSessionName(path);
  return { folder: path.split('/').slice(0, 2).join('/'), session: id, isPart: agent !== undefined };
}
