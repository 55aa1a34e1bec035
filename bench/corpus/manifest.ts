/** What a session says, each thing once, whatever the log repeats or takes back: what a reader must arrive at. */
export interface SessionCounts {
  readonly lines: number;
  readonly prompts: number;
  /** Answers that have a text. */
  readonly answers: number;
  readonly thoughts: number;
  readonly calls: number;
  readonly results: number;
  /** Messages that are left when the log is replayed as the coding agent itself does. */
  readonly live: number;
}

export interface ManifestSession extends SessionCounts {
  readonly agent: string;
  /** Home-relative path, forward slashes. */
  readonly file: string;
  readonly session: string;
  readonly bytes: number;
}

export interface Manifest {
  readonly seed: string;
  readonly mb: number;
  readonly totals: SessionCounts & { readonly sessions: number; readonly bytes: number };
  readonly sessions: readonly ManifestSession[];
}

/** Name of the manifest in the corpus's home; no source looks there. */
export const MANIFEST_FILE = 'corpus-manifest.json';

const COUNTED = ['lines', 'prompts', 'answers', 'thoughts', 'calls', 'results', 'live', 'bytes'] as const;

export function totalsOf(sessions: readonly ManifestSession[]): Manifest['totals'] {
  const totals = Object.fromEntries(COUNTED.map((name) => [name, 0])) as Record<
    (typeof COUNTED)[number],
    number
  >;
  for (const session of sessions) for (const name of COUNTED) totals[name] += session[name];
  return { sessions: sessions.length, ...totals };
}
