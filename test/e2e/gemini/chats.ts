/** Watches the session files of a home, so that also a file that lives for seconds is known afterwards. */
import { type BigIntStats, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { errnoOf } from '../../../agent/contract/errors.ts';

const POLL_MS = 40;

/** One file from its appearance to its end; a path that comes back is another one. */
export interface ChatFile {
  /** Home-relative, forward slashes. */
  readonly path: string;
  readonly slug: string;
  readonly kind: 'session' | 'subagent';
  readonly firstSeenMs: number;
  /** When it last changed or went; on the clock of performance.now(). */
  changedMs: number;
  goneMs: number | undefined;
  /** All that was ever read of it. */
  text: string;
}

export interface ChatLog {
  /** Everything seen of a project so far, oldest first. Looks once more before it answers. */
  filesOf(slug: string): readonly ChatFile[];
  stop(): void;
}

export function watchChats(home: string): ChatLog {
  const living = new Map<string, Seen>();
  const all: ChatFile[] = [];
  const look = () => {
    const now = performance.now();
    const present = new Set<string>();
    for (const place of chatPlaces(home)) {
      const stat = statOf(place.path);
      if (!stat) continue;
      present.add(place.path);
      const seen = living.get(place.path);
      if (seen?.identity === identityOf(stat)) refresh(seen, stat, now);
      else {
        if (seen) seen.file.goneMs = seen.file.changedMs = now;
        const file = {
          ...describe(home, place),
          firstSeenMs: now,
          changedMs: now,
          goneMs: undefined,
          text: '',
        };
        const fresh = { file, path: place.path, identity: identityOf(stat), size: -1n };
        refresh(fresh, stat, now);
        living.set(place.path, fresh);
        all.push(file);
      }
    }
    for (const [path, { file }] of living) {
      if (present.has(path)) continue;
      file.goneMs = file.changedMs = now;
      living.delete(path);
    }
  };
  look();
  const timer = setInterval(look, POLL_MS);
  return {
    filesOf(slug) {
      look();
      return all.filter((file) => file.slug === slug);
    },
    stop: () => clearInterval(timer),
  };
}

interface Seen {
  readonly file: ChatFile;
  readonly path: string;
  readonly identity: string;
  size: bigint;
}

function refresh(seen: Seen, stat: BigIntStats, now: number): void {
  if (stat.size === seen.size) return;
  const text = readIfThere(seen.path);
  if (text === undefined) return;
  seen.size = stat.size;
  seen.file.text = text;
  seen.file.changedMs = now;
}

/** Inode numbers are used again within milliseconds; with the birth time they are not. */
function identityOf(stat: BigIntStats): string {
  return `${stat.ino} ${stat.birthtimeNs}`;
}

interface Place {
  readonly path: string;
  readonly slug: string;
  readonly kind: ChatFile['kind'];
}

/** tmp/<slug>/chats/session-*.jsonl and, one folder per parent session, chats/<session>/<agent>.jsonl. */
function* chatPlaces(home: string): Generator<Place> {
  const tmp = join(home, '.gemini', 'tmp');
  for (const slug of namesIn(tmp)) {
    const chats = join(tmp, slug, 'chats');
    for (const name of namesIn(chats)) {
      if (/\.jsonl$/.test(name)) yield { path: join(chats, name), slug, kind: 'session' };
      else
        for (const agent of namesIn(join(chats, name)))
          yield { path: join(chats, name, agent), slug, kind: 'subagent' };
    }
  }
}

function describe(home: string, { path, slug, kind }: Place): Pick<ChatFile, 'path' | 'slug' | 'kind'> {
  return { path: relative(home, path).split(sep).join('/'), slug, kind };
}

function namesIn(folder: string): string[] {
  return ignoringAbsence(() => readdirSync(folder)) ?? [];
}

function statOf(path: string): BigIntStats | undefined {
  return ignoringAbsence(() => statSync(path, { bigint: true }));
}

function readIfThere(path: string): string | undefined {
  return ignoringAbsence(() => readFileSync(path, 'utf8'));
}

function ignoringAbsence<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The minute in a session file's name, "2026-11-30T19-48". */
export function minuteIn(path: string): string | undefined {
  return /^session-(\d{4}-\d\d-\d\dT\d\d-\d\d)-/.exec(basename(path))?.[1];
}
