import type { DeletionBurst, DeletionCause, Retention } from '../../agent/contract/lifecycle.ts';
import type { RetentionQuery } from '../../agent/contract/source.ts';
import { type Belonging, isExpired, judgeDeletions } from '../shared/deletion.ts';
import { SESSIONS } from '../shared/kiro-sessions/paths.ts';
import { settingInForce } from '../shared/scope.ts';

const PERIOD = 'cleanup.periodDays';

/**
 * Days after which the program deletes a session when it starts: those whose files are all older, whoever began them.
 * Unset by default; 0 is everything at every start; below zero is ignored.
 */
export function retention({ settings }: RetentionQuery): Retention {
  const value = settingInForce(settings, PERIOD);
  const days = value === undefined ? Number.NaN : Number(value);
  return { days: days >= 0 ? days : null, count: null };
}

/** Beyond the period the program deletes nothing by itself: a person did, with `/chat delete` or by hand. */
export function causesOfDeletion(burst: DeletionBurst): readonly DeletionCause[] {
  return judgeDeletions(burst, {
    belonging,
    ofSessions: (sessions) => sessions.map(({ file }) => (isExpired(file) ? 'expired' : undefined)),
    ofPart: () => undefined,
  });
}

/** `sessions/cli/<id>.jsonl`, or a folder `sessions/<bucket>/<id>/` with all files of a session. */
function belonging(path: string): Belonging {
  const [bucket = '', name = '', ...rest] = path.replace(`${SESSIONS}/`, '').split('/');
  if (rest.length > 0) return { folder: bucket, session: name, isPart: false, hasOwnFolder: true };
  return { folder: bucket, session: name.split('.', 1)[0] ?? '', isPart: false };
}
