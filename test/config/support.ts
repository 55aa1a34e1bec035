import { ConfigError } from '../../agent/contract/errors.ts';
import type { ConfigFile, ConfigFiles } from '../../config/files.ts';
import { type LoadedConfig, type LoadOptions, loadConfig } from '../../config/load.ts';

export const MAIN = '/etc/holdfast/config.yaml';
export const CONF_D = '/etc/holdfast/conf.d';

type Content = string | Uint8Array | Partial<ConfigFile> | Error;

/** A disk in memory. Names without a folder lie in conf.d. */
export function memoryFiles(
  contents: Readonly<Record<string, Content>>,
  folder = { mode: 0o755, uid: 0 },
): ConfigFiles {
  const paths = Object.fromEntries(
    Object.entries(contents).map(([name, content]) => [
      name.startsWith('/') ? name : `${CONF_D}/${name}`,
      content,
    ]),
  );
  const inside = Object.keys(paths).filter((path) => path.startsWith(`${CONF_D}/`));
  return {
    read: (path) => fileOf(paths[path]),
    list: () =>
      inside.length === 0
        ? undefined
        : { ...folder, names: inside.map((path) => path.slice(CONF_D.length + 1)) },
  };
}

export function load(main: Content, options: Partial<LoadOptions> = {}): LoadedConfig {
  return loadConfig({ file: MAIN, confDir: CONF_D, files: memoryFiles({ [MAIN]: main }), ...options });
}

/** Every problem as its one line, file names shortened. */
export function problems(main: Content, options: Partial<LoadOptions> = {}): string[] {
  try {
    load(main, options);
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll('/etc/holdfast/', '').split('\n');
    throw error;
  }
  return [];
}

function fileOf(content: Content | undefined): ConfigFile | undefined {
  if (content === undefined) return undefined;
  if (content instanceof Error) throw content;
  if (typeof content === 'string') return { bytes: Buffer.from(content), mode: 0o644, uid: 0 };
  if (content instanceof Uint8Array) return { bytes: content, mode: 0o644, uid: 0 };
  return { bytes: Buffer.alloc(0), mode: 0o644, uid: 0, ...content };
}
