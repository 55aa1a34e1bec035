import { hash } from 'node:crypto';
import type { Emit } from '../../agent/contract/row.ts';
import type { ParseContext, ProjectQuery, SmallFiles } from '../../agent/contract/source.ts';
import { asObject, asText } from '../shared/fields.ts';
import { parseJsonc } from '../shared/jsonc.ts';
import { cleanText } from '../shared/text.ts';

/** Where a history below `tmp/` lies: what all its rows share. */
export interface HistoryPlace {
  readonly context: ParseContext;
  readonly emit: Emit;
  /** Folder of the project: the SHA-256 of its path. */
  readonly folder: string;
  /** Path of the project where the store tells it, else its hash. */
  readonly project: string;
}

export function placeOf(context: ParseContext, emit: Emit): HistoryPlace {
  const folder = cleanText(context.path.split('/', 2)[1] ?? '');
  return { context, emit, folder, project: cleanText(context.project(folder) ?? folder) };
}

/** Files whose keys are absolute project paths. */
const KEYED_BY_PATH = ['trustedFolders.json', 'mcpApprovals.json'];

/** More sessions than this are not asked for the directory they work in. */
const MAX_ASKED = 300;

/**
 * Path of the project whose SHA-256 names a folder below `tmp/`: looked for among all that the store names. Session
 * files below `projects/` need none of it, since each of their records carries its directory.
 */
export function projectOf({ path, recorded }: ProjectQuery, small: SmallFiles): string | undefined {
  const [first, folder] = path.split('/', 2);
  const wanted = recorded ?? folder;
  if (first !== 'tmp' || wanted === undefined || !/^[0-9a-f]{64}$/.test(wanted)) return undefined;
  for (const known of projectsIn(small)) if (hash('sha256', known, 'hex') === wanted) return known;
  return undefined;
}

/** Projects that the store names anywhere. */
export function* projectsIn(small: SmallFiles): Generator<string> {
  for (const file of KEYED_BY_PATH) yield* Object.keys(objectIn(small.text(file)));
  for (const line of (small.text('usage_record.jsonl') ?? '').split('\n')) {
    const project = asText(objectIn(line)['project']);
    if (project !== undefined) yield project;
  }
  yield* workDirectories(small);
}

/** Terminal sessions say in a helper file where they run. */
function* workDirectories(small: SmallFiles): Generator<string> {
  let asked = 0;
  for (const project of small.list('projects')) {
    const chats = `projects/${project}/chats`;
    const file = small.list(chats).find((name) => name.endsWith('.runtime.json'));
    if (file === undefined) continue;
    if (asked++ >= MAX_ASKED) return;
    const directory = asText(objectIn(small.text(`${chats}/${file}`))['work_dir']);
    if (directory !== undefined) yield directory;
  }
}

/** The JSON object in some text; an empty one when it is missing, cut off or something else. */
function objectIn(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined || text === '') return {};
  try {
    return asObject(parseJsonc(text)) ?? {};
  } catch {
    return {};
  }
}
