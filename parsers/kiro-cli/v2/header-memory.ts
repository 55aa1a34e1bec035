import { MAX_MEMORY_CHARS } from '../../../agent/contract/source.ts';
import { asList, asNumber, asText } from '../../shared/fields.ts';
import type { RowScope } from '../../shared/kiro/rows.ts';
import { remembered, rememberedCounts } from '../../shared/memory.ts';
import type { Time } from '../../shared/time.ts';

/** What is kept of a header between two of its versions: only a comparison tells what was granted or taken back. */
export interface HeaderMemory {
  /** False when the header is seen for the first time, or nothing of it could be kept. */
  readonly isKnown: boolean;
  model: string | undefined;
  modelChanges: number;
  agent: string | undefined;
  agentChanges: number;
  /** Directories that the session ran in so far. */
  readonly directories: string[];
  /** How often each grant was given so far; below zero once it was taken back. */
  readonly grants: Map<string, number>;
}

/** One header being read: its rows' scope, its own time, and what is carried on to its next version. */
export interface Header {
  readonly scope: RowScope;
  readonly updated: Time;
  readonly memory: HeaderMemory;
}

export function readMemory(memory: string | undefined): HeaderMemory {
  const raw = remembered<Record<keyof HeaderMemory, unknown>>(memory);
  return {
    isKnown: raw !== undefined,
    model: asText(raw?.model),
    modelChanges: asNumber(raw?.modelChanges) ?? 0,
    agent: asText(raw?.agent),
    agentChanges: asNumber(raw?.agentChanges) ?? 0,
    directories: asList(raw?.directories).filter((directory) => typeof directory === 'string'),
    grants: new Map(rememberedCounts(raw?.grants)),
  };
}

/**
 * Readable paths are left out first when there is not enough room, then everything: what is not kept is told again
 * under the same id, and only its end goes unnoticed.
 */
export function writeMemory(memory: HeaderMemory): string {
  const { isKnown: _, grants, ...rest } = memory;
  const all = [...grants];
  const kept = [all, all.filter(([key]) => !key.startsWith('filesystem.allowed_read_paths')), []];
  const texts = kept.map((entries) => JSON.stringify({ ...rest, grants: Object.fromEntries(entries) }));
  return texts.find((text) => text.length <= MAX_MEMORY_CHARS) ?? '{}';
}
