import type { Store } from '../contract/store.ts';
import type { ControlHandlers } from '../telemetry/control-routes.ts';
import type { HealthDocument } from '../telemetry/health.ts';

/** Tells those who follow that rows were committed. */
export interface FollowedCommits {
  announce(): void;
  onCommit(listener: () => void): () => void;
  committedAfter: Store['committedAfter'];
  lastSegment: Store['lastSegment'];
}

export function followCommits(store: Store): FollowedCommits {
  const listeners = new Set<() => void>();
  return {
    announce: () => {
      for (const listener of listeners) listener();
    },
    onCommit(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    committedAfter: (segment, limit) => store.committedAfter(segment, limit),
    lastSegment: () => store.lastSegment(),
  };
}

export interface ControlDeps {
  readonly agent: { health(): HealthDocument; reload(): Promise<unknown> };
  readonly store: Store;
  readonly renderMetrics: () => string;
  readonly followed: FollowedCommits;
  readonly sweep: () => void;
}

/** What `holdfast status`, `tail`, `sessions` and `show` ask the running agent. */
export function controlHandlers({
  agent,
  store,
  renderMetrics,
  followed,
  sweep,
}: ControlDeps): ControlHandlers {
  return {
    health: () => agent.health(),
    metrics: renderMetrics,
    sessions: ({ limit, prefix }) =>
      prefix === undefined ? store.sessions(limit) : store.findSessions(prefix).slice(0, limit),
    rows: ({ agent: name, session }) => store.rowsOf(name, session),
    reload: () => agent.reload(),
    async sweep() {
      sweep();
      return { sweeping: true };
    },
    onCommit: followed.onCommit,
    committedAfter: followed.committedAfter,
    lastSegment: followed.lastSegment,
  };
}
