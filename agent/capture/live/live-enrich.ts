import { createProcessTable } from '../../platform/processes.ts';
import type { CaptureInit } from '../protocol.ts';
import { createEnrich, type Enrich, type EnrichDeps } from './enrich.ts';
import { createGitBranches } from './git-branch.ts';
import { createWriters } from './writers.ts';

/**
 * Enrichment as the configuration asks for it. A single scan gets none: it reads the past, and perhaps that of another
 * machine.
 */
export function createLiveEnrich(
  init: CaptureInit,
  { clock, mayLookAt }: Pick<EnrichDeps, 'clock' | 'mayLookAt'>,
): Enrich | undefined {
  const { ownerUid, mode, limits } = init;
  if (mode !== 'watch' || !limits.enrichLive) return undefined;
  return createEnrich({
    clock,
    mayLookAt,
    git: createGitBranches({ clock, ownerUid }),
    writers: ownerUid === null ? undefined : createWriters({ table: createProcessTable(), clock, ownerUid }),
  });
}
