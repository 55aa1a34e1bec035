import { AGENTS, ROLES, type Row, SELF, TIMESTAMP_SOURCES, TURN_TYPES } from './row.ts';

/** One field of the row on the wire, as docs/rows.md and the generated JSON Schema describe it. */
export interface RowField {
  readonly type: 'string' | 'integer' | 'boolean' | 'facts' | 'counts' | 'labels';
  readonly nullable?: true;
  readonly optional?: true;
  readonly values?: readonly string[];
  readonly doc: string;
}

/** The row's wire form. The key order is the order in which fields are written. */
export const ROW_FIELDS = {
  seq: {
    type: 'integer',
    doc: 'Number of the row on this host, without gaps within one epoch (see collector-protocol.md).',
  },
  row_id: {
    type: 'string',
    doc: 'Identity of what happened: `hf1_` and 32 hex digits. The same event always has the same id.',
  },
  schema: { type: 'integer', doc: 'Version of this row form: 1.' },
  agent: {
    type: 'string',
    values: [...AGENTS, SELF],
    doc: 'Coding agent whose store gave the row; `holdfast` for rows about Holdfast itself.',
  },
  timestamp_utc: {
    type: 'string',
    nullable: true,
    doc: 'When it happened, RFC 3339 with milliseconds, UTC.',
  },
  timestamp_source: {
    type: 'string',
    values: TIMESTAMP_SOURCES,
    doc: 'Where the time comes from: the record, a neighbour or an id in it (derived), the file, or nowhere (none).',
  },
  session_id: {
    type: 'string',
    nullable: true,
    doc: 'Session as the coding agent names it; a piece of the id when the store holds no more of it.',
  },
  project_path: {
    type: 'string',
    nullable: true,
    doc: 'Project directory as the store records it, or the recorded hash of it when the directory is unknown.',
  },
  git_branch: { type: 'string', nullable: true, doc: 'Branch, when the store or a live look gave it.' },
  turn_type: {
    type: 'string',
    values: TURN_TYPES,
    doc: 'Who speaks: user, assistant, thinking, tool_use, tool_result; system for everything else.',
  },
  model: { type: 'string', nullable: true, doc: 'Model that answered.' },
  tool_name: { type: 'string', nullable: true, doc: 'Tool of a tool_use or tool_result.' },
  tool_use_id: {
    type: 'string',
    nullable: true,
    doc: 'Id that joins a tool_use with its tool_result. Unique only together with session and message.',
  },
  text: { type: 'string', doc: 'What was said, asked, run or returned; for system rows a fixed wording.' },
  event: { type: 'string', nullable: true, doc: 'For system rows: dotted name of what happened.' },
  attributes: { type: 'facts', doc: 'Flat facts of the event, so that text need not be parsed.' },
  source_file: { type: 'string', nullable: true, doc: 'File that gave the row, relative to the home.' },
  source_line: {
    type: 'integer',
    nullable: true,
    doc: 'Line in that file, from 1, split at byte 0x0A only.',
  },
  role: { type: 'string', values: ROLES, doc: 'primary record, secondary copy, or standing file.' },
  recovered: { type: 'boolean', doc: 'True when this is the only copy left of the record.' },
  backfill: {
    type: 'boolean',
    doc: 'True for what the first scan of a home finds, unless its record was written since that scan began.',
  },
  text_sha256: {
    type: 'string',
    optional: true,
    doc: 'SHA-256 of the whole text, when text is cut or withheld.',
  },
  text_bytes: {
    type: 'integer',
    optional: true,
    doc: 'Length of the whole text in bytes of UTF-8, when text is cut or withheld.',
  },
  masked: { type: 'counts', doc: 'How many secrets were masked in text, by kind.' },
  host_id: { type: 'string', doc: 'Stable id of the machine, derived from its machine id by hashing.' },
  host_name: { type: 'string', doc: 'Name of the machine.' },
  os_user: { type: 'string', nullable: true, doc: 'Owner of the home.' },
  labels: { type: 'labels', doc: 'Labels from the configuration.' },
  observed_at: { type: 'string', doc: 'When Holdfast read it, RFC 3339 with milliseconds, UTC.' },
} as const satisfies Record<keyof Row, RowField>;
