import { z } from 'zod';
import { AGENTS, type AgentId } from '../agent/contract/row.ts';
import { expecting, key, section } from './key.ts';
import { checkSinkIds } from './sink-checks.ts';
import { sinkSchema } from './sink-schema.ts';
import { ALWAYS, absolutePath, GIB, homePath, KIB, MIB, whole } from './values.ts';

/**
 * The one table of the configuration. The type `Config`, the JSON Schema, docs/config.md, the example
 * file, the names of environment overrides and what a reload can apply all come from it.
 */

const source = z.strictObject({
  enabled: key(z.boolean().default(true), { doc: 'Whether the stores of this coding agent are read.' }),
  roots: key(
    expecting('a list of paths, each absolute or relative to the home', z.array(homePath()).max(100)).default(
      [],
    ),
    {
      doc: 'Further directories with stores of this coding agent, beside the usual ones.',
    },
  ),
  files: key(
    expecting('names of files, each with its path', z.record(z.string().max(100), homePath())).default({}),
    {
      doc: 'Single files that a user put elsewhere, by the name that docs/formats gives them: `trusted-folders: /srv/trusted.json`.',
    },
  ),
});

const sources = z.strictObject(
  Object.fromEntries(
    AGENTS.map((agent) => [agent, section(source, { doc: `How ${agent} is read.` })]),
  ) as Record<AgentId, z.ZodPrefault<typeof source>>,
);

const capture = z
  .strictObject({
    sweep_seconds: key(whole(1, 3600).default(15), {
      doc: 'Seconds between sweeps of directories that changed lately.',
    }),
    full_sweep_seconds: key(whole(10, 86_400).default(120), {
      doc: 'Seconds between sweeps of everything. Nothing that the watcher misses stays unread longer.',
    }),
    coalesce_ms: key(whole(0, 5000).default(50), {
      doc: 'How long to gather changes of a file before it is read.',
    }),
    settle_ms: key(whole(0, 60_000).default(3000), {
      doc: 'How long a file must be quiet until a cut record in it counts as broken and not as half written.',
    }),
    answer_wait_ms: key(whole(0, 86_400_000).default(600_000), {
      doc: 'How long a prompt in a history file waits for its session, which has it only once the model answered.',
    }),
    max_line_bytes: key(whole(64 * KIB, GIB).default(64 * MIB), {
      doc: 'Longest line of a log that is parsed. A longer one gives a row that says so.',
    }),
    max_document_bytes: key(whole(64 * KIB, 2 * GIB).default(256 * MIB), {
      doc: 'Largest document that is parsed. A larger one gives a row that says so.',
    }),
    pin: key(z.boolean().default(true), {
      doc: 'Whether session files are pinned: kept under a second name in the vault until all they hold is safe, also when their coding agent deletes them while Holdfast is not running (docs/vault.md).',
    }),
    vault_bytes: key(whole(0, 1024 * GIB).default(GIB), {
      doc: 'Bytes that copies in the vault may take; only where a file can have no second name.',
    }),
    enrich_live: key(z.boolean().default(true), {
      doc: "Whether live rows tell the git branch of their project (from its .git/HEAD, read by file, no git runs) and the coding agent's process and version (Linux: arguments, parent, start and directory of the owner's processes, never their environment).",
    }),
    watch: key(z.enum(['auto', 'poll']).default('auto'), {
      doc: "How changes are noticed: auto takes the platform's events, poll looks again and again (network file systems).",
    }),
    poll_ms: key(whole(100, 60_000).default(1000), { doc: 'Milliseconds between looks while polling.' }),
    memory_mb: key(whole(64, 65_536).default(512), {
      doc: 'Memory in MiB that one capture process may take before it is ended and started again.',
    }),
  })
  .superRefine(checkCapture, ALWAYS);

const collector = z.strictObject({
  enabled: key(expecting('auto, true or false', z.union([z.literal('auto'), z.boolean()])).default('auto'), {
    doc: 'Whether the embedded collector runs; auto means: when no sink is configured.',
    restart: true,
  }),
  host: key(z.string().min(1).max(255).default('127.0.0.1'), {
    doc: 'Address that the embedded collector listens on.',
    restart: true,
  }),
  port: key(whole(0, 65_535).default(7842), {
    doc: 'Port that the embedded collector listens on; 0 takes any free one.',
    restart: true,
  }),
  dir: key(absolutePath().nullable().default(null), {
    doc: "Directory of the embedded collector's database; null means the folder collector in state_dir.",
    restart: true,
  }),
  token_file: key(absolutePath().nullable().default(null), {
    doc: 'File that holds the token that senders must present; null makes one in the state directory.',
    restart: true,
    secret: true,
  }),
  keep_days: key(whole(1, 3650).default(30), { doc: 'Days that the embedded collector keeps rows.' }),
});

