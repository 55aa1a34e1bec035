/**
 * The row: what Holdfast writes for everything that happened in a coding agent.
 * The wire form of each field is documented in docs/rows.md, generated from row-fields.ts.
 */

import type { EventName } from './events.ts';

/** Version of the row's wire form. Raised only when a field changes meaning or goes away. */
export const ROW_SCHEMA = 1;

export const AGENTS = ['gemini-cli', 'qwen-code', 'amazon-q', 'kiro-cli', 'kiro-ide'] as const;
export type AgentId = (typeof AGENTS)[number];

/** Agent name of rows that Holdfast writes about itself (heartbeats). */
export const SELF = 'holdfast';

export const TURN_TYPES = ['user', 'assistant', 'thinking', 'tool_use', 'tool_result', 'system'] as const;
export type TurnType = (typeof TURN_TYPES)[number];

/**
 * Where timestamp_utc comes from: the record itself, a neighbour or an id inside it (derived),
 * the source file's modification time (file), or nowhere (none: timestamp_utc is null).
 */
export const TIMESTAMP_SOURCES = ['record', 'derived', 'file', 'none'] as const;
export type TimestampSource = (typeof TIMESTAMP_SOURCES)[number];

export const ROLES = ['primary', 'secondary', 'standing'] as const;
export type Role = (typeof ROLES)[number];

export const LANES = ['alert', 'live', 'backfill'] as const;
/** Delivery lane: alert before live before backfill. */
export type Lane = (typeof LANES)[number];

/** Flat facts of a row, so that nobody has to parse its text. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface Row {
  readonly seq: number;
  readonly row_id: string;
  readonly schema: number;
  readonly agent: AgentId | typeof SELF;
  readonly timestamp_utc: string | null;
  readonly timestamp_source: TimestampSource;
  readonly session_id: string | null;
  readonly project_path: string | null;
  readonly git_branch: string | null;
  readonly turn_type: TurnType;
  readonly model: string | null;
  readonly tool_name: string | null;
  readonly tool_use_id: string | null;
  readonly text: string;
  readonly event: string | null;
  readonly attributes: Attributes;
  readonly source_file: string | null;
  readonly source_line: number | null;
  readonly role: Role;
  readonly recovered: boolean;
  readonly backfill: boolean;
  readonly text_sha256?: string;
  readonly text_bytes?: number;
  readonly masked: Readonly<Record<string, number>>;
  readonly host_id: string;
  readonly host_name: string;
  readonly os_user: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly observed_at: string;
}

/**
 * What a parser emits: the facts of one row, before identity, host facts and limits are added.
 * Everything left out is null, false or empty.
 */
export interface DraftRow {
  /** Id of the record inside its session: a message id, or a name for what has none ("header"). */
  readonly record: string;
  /** Which part of the record this is: "text", "thought:0", "call:<id>", "result:<id>", an event name. */
  readonly part: string;
  /** Session as identity sees it, where a store's file knows only a stable piece of the id; else session_id. */
  readonly sessionKey?: string;
  /** Normalised content that identity hashes; defaults to text. */
  readonly content?: string;
  readonly turn_type: TurnType;
  readonly text: string;
  readonly timestamp_utc?: string | null;
  readonly timestamp_source?: TimestampSource;
  readonly session_id?: string | null;
  readonly project_path?: string | null;
  readonly git_branch?: string | null;
  readonly model?: string | null;
  readonly tool_name?: string | null;
  readonly tool_use_id?: string | null;
  readonly event?: EventName | null;
  readonly attributes?: Attributes;
  readonly source_line?: number | null;
  readonly recovered?: boolean;
  /**
   * Names under which copies of this record may stand in secondary sources. A copy claims its first one only, and
   * only once it has become a row.
   */
  readonly claims?: readonly string[];
  /**
   * This row is a copy from a secondary source: it is kept back, and becomes a row (then marked as recovered)
   * only when no record has claimed the name after the settle time.
   */
  readonly copyOf?: string;
}

/** Takes each draft row in the order it happened. */
export type Emit = (draft: DraftRow) => void;
