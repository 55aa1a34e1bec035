import type { DeletedFile, DeletionBurst, DeletionCause, Retention } from '../../agent/contract/lifecycle.ts';
import type { RetentionQuery } from '../../agent/contract/source.ts';
import {
  type Belonging,
  type Deleted,
  isExpired,
  isSameSession,
  judgeDeletions,
  type Left,
} from '../shared/deletion.ts';
import { settingInForce } from '../shared/scope.ts';
import { readSessionName, sessionKeyOf } from './session-name.ts';

const SETTING = 'general.sessionRetention.';

const NO_LIMIT: Retention = { days: null, count: null };
const DEFAULT_DAYS = 30;
const DEFAULT_FLOOR_DAYS = 1;
const UNIT_DAYS: Readonly<Record<string, number>> = { h: 1 / 24, d: 1, w: 7, m: 30 };

/**
 * The retention in force [S]: on, thirty days, unless `general.sessionRetention` says otherwise. With values that
 * the program refuses (no duration, less than `minRetention`, a count below one) it deletes nothing.
 */
export function retention({ settings }: RetentionQuery): Retention {
  const value = (name: string) => settingInForce(settings, `${SETTING}${name}`);
  if (value('enabled') === 'false') return NO_LIMIT;
  const days = daysOf(value('maxAge') ?? `${DEFAULT_DAYS}d`);
  const floor = daysOf(value('minRetention') ?? '') ?? DEFAULT_FLOOR_DAYS;
  const maxCount = value('maxCount');
  const count = maxCount === undefined ? null : Number(maxCount);
  if (days === undefined || days < floor) return NO_LIMIT;
  return count === null || count >= 1 ? { days, count } : NO_LIMIT;
}

/** `30d`, `12h`, `4w`, `1m` in days; undefined for anything else. */
function daysOf(duration: string): number | undefined {
  const match = /^(\d{1,6})([hdwm])$/.exec(duration);
  const unit = UNIT_DAYS[match?.[2] ?? ''];
  const amount = Number(match?.[1]);
  return unit === undefined || amount === 0 ? undefined : amount * unit;
}

/**
 * Why session files went away. Any start in a project deletes what cannot be parsed or resumed, what is older than the
 * retention in force or beyond its count, and with such a file every other one of the same short id [M]. Subagents'
 * files go with their session; without it the program never deletes them [M].
 */
export function causesOfDeletion(burst: DeletionBurst): readonly DeletionCause[] {
  return judgeDeletions(burst, { belonging, ofSessions, ofPart: () => undefined });
}

function belonging(path: string): Belonging {
  const { key, parent } = readSessionName(path);
  return {
    folder: path.slice(0, path.indexOf('/chats/')),
    session: parent === undefined ? key : sessionKeyOf(parent),
    isPart: parent !== undefined,
  };
}

function ofSessions(
  sessions: readonly Deleted[],
  left: readonly Left[],
): readonly (DeletionCause | undefined)[] {
  const own = sessions.map((one) => ownFault(one.file) ?? beyondCount(one, left));
  return sessions.map((one, at) => {
    const takesAlong = sessions.some((other, index) => own[index] !== undefined && isSameSession(other, one));
    return own[at] ?? (takesAlong ? 'shared_id' : undefined);
  });
}

function ownFault(file: DeletedFile): DeletionCause | undefined {
  if (isUnresumable(file)) return 'unresumable';
  return isExpired(file) ? 'expired' : undefined;
}

/** No header, or nothing that the model said or did: an info, a context, a prompt that failed [M]. */
function isUnresumable({ path, tally }: DeletedFile): boolean {
  if (!tally) return false;
  const hasHeader = tally.starts > 0 || path.endsWith('.json');
  return !hasHeader || tally.answers + tally.calls === 0;
}

/** The program keeps the newest ones: as many as it may keep are left, none of them older. */
function beyondCount({ file, folder }: Deleted, left: readonly Left[]): DeletionCause | undefined {
  const { count } = file.retention;
  if (count === null) return undefined;
  const newer = left.filter((one) => one.folder === folder && !one.isPart && one.ageDays <= file.ageDays);
  return new Set(newer.map(({ session }) => session)).size >= count ? 'over_count' : undefined;
}
