import { join } from 'node:path';
import { silentLogger } from '../../agent/contract/logger.ts';
import type { Row } from '../../agent/contract/row.ts';
import { systemClock } from '../../agent/platform/clock.ts';
import { createCollector } from '../../collector/collector.ts';
import type { ScriptedAnswer } from './case-form.ts';
import type { Received } from './match.ts';
import { createScriptedReceiver } from './scripted-receiver.ts';

/** Part of a sink's settings in the agent's configuration. */
export interface SinkSettings {
  readonly type: string;
  readonly url: string;
  readonly batch?: { readonly max_rows: number };
}

/** What stands at the other end of the agent's delivery. */
export interface Receiver {
  /** Settings of the sink that reaches it, without the token. */
  readonly sink: SinkSettings;
  /** Grows with every row that arrives, known ones included. */
  arrivals(): number;
  /** Every row that came, by its id. */
  received(): Promise<Received[]>;
  /** What went wrong in delivery as a whole. */
  problems(): string[];
  /** What could not be tested. */
  notes(): string[];
  close(): Promise<void>;
}

/** A scripted collector when the case has answers, else the real one. */
export async function createReceiver(
  dir: string,
  token: string,
  { answers, listed }: { readonly answers: readonly ScriptedAnswer[]; readonly listed: readonly unknown[] },
): Promise<Receiver> {
  if (answers.length === 0) return await createRealReceiver(dir, token);
  return await createScriptedReceiver(answers, listed.length);
}

async function createRealReceiver(dir: string, token: string): Promise<Receiver> {
  const collector = await createCollector({
    dir: join(dir, 'collector'),
    tokens: [token],
    clock: systemClock,
    logger: silentLogger,
  });
  return {
    sink: { type: 'http', url: collector.url },
    arrivals() {
      const { rows, duplicates, rejected } = collector.stats();
      return rows + duplicates + rejected;
    },
    received: async () => (await fetchRows(collector.url, token)).map((row) => ({ row, copies: 1 })),
    problems() {
      const { rejected, refused } = collector.stats();
      if (rejected + refused === 0) return [];
      return [`the collector rejected ${rejected} rows and refused ${refused} requests`];
    },
    notes: () => [],
    close: () => collector.close(),
  };
}

/** Asked over the wire, like anyone would. */
async function fetchRows(url: string, token: string): Promise<Row[]> {
  const rows: Row[] = [];
  let after: string | null = '0';
  while (after !== null) {
    const response: Response = await fetch(`${url}/v1/rows?limit=5000&after=${after}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const body = await response.text();
    if (!response.ok) throw new Error(`the collector answers ${response.status}: ${body}`);
    for (const line of body.split('\n')) if (line !== '') rows.push(JSON.parse(line) as Row);
    after = response.headers.get('x-holdfast-next');
  }
  return rows;
}
