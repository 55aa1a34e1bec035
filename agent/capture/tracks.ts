import type { Cursor, RecordNote } from '../contract/commit.ts';
import { type Note, parseNote } from './database/note.ts';
import { type FileRef, isBelow } from './layout.ts';
import type { FileFacts } from './open-file.ts';
import { letGo, newTrack, release, type Track } from './track.ts';

/** Logs followed at once, with a parser in memory and the file open; others are replayed at their next change. */
const MAX_LIVE = 64;
const MAX_LIVE_BYTES = 256 * 1024 * 1024;

/** A file is held open no longer than this after its last change, so that no unmount has to wait for us. */
const HOLD_MS = 30_000;
const LIVE_MS = 15 * 60_000;

/** The source files of one home, by key. */
export class Tracks {
  readonly #tracks = new Map<string, Track>();
  /** Cursors from earlier runs of files that were not come across yet. */
  readonly #cursors = new Map<string, Cursor>();
  readonly #notes = new Map<string, Map<string, Note>>();
  /** Files that an earlier run pinned and that were not come across yet. */
  readonly #pinned = new Set<string>();
  readonly #sessions = new Map<string, string>();
  /** Logs that are followed, the one read longest ago first. */
  readonly #followed = new Set<Track>();

  /** What earlier runs noted of the records of databases. */
  loadNotes(file: string, notes: readonly RecordNote[]): void {
    const known = this.#notes.get(file) ?? new Map<string, Note>();
    for (const [name, text] of notes) {
      const note = parseNote(text ?? '');
      if (note) known.set(name, note);
    }
    this.#notes.set(file, known);
  }

  load(cursors: Iterable<readonly [string, Cursor]>): void {
    for (const [key, cursor] of cursors) this.#cursors.set(key, cursor);
  }

  loadPinned(keys: Iterable<string>): void {
    for (const key of keys) this.#pinned.add(key);
  }

  get size(): number {
    return this.#tracks.size;
  }

  get(key: string): Track | undefined {
    return this.#tracks.get(key);
  }

  all(): Iterable<Track> {
    return this.#tracks.values();
  }

  ensure(ref: FileRef): Track {
    const known = this.#tracks.get(ref.key);
    if (known) return known;
    const track = newTrack(ref, this.#cursors.get(ref.key), this.#notes.get(ref.key));
    this.#cursors.delete(ref.key);
    this.#notes.delete(ref.key);
    this.#pinned.delete(ref.key);
    this.#tracks.set(ref.key, track);
    this.noteSession(track, track.cursor?.session ?? undefined);
    return track;
  }

  /** Files of earlier runs that no sweep has come across. */
  leftOver(): string[] {
    return [...new Set([...this.#cursors.keys(), ...this.#pinned])];
  }

  delete(track: Track): void {
    release(track);
    this.#followed.delete(track);
    this.#tracks.delete(track.ref.key);
  }

  /** Forgets the file but for how far it was read: it may be there again. */
  park(track: Track): void {
    if (track.cursor) this.#cursors.set(track.ref.key, track.cursor);
    this.delete(track);
  }

  below(path: string): Track[] {
    return [...this.#tracks.values()].filter(({ ref }) => isBelow(ref.path, path));
  }

  /** Another path that names the very same file: it was renamed, not deleted. */
  sameFile(track: Track, facts: Pick<FileFacts, 'dev' | 'ino' | 'birthNs'>): Track | undefined {
    for (const other of this.#tracks.values()) {
      const known = other.seen ?? other.cursor;
      if (
        other !== track &&
        known?.ino === facts.ino &&
        known.birthNs === facts.birthNs &&
        known.dev === facts.dev
      )
        return other;
    }
    return undefined;
  }

  /** Remembers the full id of a session for files beside it that only hold the first characters. */
  noteSession(track: Track, session: string | undefined): void {
    if (session === undefined || session.length <= 8) return;
    if (this.#sessions.size > 20_000) this.#sessions.clear();
    this.#sessions.set(`${folderOf(track.ref.key)} ${session.slice(0, 8)}`, session);
  }

  knownSession(track: Track, prefix: string): string | undefined {
    const session = this.#sessions.get(`${folderOf(track.ref.key)} ${prefix.slice(0, 8)}`);
    return session?.startsWith(prefix) ? session : undefined;
  }

  /** The file was just read: the ones read longest ago give way when too many are followed. */
  used(track: Track, now: number): void {
    track.usedAt = now;
    this.#followed.delete(track);
    this.#followed.add(track);
    if (this.#followed.size > MAX_LIVE) this.relax(now);
  }

  /** Lets go of open files and parsers that were not used for a while, and of the oldest beyond the limits. */
  relax(now: number): void {
    let [place, bytes] = [0, 0];
    for (const track of [...this.#followed].reverse()) {
      bytes += track.live?.offset ?? 0;
      const isBeyond = place >= MAX_LIVE || (place > 0 && bytes > MAX_LIVE_BYTES);
      if (isBeyond || now - track.usedAt > LIVE_MS) letGo(track);
      else if (now - track.usedAt > HOLD_MS && !track.settle) closeHeld(track);
      if (track.live || track.held) place++;
      else this.#followed.delete(track);
    }
  }

  releaseAll(): void {
    for (const track of this.#tracks.values()) release(track);
  }
}

function closeHeld(track: Track): void {
  track.held?.[Symbol.dispose]();
  track.held = undefined;
}

function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/'));
}
