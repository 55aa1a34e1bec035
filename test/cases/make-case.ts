import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempDir } from '../support/temp.ts';
import type { ListedRow } from './case-form.ts';

export interface CaseParts {
  readonly home?: Readonly<Record<string, string>>;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly rows?: readonly ListedRow[];
  /** Further keys of case.json. */
  readonly [key: string]: unknown;
}

/** Writes a case folder for a test. */
export function makeCase({ home, inputs, rows = [], ...keys }: CaseParts, dir = tempDir()): string {
  const form = {
    ...{ id: '00', slug: 'made-up', kind: 'test', agents: ['gemini-cli'], sources: [] },
    home_files: Object.keys(home ?? {}),
    ...keys,
  };
  write(join(dir, 'case.json'), JSON.stringify(form));
  write(
    join(dir, 'expect.md'),
    `\`\`\`rows\n${rows.map((row) => `${JSON.stringify(row)}\n`).join('')}\`\`\`\n`,
  );
  for (const [name, text] of Object.entries(home ?? {})) write(join(dir, 'home', name), text);
  for (const [name, text] of Object.entries(inputs ?? {})) write(join(dir, 'steps', name), text);
  return dir;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
