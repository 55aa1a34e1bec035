import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configJsonSchema } from '../../config/json-schema.ts';
import { cliDocument } from './cli-document.ts';
import { configDocument } from './config-document.ts';
import { configExample } from './config-example.ts';
import { eventTable } from './events-document.ts';
import { replaceBetween } from './markdown.ts';
import { metricsDocument } from './metrics-document.ts';
import { rowFieldTable, rowJsonSchema } from './row-document.ts';

export interface GeneratedFile {
  /** Relative to the root of the repository, forward slashes. */
  readonly path: string;
  readonly content: string;
}

/** Every file that is made from a table in the code, as it should be on disk. */
export function generated(root: string): GeneratedFile[] {
  const rows = readFileSync(join(root, 'docs/rows.md'), 'utf8');
  return [
    { path: 'config/generated/holdfast.schema.json', content: json(configJsonSchema()) },
    { path: 'config/generated/holdfast.example.yaml', content: configExample() },
    { path: 'config/generated/row.schema.json', content: json(rowJsonSchema()) },
    { path: 'docs/config.md', content: configDocument() },
    { path: 'docs/metrics.md', content: metricsDocument() },
    { path: 'docs/cli.md', content: cliDocument() },
    {
      path: 'docs/rows.md',
      content: replaceBetween(replaceBetween(rows, 'fields', rowFieldTable()), 'events', eventTable()),
    },
  ];
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
