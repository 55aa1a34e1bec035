/** What must hold for any input: nothing is thrown, every row keeps the contract, no id stands for two texts. */
import assert from 'node:assert/strict';
import type { DraftRow } from '../../agent/contract/row.ts';
import { assertRow } from '../parsers/samples.ts';
import { draftId } from '../parsers/support.ts';
import type { Input, Target } from './targets.ts';

/** Why the input shows a fault of the parser; undefined when it shows none. */
export function faultOf(target: Target, input: Input): string | undefined {
  try {
    assertRows(target, target.parse(input));
    return undefined;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

function assertRows({ source }: Target, rows: readonly DraftRow[]): void {
  const contents = new Map<string, string>();
  for (const row of rows) {
    assertRow(row);
    if (isNamedWithoutWords(row)) continue;
    const id = draftId(source, row);
    assert.equal(contents.get(id) ?? row.text, row.text, 'one id, two texts');
    contents.set(id, row.text);
  }
}

/**
 * Records that a parser names by more or less than their words on purpose: what happened, bytes that cannot be read
 * wherever they stand, and a call whose later states are the same call (docs/formats/kiro-cli.md, "Identity of rows").
 */
function isNamedWithoutWords({ turn_type, content }: DraftRow): boolean {
  return content !== undefined && ['system', 'tool_use', 'tool_result'].includes(turn_type);
}
