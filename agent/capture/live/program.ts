import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Program } from '../../contract/source.ts';
import type { ProcessFacts } from '../../platform/processes.ts';
import { openSourceFile } from '../open-file.ts';

/** Options of the runtime stand in front of the script; so many arguments are looked at. */
const MAX_ARGS = 12;
const MAX_PACKAGE_BYTES = 256 * 1024;
/** The start of a process is known to about a second. */
const START_SLACK_MS = 2_000;
const RUNTIME = /^(?:node|nodejs|bun)[\d.]*$/;
const VERSION = /^\d[\w.+-]{0,63}$/;

/** Whether arguments look like the program's: a first look that reads nothing. */
export function mayBeProgram(argv: readonly string[], program: Program): boolean {
  return scriptOf(argv, program) !== undefined;
}

/**
 * Whether the process runs an entry of the program's npm package, and which version. The version is unknown when the
 * package was installed after the process began: what runs is then the one before.
 */
export function recogniseProgram(
  process: ProcessFacts,
  program: Program,
  ownerUid: number,
): { readonly version: string | undefined } | undefined {
  const argument = scriptOf(process.argv, program);
  if (argument === undefined) return undefined;
  const script = realpathSync(resolve(process.cwd, argument));
  for (const entry of program.entries) {
    const root = rootOf(script, entry);
    const found = root === undefined ? undefined : readPackage(join(root, 'package.json'), ownerUid);
    if (found?.name !== program.package) continue;
    return { version: found.birthMs <= process.startedMs + START_SLACK_MS ? found.version : undefined };
  }
  return undefined;
}

function scriptOf(argv: readonly string[], program: Program): string | undefined {
  const [runtime = '', ...rest] = argv;
  if (!RUNTIME.test(basename(runtime))) return undefined;
  return rest.slice(0, MAX_ARGS).find((argument) => isScript(argument, program));
}

function isScript(argument: string, { package: name, command }: Program): boolean {
  return basename(argument) === command || argument.includes(`/${name}/`);
}

/** The package's directory, when the script is that entry of it. */
function rootOf(script: string, entry: string): string | undefined {
  const depth = entry.split('/').length;
  let root = script;
  for (let step = 0; step < depth; step++) root = dirname(root);
  return relative(root, script) === entry ? root : undefined;
}

/** The manifest is the owner's or the system's; nobody else can say what the owner runs. */
function readPackage(path: string, ownerUid: number) {
  const opened = openSourceFile(path, null);
  if (opened.kind !== 'open') return undefined;
  using file = opened.file;
  const { uid, size, birthNs } = file.facts;
  if ((uid !== 0 && uid !== ownerUid) || size > MAX_PACKAGE_BYTES) return undefined;
  const { name, version } = Object(JSON.parse(file.read(0, size).toString('utf8')));
  const isVersion = typeof version === 'string' && VERSION.test(version);
  return {
    name: name as unknown,
    version: isVersion ? (version as string) : undefined,
    birthMs: Number(BigInt(birthNs) / 1_000_000n),
  };
}
