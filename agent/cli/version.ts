import { ROW_SCHEMA } from '../contract/row.ts';
import { VERSION } from '../platform/program.ts';
import type { GlobalOptions } from './context.ts';
import { printJson, standardOutput } from './output.ts';

/** `holdfast version`: for people, and for fleet tools that look for an installed version. */
export async function version({ json }: GlobalOptions): Promise<void> {
  const output = standardOutput();
  const facts = { version: VERSION, row_schema: ROW_SCHEMA, node: process.versions.node };
  if (json === true) return printJson(output, facts);
  await output.line(`holdfast ${facts.version} (row schema ${facts.row_schema}, Node ${facts.node})`);
}
