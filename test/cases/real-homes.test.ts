import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Source } from '../../agent/contract/source.ts';
import { amazonQ } from '../../parsers/amazon-q/index.ts';
import { kiroCli } from '../../parsers/kiro-cli/index.ts';
import { fixtureBytes, type HomeRow, parseHome } from '../parsers/support.ts';
import { tempDir } from '../support/temp.ts';
import { findCases, loadCase } from './case.ts';
import { play } from './play.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');
const SCENES = findCases(join(FIXTURES, 'recorded')).map(loadCase);
const CONVERSATION = new Set(['user', 'assistant', 'tool_use', 'tool_result']);

/** Homes that the real programs left, and the scenes that were recorded while they wrote them. */
const HOMES: readonly (readonly [string, Source, RegExp])[] = [
  ['amazon-q/recorded', amazonQ, /^q-/],
  ['kiro-cli/v1-recorded', kiroCli, /^kiro1-/],
  ['kiro-cli/real-home', kiroCli, /^kiro2-/],
];

describe('homes of the real programs', function () {
  this.timeout(120_000);

  for (const [name, source, scenes] of HOMES)
    it(`${name}, read cold in one go, gives the ids that the scenes gave`, async () => {
      const known = new Set<string>();
      const sessions = new Set<string>();
      for (const scene of SCENES.filter((one) => scenes.test(one.name)))
        for (const row of conversation(parseHome(source, await leftBy(scene)))) {
          known.add(`${row.row_id} ${contentOf(row)}`);
          sessions.add(row.session_id ?? '');
        }

      const cold = conversation(parseHome(source, join(FIXTURES, name, 'home'))).filter(({ session_id }) =>
        sessions.has(session_id ?? ''),
      );

      assert.ok(cold.length > 50, `${cold.length} rows of ${sessions.size} sessions`);
      assert.deepEqual(
        cold.filter((row) => !known.has(`${row.row_id} ${contentOf(row)}`)).map(contentOf),
        [],
      );
    });
});

/** The home as the recorded program left it at the end of the scene. */
async function leftBy({ dir, steps, databases }: (typeof SCENES)[number]): Promise<string> {
  const home = join(tempDir(), 'home');
  for (const [path, sql] of Object.entries(databases)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), fixtureBytes(join(dir, sql).replace(/\.sql$/, '')));
  }
  const place = { home, steps: join(dir, 'steps'), aside: join(home, '..', 'aside') };
  for (const step of steps) if (step.op === 'play') await play({ ...step, pause_ms: 0 }, place);
  return home;
}

function conversation(rows: readonly HomeRow[]): HomeRow[] {
  return rows.filter(({ turn_type, session_id }) => CONVERSATION.has(turn_type) && Boolean(session_id));
}

function contentOf({ session_id, turn_type, tool_use_id, text, timestamp_utc }: HomeRow): string {
  if (tool_use_id != null) return `${session_id} ${turn_type} ${tool_use_id}`;
  const at = turn_type === 'user' ? timestamp_utc : '';
  return `${session_id} ${turn_type} ${at} ${text}`;
}
