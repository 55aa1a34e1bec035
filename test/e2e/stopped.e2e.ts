import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AgentUnderTest } from '../support/agent-process.ts';
import { until } from '../support/until.ts';
import { type Played, playSteps } from './gemini/play.ts';

/** Starts of the real Gemini CLI that delete sessions: one that cannot be resumed, ones that share an id, expired ones. */
const STEPS = ['delete-failed', 'delete-resumed', 'delete-expired'];

describe('e2e: sessions that Gemini CLI deletes while the agent is stopped', function () {
  this.timeout(300_000);

  for (const name of STEPS)
    it(`are delivered in full after it starts again (${name})`, async () => {
      const agent = await AgentUnderTest.create();
      await agent.start();
      const gone: string[] = [];

      const { truths } = await playSteps({
        home: agent.home,
        names: [name],
        async beforeDeletion(doomed) {
          gone.push(...doomed.map(({ path }) => join(agent.home, path)));
          await until('every file to be pinned', () => gone.every((path) => statSync(path).nlink > 1));
          await agent.kill('SIGKILL');
        },
      });
      assert.ok(gone.length > 0);
      assert.deepEqual(
        gone.filter((path) => existsSync(path)),
        [],
      );
      await agent.start();

      await until('everything of them', async () => (await missing(agent, truths, gone)).length === 0).catch(
        () => undefined,
      );
      assert.deepEqual(await missing(agent, truths, gone), []);
    });
});

/** What was recorded and is not at the collector exactly once, and files whose deletion is not told. */
async function missing(
  agent: AgentUnderTest,
  truths: Played['truths'],
  gone: readonly string[],
): Promise<string[]> {
  const rows = await agent.rows();
  const told = rows.filter(({ event }) => event === 'session.deleted').map((row) => row.source_file ?? '-');
  const isOnce = (turn: string, session: string | null, has: (text: string) => boolean) =>
    rows.filter(
      ({ turn_type, text, session_id }) =>
        turn_type === turn && has(text) && (session === null || session_id === session),
    ).length === 1;
  return truths.flatMap(({ prompts, answers }) => [
    ...prompts
      .filter(
        ({ isRecorded, sessionId, mark }) =>
          isRecorded && !isOnce('user', sessionId, (text) => text.includes(mark)),
      )
      .map(({ mark }) => `prompt ${mark}`),
    ...answers
      .filter(
        ({ isRecorded, sessionId, text }) =>
          isRecorded && !isOnce('assistant', sessionId, (one) => one === text),
      )
      .map(({ text }) => `answer ${text}`),
    ...gone.filter((path) => !told.some((file) => path.endsWith(file))).map((path) => `deletion of ${path}`),
  ]);
}
