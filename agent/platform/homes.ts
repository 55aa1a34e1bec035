import { readdirSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, join, win32 } from 'node:path';
import { errnoOf } from '../contract/errors.ts';
import type { PlatformFacts } from './paths.ts';

/** A home to observe, and whom its files belong to (POSIX). */
export interface Home {
  readonly path: string;
  readonly user: string | null;
  readonly uid: number | undefined;
  readonly gid: number | undefined;
}

/** A home that should be observed and cannot be looked at. */
export interface UnreadableHome {
  readonly path: string;
  readonly reason: string;
}

export interface HomeSearch {
  readonly homes: readonly Home[];
  readonly unreadable: readonly UnreadableHome[];
}

export interface HomeWishes {
  /** Paths from the configuration, or auto. */
  readonly homes: 'auto' | readonly string[];
  /** A directory whose sub-directories are homes; replaces the platform's list in a service. */
  readonly homesRoot: string | null;
}

/** Names under C:\Users and /Users that are nobody's home. */
const NOT_A_PERSON = new Set([
  'default',
  'default user',
  'public',
  'all users',
  'shared',
  'guest',
  'systemprofile',
  'lost+found',
]);

/** Accounts of people begin here on Linux (login.defs UID_MIN) and 501 on macOS. */
const FIRST_PERSON_UID = { linux: 1000, darwin: 501 } as const;

/**
 * The homes to observe: what the configuration names, else every person's home for a service, else the
 * home of the user who runs Holdfast. A service's own home is the system's, not a person's. An account whose
 * home was never made has none, and that is no trouble; a home that was named must be there.
 */
export function findHomes(wishes: HomeWishes, facts: PlatformFacts, passwd = readPasswd): HomeSearch {
  const paths = wantedPaths(wishes, facts, passwd);
  const isAuto = wishes.homes === 'auto' && wishes.homesRoot === null;
  const isFromAccounts = isAuto && facts.system && facts.platform === 'linux';
  const homes: Home[] = [];
  const unreadable: UnreadableHome[] = [];
  for (const [path, user] of paths) {
    try {
      homes.push(look(path, user, facts));
    } catch (error) {
      const reason = errnoOf(error) ?? String(error);
      if (!(isFromAccounts && reason === 'ENOENT')) unreadable.push({ path, reason });
    }
  }
  return { homes, unreadable };
}

function wantedPaths(
  wishes: HomeWishes,
  facts: PlatformFacts,
  passwd: () => string,
): [string, string | null][] {
  if (wishes.homes !== 'auto') return wishes.homes.map((path) => [path, null]);
  if (wishes.homesRoot !== null) return childHomes(wishes.homesRoot);
  if (!facts.system) return [[facts.home, ownName()]];
  if (facts.platform === 'linux') return passwdHomes(passwd(), FIRST_PERSON_UID.linux);
  return childHomes(
    facts.platform === 'darwin' ? '/Users' : win32.join(facts.env['SystemDrive'] ?? 'C:', '\\Users'),
  );
}

function childHomes(root: string): [string, string | null][] {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter(
        (entry) =>
          entry.isDirectory() && !entry.name.startsWith('.') && !NOT_A_PERSON.has(entry.name.toLowerCase()),
      )
      .map((entry) => [join(root, entry.name), entry.name]);
  } catch {
    return [[root, null]];
  }
}

/** name:password:uid:gid:gecos:home:shell, one account a line. */
function passwdHomes(text: string, firstUid: number): [string, string | null][] {
  const homes = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [name, , uid, , , home, shell] = line.split(':');
    if (!name || !home?.startsWith('/') || home === '/' || Number(uid) === 65534) continue;
    const isPerson = Number(uid) >= firstUid || uid === '0';
    if (isPerson && !/\/(nologin|false)$/.test(shell ?? '')) homes.set(home, name);
  }
  return [...homes];
}

function look(path: string, user: string | null, facts: PlatformFacts): Home {
  const stat = statSync(path);
  if (!stat.isDirectory()) throw Object.assign(new Error('not a directory'), { code: 'ENOTDIR' });
  readdirSync(path);
  const posixOwner = facts.platform === 'win32' ? {} : { uid: stat.uid, gid: stat.gid };
  return { path, user: user ?? basename(path), uid: undefined, gid: undefined, ...posixOwner };
}

function ownName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}
