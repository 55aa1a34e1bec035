import { z } from 'zod';

/** The form of case.json. Strict: a key that the runner does not know would be a condition it does not set. */

/** A path below the case's home; never out of it. */
const inHome = z
  .string()
  .min(1)
  .refine((path) => !path.startsWith('/') && !path.split('/').includes('..'), 'must stay inside the home');
/** A name below the case's steps/ folder. */
const input = inHome;
const count = z.int().min(0);

const recipe = z
  .array(
    z.union([z.strictObject({ from: input }), z.strictObject({ repeat: z.string().min(1), times: count })]),
  )
  .min(1);

export const stepForm = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('append'), path: inHome, from: input }),
  z.strictObject({
    op: z.literal('write'),
    path: inHome,
    from: input,
    same_inode_as_deleted: z.boolean().optional(),
  }),
  z.strictObject({
    op: z.literal('replace'),
    path: inHome,
    from: input,
    keep_mtime: z.boolean().optional(),
  }),
  z.strictObject({ op: z.literal('rename'), from_path: inHome, to_path: inHome }),
  z.strictObject({ op: z.literal('copy'), from_path: inHome, to_path: inHome }),
  z.strictObject({ op: z.literal('delete'), path: inHome }),
  z.strictObject({ op: z.literal('truncate'), path: inHome, size: count }),
  z.strictObject({ op: z.literal('touch'), path: inHome }),
  z.strictObject({ op: z.literal('chmod'), path: inHome, mode: z.string().regex(/^0?[0-7]{3}$/) }),
  z.strictObject({ op: z.literal('generate'), path: inHome, recipe }),
  z.strictObject({ op: z.literal('generate_many'), path: inHome.includes('{n}'), count, recipe }),
  z.strictObject({ op: z.literal('delete_on_first_open'), path: inHome }),
  z.strictObject({ op: z.literal('wait_ms'), ms: count }),
  z.strictObject({ op: z.literal('wait_idle') }),
  z.strictObject({ op: z.literal('wait_settle') }),
  z.strictObject({ op: z.literal('wait_rescan') }),
  z.strictObject({ op: z.literal('start_agent') }),
  z.strictObject({ op: z.literal('restart_agent'), how: z.enum(['sigterm', 'sigkill']) }),
  z.strictObject({ op: z.literal('sql'), path: inHome, from: input }),
  z.strictObject({
    op: z.literal('sql_loop'),
    path: inHome,
    from: input,
    times: count,
    every_ms: count,
    busy_timeout_ms: count.optional(),
    parallel: z.boolean().optional(),
  }),
  z.strictObject({ op: z.literal('lock_db'), path: inHome, ms: count }),
  z.strictObject({ op: z.literal('play'), from: input, db: inHome.optional(), pause_ms: count.optional() }),
]);

export type Step = z.output<typeof stepForm>;

const text = z.string();
const list = z.array(z.string());

/** The keys of a listed row that are compared; all of them are optional. */
const rowKeys = {
  turn: text.optional(),
  ts: text.refine((value) => !Number.isNaN(Date.parse(value)), 'must be a time').optional(),
  text: text.optional(),
  text_has: z.union([text, list]).optional(),
  sid: text.optional(),
  sid_has: text.optional(),
  proj: text.optional(),
  model: text.optional(),
  tool: text.optional(),
  tuid: text.optional(),
  file: text.optional(),
  line: count.optional(),
  event: text.optional(),
  /** Attributes that the row must have among its own. */
  attrs: z.record(text, z.union([text, z.number(), z.boolean(), z.null()])).optional(),
};

export const patternForm = z.strictObject(rowKeys);

export const listedRowForm = z.strictObject({
  ...rowKeys,
  opt: z.boolean().optional(),
  max: count.optional(),
  live: z.boolean().optional(),
  when: z.literal('cold').optional(),
});

/** A row below a sentence of "Must". */
export const mustRowForm = z.strictObject({
  ...rowKeys,
  /** How many such rows there are; one unless given. */
  count: count.optional(),
  live: z.boolean().optional(),
});

export type MustRow = z.output<typeof mustRowForm>;

/** What a row must be like; only the keys given are compared. */
export type Pattern = z.output<typeof patternForm>;
export type ListedRow = z.output<typeof listedRowForm>;

export const caseForm = z.strictObject({
  id: text,
  slug: text,
  kind: text,
  agents: list,
  sources: list,
  home_files: list,
  steps: z.array(stepForm).default([]),
  symlinks: z.record(inHome, text).default({}),
  /** Databases of the home, each made from the SQL text of a file beside the case. */
  databases: z.record(inHome, text).default({}),
  env: z.record(text, text.nullable()).default({}),
  homes_root: inHome.optional(),
  inject: z.strictObject({ 'fs.watch': list.min(1) }).optional(),
  not_as_root: z.boolean().default(false),
  platform: z.union([text, list]).optional(),
  allow_extra_rows: z.union([z.boolean(), z.array(patternForm)]).default(false),
  cold: z.literal('all_but_live').optional(),
  /** Name of a secondary file whose recovered rows may come cold. */
  secondary: text.optional(),
  /** For readers only. */
  settle: text.optional(),
});

/** A scripted answer of collector/N.json. */
export const answerForm = z.strictObject({
  status: z.int().min(100).max(599),
  headers: z.record(text, text).default({}),
  body: z.unknown(),
});

export type ScriptedAnswer = z.output<typeof answerForm>;