const telemetry = z.strictObject({
  log_level: key(z.enum(['debug', 'info', 'warn', 'error']).default('info'), {
    doc: 'Least serious level that is logged.',
  }),
  log_format: key(z.enum(['text', 'json']).default('text'), {
    doc: 'Form of a log line: text for people, json for programs.',
    restart: true,
  }),
  log_file: key(absolutePath().nullable().default(null), {
    doc: 'File that the log goes to; null means standard error.',
    restart: true,
  }),
  log_max_bytes: key(whole(64 * KIB, 10 * GIB).default(10 * MIB), {
    doc: 'Size at which the log file is rotated.',
    restart: true,
  }),
  log_max_files: key(whole(1, 100).default(5), {
    doc: 'Log files that are kept, the current one included.',
    restart: true,
  }),
  heartbeat_seconds: key(whole(10, 86_400).default(60), {
    doc: 'Seconds between heartbeat rows, by which a collector notices that a host went silent.',
  }),
  metrics_file: key(absolutePath().nullable().default(null), {
    doc: 'File that the metrics are written to at every heartbeat, for a node exporter to pick up (.prom).',
  }),
});

export const CONFIG = z
  .strictObject({
    state_dir: key(absolutePath().nullable().default(null), {
      doc: "Directory of Holdfast's own database and keys; null takes the platform's place for it.",
      restart: true,
    }),
    homes: key(
      expecting(
        'auto or a list of absolute paths',
        z.union([z.literal('auto'), z.array(absolutePath()).max(10_000)]),
      ).default('auto'),
      { doc: 'Homes to observe; auto takes every home of a person for a service, else your own.' },
    ),
    homes_root: key(absolutePath().nullable().default(null), {
      doc: 'Directory whose sub-directories are homes. Takes the place of the automatic list while homes is auto.',
    }),
    labels: key(
      z
        .record(
          expecting(
            'a name of letters, digits, _, . and -, beginning with a letter (at most 64)',
            z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/),
          ),
          z.string().max(256),
        )
        .default({}),
      { doc: 'Labels that every row of this host carries.', example: { team: 'platform', site: 'berlin' } },
    ),
    sources: section(sources, { doc: 'Which coding agents are read, and where else.' }),
    capture: section(capture, { doc: 'How source files are watched and read.' }),
    rows: section(
      z.strictObject({
        max_text_bytes: key(whole(KIB, 64 * MIB).default(MIB), {
          doc: 'Longest text of a row in bytes of UTF-8. A longer one is cut, and the row says so.',
        }),
      }),
      { doc: 'What a row holds.' },
    ),
    store: section(
      z.strictObject({
        max_outbox_bytes: key(whole(16 * MIB, 1024 * GIB).default(2 * GIB), {
          doc: 'Bytes on disk (compressed) of rows that may wait for a sink. When they are reached, reading pauses and nothing is dropped.',
        }),
        keep_days: key(whole(0, 3650).default(7), { doc: 'Days that delivered rows stay on this machine.' }),
        keep_bytes: key(whole(0, 1024 * GIB).default(512 * MIB), {
          doc: 'Bytes of delivered rows that stay on this machine at most.',
        }),
      }),
      { doc: 'What is kept on this machine.' },
    ),
    sinks: key(
      expecting('a list of sinks', z.array(sinkSchema).max(32).superRefine(checkSinkIds, ALWAYS)).default([]),
      {
        doc: 'Where rows are delivered. Each sink gets every row and has its own position.',
      },
    ),
    collector: section(collector, { doc: 'The embedded collector.' }),
    telemetry: section(telemetry, { doc: 'Logs, metrics and heartbeats.' }),
  })
  .superRefine(checkHomes, ALWAYS);

function checkCapture(value: unknown, context: z.core.$RefinementCtx): void {
  const given = Object(value) as Readonly<Record<string, unknown>>;
  const { sweep_seconds: sweep, full_sweep_seconds: full, memory_mb: memory } = given;
  if (typeof sweep === 'number' && typeof full === 'number' && full < sweep) {
    context.addIssue({
      code: 'custom',
      path: ['full_sweep_seconds'],
      params: { other: 'sweep_seconds' },
      message: `full_sweep_seconds (${full}) must not be less than sweep_seconds (${sweep})`,
    });
  }
  if (typeof memory !== 'number') return;
  for (const name of ['max_line_bytes', 'max_document_bytes']) {
    const bytes = given[name];
    if (typeof bytes !== 'number' || bytes <= memory * MIB) continue;
    context.addIssue({
      code: 'custom',
      path: [name],
      params: { other: 'memory_mb' },
      message: `${name} (${bytes}) must fit into memory_mb (${memory} MiB)`,
    });
  }
}

/** A key without effect would be a promise that nobody keeps. */
function checkHomes(value: unknown, context: z.core.$RefinementCtx): void {
  const { homes, homes_root: root } = Object(value) as Readonly<Record<string, unknown>>;
  if (!Array.isArray(homes) || typeof root !== 'string') return;
  context.addIssue({
    code: 'custom',
    path: ['homes_root'],
    message: 'cannot be set together with a list of homes; keep one of them',
  });
}
