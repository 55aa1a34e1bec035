import type { Row } from '../contract/row.ts';
import { createControlClient } from '../telemetry/control-client.ts';
import { type GlobalOptions, openContext } from './context.ts';
import { standardOutput } from './output.ts';
import { rowLine } from './row-text.ts';

export interface TailOptions extends GlobalOptions {
  readonly since?: number;
}

/** `holdfast tail`: rows as they are committed, until interrupted. */
export async function tail(options: TailOptions): Promise<void> {
  const output = standardOutput();
  const client = createControlClient(openContext(options).socket);
  for await (const line of client.tail(options.since === undefined ? {} : { since: options.since })) {
    const row = JSON.parse(line) as Row | { readonly skipped: number };
    if (options.json === true) await output.line(line);
    else
      await output.line('skipped' in row ? `... ${row.skipped} rows are no longer held here` : rowLine(row));
  }
}
