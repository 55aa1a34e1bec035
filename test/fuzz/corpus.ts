/** Inputs that once showed a fault; each is tried again in every test run. */
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from './worker.ts';

const FOLDER = join(import.meta.dirname, '../../fixtures/fuzz');

export interface Kept {
  readonly target: string;
  readonly path: string;
  readonly bytes: Buffer;
}

export function keptInputs(): Kept[] {
  return (existsSync(FOLDER) ? readdirSync(FOLDER) : [])
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const { target, path, base64 } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
      return { target, path, bytes: Buffer.from(base64, 'base64') };
    });
}

/** Gives the name of the file in which the input is kept. */
export function keep({ target, path, bytes, fault }: Fault): string {
  const base64 = Buffer.from(bytes).toString('base64');
  const name = `${target.replaceAll('/', '-')}-${hash('sha256', bytes, 'hex').slice(0, 12)}.json`;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(
    join(FOLDER, name),
    `${JSON.stringify({ target, path, fault: fault.split('\n', 1)[0], base64 }, null, 1)}\n`,
  );
  return name;
}
