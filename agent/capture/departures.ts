import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../contract/clock.ts';
import type { DeletedFile, DeletionBurst } from '../contract/lifecycle.ts';
import type { Source } from '../contract/source.ts';
import { goneRow } from './gone.ts';
import type { FileRef } from './layout.ts';
import type { Outlet } from './outlet.ts';
import { tellStandingGone } from './read-standing.ts';
import type { Reader } from './reader.ts';
import { ageDaysOf, type RetentionInForce } from './retention-in-force.ts';
import { letGo, type Track } from './track.ts';
import type { Tracks } from './tracks.ts';
import { cancelSettle, type Waits } from './waits.ts';

export interface DeparturesDeps {
  readonly tracks: Tracks;
  readonly outlet: Outlet;
  readonly reader: Reader;
  readonly waits: Waits;
  readonly clock: Clock;
  readonly retention: RetentionInForce;
  /** Puts what is there into the intake when it is not what was read last; says whether it is there. */
  readonly lookAt: (ref: FileRef) => boolean;
  /** Puts a file into the intake of which only a pin is left. */
  readonly readPins: (track: Track) => void;
  readonly onForgotten: (track: Track) => void;
  /** Files wait to be read: one that seems gone may be among them under another name. */
  readonly isBusy: () => boolean;
}

/** Time between the event that a path is gone and believing it: a rename over it may be under way. */
const GONE_MS = 300;

/** Sessions that go away within this time of one another went for one reason, which only all of them tell. */
const BURST_MS = 700;
const MAX_BURST_MS = 5_000;

/** Files that seem to have gone away: believes it, judges why, and tells. */
export class Departures {
  readonly #deps: DeparturesDeps;
  #burst = new Set<Track>();
  #burstSince = 0;

  constructor(deps: DeparturesDeps) {
    this.#deps = deps;
  }

  /** What an unlinked file still holds is read at once; that it is gone is believed a little later. */
  expect(track: Track): void {
    this.#deps.reader.drain(track);
    letGo(track);
    if (this.#deps.reader.isUnread(track)) this.#deps.readPins(track);
    else this.#await(track);
  }

  #await(track: Track): void {
    this.#deps.waits.set(track.ref.key, 'gone', { ms: GONE_MS, task: () => this.#confirm(track) });
  }

  #confirm(track: Track): void {
    const { tracks, lookAt, isBusy, reader, readPins } = this.#deps;
    if (tracks.get(track.ref.key) !== track) return;
    if (isBusy()) {
      this.#await(track);
      return;
    }
    if (lookAt(track.ref)) return;
    if (reader.isUnread(track)) {
      readPins(track);
      return;
    }
    const known = track.seen ?? track.cursor;
    const moved = known && tracks.sameFile(track, known);
    if (known && !moved && track.ref.spec.role === 'primary' && track.ref.spec.kind !== 'database') {
      this.#join(track);
      return;
    }
    if (known && !moved) this.#deps.reader.databaseGone(track);
    if (track.ref.spec.role === 'standing') this.#standingGone(track, moved !== undefined);
    else this.#forget(track);
  }

  /** A directory that is not there (a disk that went away, a project that was moved) takes no grant back. */
  #standingGone(track: Track, isMoved: boolean): void {
    const { tracks, outlet } = this.#deps;
    const known = track.seen ?? track.cursor;
    if (!existsSync(track.ref.root.dir)) {
      tracks.park(track);
      return;
    }
    if (known && !isMoved) tellStandingGone(track, known, outlet);
    this.#forget(track);
  }

  #join(track: Track): void {
    const { clock, waits } = this.#deps;
    const now = clock.monotonic();
    if (this.#burst.size === 0) this.#burstSince = now;
    this.#burst.add(track);
    const ms = Math.min(BURST_MS, Math.max(0, this.#burstSince + MAX_BURST_MS - now));
    waits.set('', 'burst', { ms, task: () => this.#tellBurst() });
  }

  /** A file that is there again meanwhile is read as what it is now. */
  #tellBurst(): void {
    const { tracks, lookAt } = this.#deps;
    const burst = [...this.#burst].filter(
      (track) => tracks.get(track.ref.key) === track && !lookAt(track.ref),
    );
    this.#burst = new Set();
    for (const [source, gone] of bySource(burst)) this.#tell(source, gone);
  }

  #tell(source: Source, gone: readonly Track[]): void {
    const files = gone.map((track) => this.#factsOf(track));
    const causes = source.causesOfDeletion?.({ files, left: this.#left(source, gone) }) ?? [];
    for (const [at, track] of gone.entries()) {
      const [file, known] = [files[at], track.seen ?? track.cursor];
      if (file && known)
        this.#deps.outlet.emit(track, goneRow(track, { file, known, cause: causes[at] ?? 'unknown' }));
      this.#forget(track);
    }
  }

  #factsOf(track: Track): DeletedFile {
    const { clock, retention } = this.#deps;
    return {
      path: track.ref.relative,
      ageDays: ageDaysOf(track, clock.now()),
      tally: track.cursor && !track.cursor.tally ? undefined : track.tally,
      retention: retention.of(track),
      alongWith: alongWith(track.ref),
    };
  }

  #left(source: Source, gone: readonly Track[]): DeletionBurst['left'] {
    const now = this.#deps.clock.now();
    const left: Pick<DeletedFile, 'path' | 'ageDays'>[] = [];
    for (const track of this.#deps.tracks.all()) {
      const { root, spec, relative } = track.ref;
      if (root.source === source && spec.role === 'primary' && !gone.includes(track))
        left.push({ path: relative, ageDays: ageDaysOf(track, now) });
    }
    return left;
  }

  #forget(track: Track): void {
    const { outlet, waits, tracks, onForgotten } = this.#deps;
    outlet.flush(track, null);
    cancelSettle(track, waits);
    tracks.delete(track);
    onForgotten(track);
  }
}

function alongWith({ root, path }: FileRef): DeletedFile['alongWith'] {
  if (!existsSync(root.dir)) return 'store';
  return existsSync(dirname(path)) ? 'nothing' : 'folder';
}

function bySource(tracks: readonly Track[]): Map<Source, Track[]> {
  const sources = new Map<Source, Track[]>();
  for (const track of tracks) {
    const { source } = track.ref.root;
    sources.set(source, [...(sources.get(source) ?? []), track]);
  }
  return sources;
}
