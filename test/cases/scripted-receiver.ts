import type { Row } from '../../agent/contract/row.ts';
import { type ReceivedRequest, startScriptedServer } from '../support/scripted-server.ts';
import type { ScriptedAnswer } from './case-form.ts';
import { type Dialect, type DialectAnswer, dialectOf, isSelf } from './dialects.ts';
import type { Receiver } from './receiver.ts';

interface Delivery {
  readonly row: Row;
  taken: number;
  refused: boolean;
}

/**
 * A collector that answers by script. An answer is used up by a request that holds rows of the case, so
 * that a heartbeat does not take it away; after the last one every request is answered with success.
 */
export async function createScriptedReceiver(
  answers: readonly ScriptedAnswer[],
  rowCount: number,
): Promise<Receiver> {
  const dialect = dialectOf(answers);
  const script = [...answers];
  const deliveries = new Map<string, Delivery>();
  let arrivals = 0;

  function answer(request: ReceivedRequest): ScriptedAnswer {
    const rows = dialect.rows(request);
    arrivals += rows.length;
    const next = rows.every(isSelf) ? undefined : script.shift();
    const { answer: given, verdicts } = answerTo({ dialect, request, rows }, next);
    for (const [at, row] of rows.entries()) note(deliveries, row, verdicts[at]);
    return given;
  }

  const server = await startScriptedServer([], { success: answer });
  return {
    sink: { type: dialect.type, url: server.url, ...batchSettings(dialect, answers, rowCount) },
    arrivals: () => arrivals,
    received: async () => [...deliveries.values()].map(({ row, taken }) => ({ row, copies: taken })),
    problems() {
      const lost = [...deliveries.values()].filter(({ taken, refused }) => taken === 0 && !refused);
      return lost.map(({ row }) => `sent, never taken and not sent again: ${row.row_id}`);
    },
    notes: () => (script.length > 0 ? [`scripted answers that no request asked for: ${script.length}`] : []),
    close: () => server.close(),
  };
}

/** What is settled is not sent again, so several such answers need several batches. */
function batchSettings(
  dialect: Dialect,
  answers: readonly ScriptedAnswer[],
  rowCount: number,
): { batch?: { max_rows: number } } {
  const batches = answers.filter((answer) => dialect.settles(answer)).length;
  return batches < 2 ? {} : { batch: { max_rows: Math.max(1, Math.floor(rowCount / batches)) } };
}

function answerTo(
  {
    dialect,
    request,
    rows,
  }: { readonly dialect: Dialect; readonly request: ReceivedRequest; readonly rows: readonly Row[] },
  scripted: ScriptedAnswer | undefined,
): DialectAnswer {
  if (!scripted || scripted.body === '$success') {
    return { answer: dialect.success(request, rows), verdicts: rows.map(() => 'taken') };
  }
  return dialect.scripted(scripted, rows);
}

function note(deliveries: Map<string, Delivery>, row: Row, verdict: string | undefined): void {
  const delivery = deliveries.get(row.row_id) ?? { row, taken: 0, refused: false };
  if (verdict === 'taken') delivery.taken++;
  if (verdict === 'refused') delivery.refused = true;
  deliveries.set(row.row_id, delivery);
}
