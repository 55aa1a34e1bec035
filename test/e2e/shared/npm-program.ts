/** Brings a published program below .cache/, apart from the project's own dependencies. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { EnvironmentError, errnoOf } from '../../../agent/contract/errors.ts';
import { withLock } from './lock.ts';

const CACHE = resolve(import.meta.dirname, '../../../.cache');
const NPM_TIMEOUT_MS = 300_000;
/** What npm prints when no registry answers, as against a registry that says no. */
const UNREACHABLE =
  /E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|NETUNREACH|HOSTUNREACH|RR_SOCKET_TIMEOUT)|EIDLETIMEOUT|FETCH_ERROR/;

/** A package on npm, the version that the tests are about, and the command of it that they run. */
export interface NpmProgram {
  readonly package: string;
  readonly version: string;
  readonly command: string;
}

export interface InstalledCli {
  /** Absolute path of the script that Node runs. */
  readonly entry: string;
  readonly version: string;
}

/** The program could not be installed: an end-to-end run must fail on it, never skip. */
export class InstallError extends EnvironmentError {
  constructor(message: string, hint: string, cause?: unknown) {
    super('PROGRAM_INSTALL', message, { hint, cause });
  }
}

/** Installs once; later calls, also of other processes at the same time, find what is there. */
export async function installProgram(program: NpmProgram, cache = CACHE): Promise<InstalledCli> {
  const folder = join(cache, `${nameOf(program)}-${program.version}`);
  const present = lookUp(program, folder);
  if (present) return present;
  mkdirSync(cache, { recursive: true });
  return withLock(`${folder}.lock`, async () => lookUp(program, folder) ?? (await install(program, folder)));
}

/** Without the scope: "gemini-cli". */
function nameOf(program: NpmProgram): string {
  return program.package.slice(program.package.indexOf('/') + 1);
}

function idOf(program: NpmProgram): string {
  return `${program.package}@${program.version}`;
}

function lookUp(program: NpmProgram, folder: string): InstalledCli | undefined {
  const root = join(folder, 'node_modules', program.package);
  try {
    const { bin, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
    const entry = join(root, typeof bin === 'string' ? bin : (bin[program.command] ?? ''));
    return version === program.version && existsSync(entry) ? { entry, version } : undefined;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

interface Manifest {
  readonly version: string;
  readonly bin: string | Readonly<Record<string, string>>;
}

/** Through a staging folder, so that a killed npm never leaves half a program under the final name. */
async function install(program: NpmProgram, folder: string): Promise<InstalledCli> {
  const staging = `${folder}.${process.pid}.part`;
  try {
    const output = await npmInstall(program, staging);
    const staged = lookUp(program, staging);
    if (!staged) throw new InstallError(`npm installed no ${idOf(program)}`, tail(output));
    rmSync(folder, { recursive: true, force: true });
    renameSync(staging, folder);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  const installed = lookUp(program, folder);
  if (!installed) throw new InstallError(`${folder} vanished`, 'Run again.');
  return installed;
}

/** Install scripts stay off: the packages that would need them are optional. */
async function npmInstall(program: NpmProgram, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const flags = [
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--no-save',
    '--no-progress',
    '--prefer-offline',
  ];
  const patience = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
  const args = ['install', '--prefix', folder, ...flags, ...patience, idOf(program)];
  const { code, output } = await runNpm(args, folder);
  if (code === 0) return output;
  throw UNREACHABLE.test(output) ? unreachable(program, folder, output) : refused(program, code, output);
}

function runNpm(args: readonly string[], cwd: string): Promise<{ code: number | null; output: string }> {
  return new Promise((settle, fail) => {
    const child = spawn('npm', args, {
      cwd,
      env: npmEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      timeout: NPM_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    let output = '';
    const keep = (piece: Buffer) => {
      output += piece.toString('utf8');
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', (error) => fail(noNpm(error)));
    child.once('close', (code) => settle({ code, output }));
  });
}

/** npm runs under this very Node; what an outer `npm run` left in the environment would misplace the folder. */
function npmEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^npm_(?:lifecycle|package|command|node|execpath|config_(?:local_|global_)?prefix)/i.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
  };
}

function noNpm(cause: Error): InstallError {
  return new InstallError(
    `npm cannot be started: ${cause.message}`,
    'Install npm (it comes with Node) and put it on PATH.',
    cause,
  );
}

function unreachable(program: NpmProgram, folder: string, output: string): InstallError {
  const name = `${nameOf(program)}-${program.version}`;
  return new InstallError(
    `the npm registry does not answer, so ${idOf(program)} cannot be installed: ${tail(output)}`,
    `Check the network and npm's registry and proxy settings, then run again; or, on a machine that reaches a ` +
      `registry, run "npm install --ignore-scripts --prefix ${name} ${idOf(program)}" and copy ` +
      `that folder to ${dirname(folder)}.`,
  );
}

function refused(program: NpmProgram, code: number | null, output: string): InstallError {
  return new InstallError(
    `npm ended with ${code ?? 'a signal'} while installing ${idOf(program)}: ${tail(output)}`,
    'Run the same npm command by hand to see why.',
  );
}

function tail(output: string): string {
  return output.trim().split('\n').slice(-6).join(' | ');
}
