import type { Row } from '../../agent/contract/row.ts';
import type { Manifest } from '../corpus/manifest.ts';
import { openBenchStore } from './bench-store.ts';

/**
 * Compares the rows in a state directory with what the corpus says; one line for each kind that differs. A
 * fast scan that lost something would otherwise look good.
 */
export function missingRows(stateDir: string, { totals }: Manifest): string[] {
  const found = turnsIn(stateDir);
  const wanted = {
    user: totals.prompts,
    assistant: totals.answers,
    thinking: totals.thoughts,
    tool_use: totals.calls,
    tool_result: totals.results,
  } as const;
  const wrong = Object.entries(wanted).filter(([turn, count]) => (found.get(turn) ?? 0) !== count);
  if (wrong.length === 0)
    return ['every prompt, answer, thought, call and result of the corpus is in the outbox'];
  return wrong.map(([turn, count]) => `WRONG: ${found.get(turn) ?? 0} ${turn} rows, the corpus has ${count}`);
}

function turnsIn(stateDir: string): Map<string, number> {
  const { store, lock } = openBenchStore(stateDir);
  const turns = new Map<string, number>();
  let after = 0;
  for (let part = store.committedAfter(0, 50); part.length > 0; part = store.committedAfter(after, 50)) {
    for (const { segment, ndjson } of part) {
      for (const line of ndjson.toString('utf8').split('\n').slice(0, -1)) {
        const { turn_type: turn } = JSON.parse(line) as Row;
        turns.set(turn, (turns.get(turn) ?? 0) + 1);
      }
      after = segment;
    }
  }
  store.close();
  lock.release();
  return turns;
}
