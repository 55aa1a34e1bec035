import { parse } from 'yaml';

/** More than any file of settings: the parser must not be kept busy by a file that is none. */
export const MAX_YAML_BYTES = 256 * 1024;

/** Aliases are refused beyond a few, since a short file of them can stand for gigabytes. Throws for what is no YAML. */
export function parseYaml(text: string): unknown {
  return parse(text, { maxAliasCount: 20, logLevel: 'error' });
}
