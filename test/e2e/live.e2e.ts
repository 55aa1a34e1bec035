import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import type { AgentId, Row } from '../../agent/contract/row.ts';
import { AgentUnderTest } from '../support/agent-process.ts';
import { until } from '../support/until.ts';
import { installGeminiCli } from './gemini/install.ts';
import { playSteps as playGemini } from './gemini/play.ts';
import { playSteps as playQwen } from './qwen/play.ts';

/** What only the moment tells, of the real programs: the branch of the project and the process that writes. */
describe('e2e: live rows', function () {
  this.timeout(300_000);

  it('tell the branch, the process and the version of Gemini CLI', async () => {
    const agent = await agentInRepository();

    await playGemini({ home: agent.home, names: ['read'] });

    const rows = await turnsOf(agent, 'gemini-cli');
    const { version } = await installGeminiCli();
    assertLive(rows, 'live');
    for (const { attributes } of rows.filter(isOfProcess))
      assert.deepEqual(
        [attributes['agent_version'], attributes['agent_version_source']],
        [version, 'process'],
      );
  });

  it('tell the process of Qwen Code, which records branch and version itself', async () => {
    const agent = await agentInRepository();

    await playQwen({ home: agent.home, names: ['read'] });

    const rows = await turnsOf(agent, 'qwen-code');
    assertLive(rows, undefined);
    for (const { attributes } of rows) {
      assert.equal(typeof attributes['agent_version'], 'string');
      assert.equal(attributes['agent_version_source'], undefined);
    }
  });
});

/** An agent over a home that is a repository on a branch of its own; the projects lie in it. */
async function agentInRepository(): Promise<AgentUnderTest> {
  const agent = await AgentUnderTest.create();
  const { status } = spawnSync('git', ['-C', agent.home, 'init', '-q', '-b', 'feature/live']);
  assert.equal(status, 0);
  const identity = ['-c', 'user.name=alice', '-c', 'user.email=alice@example.com'];
  const commit = ['commit', '-q', '--allow-empty', '-m', 'first'];
  assert.equal(spawnSync('git', ['-C', agent.home, ...identity, ...commit]).status, 0);
  await agent.start();
  return agent;
}

/** What was said and done in the session, once its last answer is there. */
async function turnsOf(agent: AgentUnderTest, id: AgentId): Promise<Row[]> {
  let turns: Row[] = [];
  await until('the answer after the call', async () => {
    const rows = await agent.rows();
    turns = rows.filter((row) => row.agent === id && row.turn_type !== 'system' && row.role === 'primary');
    const resultAt = turns.findIndex((row) => row.turn_type === 'tool_result');
    return resultAt >= 0 && turns.slice(resultAt).some((row) => row.turn_type === 'assistant');
  });
  await agent.kill('SIGTERM');
  return turns;
}

/** The program may end right after its last record, so that nobody sees any more who wrote it. */
function assertLive(rows: readonly Row[], branchSource: string | undefined): void {
  assert.deepEqual(
    rows.map(({ git_branch, attributes }) => [git_branch, attributes['git_branch_source']]),
    rows.map(() => ['feature/live', branchSource]),
  );
  const ofProcess = rows.filter(isOfProcess);
  assert.ok(ofProcess.some((row) => row.turn_type === 'user'));
  assert.ok(ofProcess.some((row) => row.turn_type === 'tool_use'));
  assert.equal(new Set(ofProcess.map(({ attributes }) => attributes['process_pid'])).size, 1);
}

function isOfProcess({ attributes }: Row): boolean {
  return attributes['process_pid'] !== undefined;
}
