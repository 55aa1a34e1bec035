import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchResult } from './bench.ts';
import type { Machine } from './machine.ts';

/** One run of a bench as it is kept in bench/out/. */
export interface StoredResult extends BenchResult {
  readonly name: string;
  readonly title: string;
  readonly quick: boolean;
  /** RFC 3339. */
  readonly at: string;
  readonly seconds: number;
  readonly machine: Machine;
  /** Load average when it ended. */
  readonly loadAfter: number;
}

export const OUT_DIR = join(import.meta.dirname, '..', 'out');

/** Writes `<name>.json`; NaN, which JSON has not, becomes null. */
export function writeResult(result: StoredResult, dir = OUT_DIR): string {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, `${result.name}.json`);
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
  return file;
}

/** The last result of every bench that was run, by name. */
export function readResults(dir = OUT_DIR): StoredResult[] {
  return list(dir).map((file) => JSON.parse(readFileSync(join(dir, file), 'utf8')) as StoredResult);
}

function list(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((file) => file.endsWith('.json'))
      .sort();
  } catch {
    return [];
  }
}
