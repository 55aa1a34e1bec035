import type { ConfigIssue } from '../agent/contract/errors.ts';
import type { Path } from './walk.ts';

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
}

/** One source of settings: a file, or one environment variable. Later layers win. */
export interface Layer {
  /** Path of the file; ENVIRONMENT for a variable. */
  readonly file: string;
  /** The variable, for a layer of the environment. */
  readonly variable?: string;
  /** Plain values: maps without a prototype, lists, text, numbers, true, false, null. */
  readonly value: unknown;
  /** Where a key was written; for a key that was not, the nearest place around it. */
  position(path: Path): Position;
}

export type LayerResult =
  | { readonly layer: Layer; readonly issues?: never }
  | { readonly layer?: never; readonly issues: readonly ConfigIssue[] };

export const ENVIRONMENT = 'environment';

export const START: Position = { line: 1, column: 1 };

/** "sinks[0].url", as messages write a place. */
export function formatPath(path: Path): string {
  let text = '';
  for (const name of path) {
    if (typeof name === 'number') text += `[${name}]`;
    else text += text === '' ? name : `.${name}`;
  }
  return text;
}

export function issueAt(layer: Layer, path: Path, message: string): ConfigIssue {
  const text = layer.variable === undefined ? message : `${message} (from ${layer.variable})`;
  return { file: layer.file, ...layer.position(path), path: formatPath(path), message: text };
}
