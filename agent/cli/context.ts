import { hash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type LoadedConfig, loadConfig } from '../../config/load.ts';
import { controlPath, ownPaths, type PlatformFacts, platformFacts } from '../platform/paths.ts';
import { ownUid } from '../platform/program.ts';

/** Options of every command. */
export interface GlobalOptions {
  readonly config?: string;
  readonly stateDir?: string;
  readonly json?: boolean;
}

/** What the configuration and the platform say, for a command. */
export interface Context {
  readonly facts: PlatformFacts;
  readonly loaded: LoadedConfig;
  readonly stateDir: string;
  readonly socket: string;
  /** Where the configuration was looked for. */
  readonly configFile: string;
  readonly confDir: string | null;
  load(): LoadedConfig;
}

/** Variables of ours that are no configuration. */
const OTHER_VARIABLES: readonly string[] = [];

/** Reads the configuration the way every command does. Throws ConfigError. */
export function openContext(options: GlobalOptions): Context {
  const facts = platformFacts();
  const own = ownPaths(facts);
  const configFile = options.config ?? own.configFile;
  const confDir = options.config === undefined ? own.confDir : join(dirname(options.config), 'conf.d');
  const load = () =>
    loadConfig({
      file: configFile,
      confDir,
      mustExist: options.config !== undefined,
      requirePrivate: facts.system && facts.platform !== 'win32',
      owners: [0, ownUid() ?? 0],
      env: facts.env,
      otherVariables: OTHER_VARIABLES,
    });
  const loaded = load();
  const stateDir = options.stateDir ?? loaded.config.stateDir ?? own.stateDir;
  return { facts, loaded, stateDir, socket: controlPath(facts, stateDir, digest), configFile, confDir, load };
}

function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}
