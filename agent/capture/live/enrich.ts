import { isAbsolute } from 'node:path';
import { type Clock, isoTime } from '../../contract/clock.ts';
import type { Attributes, DraftRow } from '../../contract/row.ts';
import type { Track } from '../track.ts';
import type { GitBranches } from './git-branch.ts';
import type { GitHead } from './git-head.ts';
import type { Writer, Writers } from './writers.ts';

/** Adds to a live row what only the moment can tell. What it adds is no part of the row's identity. */
export type Enrich = (track: Track, draft: DraftRow) => DraftRow;

export interface EnrichDeps {
  readonly clock: Clock;
  /** Whether the project may be looked at without waiting for a disk of the network. */
  readonly mayLookAt: (project: string) => boolean;
  readonly git: GitBranches;
  /** Undefined where processes cannot be told apart by owner. */
  readonly writers: Writers | undefined;
}

/**
 * A record may be written long after its time (a call that waited for approval), but an older one is more likely a
 * copy of what happened elsewhere.
 */
const MAX_AGE_MS = 3_600_000;
const MAX_AHEAD_MS = 1_000;

export function createEnrich({ clock, mayLookAt, git, writers }: EnrichDeps): Enrich {
  return (track, draft) => {
    const { source } = track.ref.root;
    const project = draft.project_path;
    if (track.ref.spec.role !== 'primary' || !project || !isAbsolute(project)) return draft;
    const ms = momentOf(draft, clock.now());
    if (ms === undefined || !mayLookAt(project)) return draft;
    const head = draft.git_branch == null ? git.headAt(project, ms) : undefined;
    const session = draft.session_id ?? '';
    const { program } = source;
    const writer = program && writers?.writerOf({ program, project, session, ms });
    return head || writer ? withFacts(draft, head, writer) : draft;
  };
}

/** When it happened, for a record of the last hour that says so itself. */
function momentOf({ timestamp_utc: at, timestamp_source: from }: DraftRow, now: number): number | undefined {
  if (!at || from === 'file' || from === 'none') return undefined;
  const ms = Date.parse(at);
  return ms >= now - MAX_AGE_MS && ms <= now + MAX_AHEAD_MS ? ms : undefined;
}

function withFacts(draft: DraftRow, head: GitHead | undefined, writer: Writer | undefined): DraftRow {
  const attributes = { ...gitFacts(head), ...writerFacts(writer, draft.attributes), ...draft.attributes };
  return head?.kind === 'branch' ? { ...draft, git_branch: head.name, attributes } : { ...draft, attributes };
}

function gitFacts(head: GitHead | undefined): Attributes {
  if (!head) return {};
  const source = { git_branch_source: 'live' };
  return head.kind === 'branch' ? source : { ...source, git_detached: head.commit };
}

/** What the record says of the version goes before what the process tells. */
function writerFacts(writer: Writer | undefined, recorded: Attributes = {}): Attributes {
  if (!writer) return {};
  const { pid, startedMs, version } = writer;
  const isNews = version !== undefined && recorded['agent_version'] === undefined;
  return {
    ...(isNews && { agent_version: version, agent_version_source: 'process' }),
    process_pid: pid,
    process_started: isoTime(startedMs),
  };
}
