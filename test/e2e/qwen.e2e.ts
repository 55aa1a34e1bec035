import assert from 'node:assert/strict';
import type { Row } from '../../agent/contract/row.ts';
import { AgentUnderTest } from '../support/agent-process.ts';
import { outliveTests } from '../support/temp.ts';
import { until } from '../support/until.ts';
import { type DiskFact, factsIn, type Outcome } from './qwen/disk-facts.ts';
import { DENY_RULE } from './qwen/environment.ts';
import { type Played, playSteps } from './qwen/play.ts';
import type { StepTruth } from './qwen/truth.ts';

/**
 * The real Qwen Code, driven in a home that the agent watches. What was typed and answered is known from the driver
 * and from the scripted API; what the program wrote down is read off its files by other code than the parser's. Every
 * bit of it must be at the collector, once.
 */
describe('e2e: the real Qwen Code', function () {
  this.timeout(900_000);
  let agent: AgentUnderTest;
  let played: Played;
  let facts: readonly DiskFact[] = [];
  let rows: Row[] = [];
  let cleanUp: () => Promise<void>;

  before(async () => {
    agent = await AgentUnderTest.create();
    cleanUp = outliveTests();
    await agent.start();
    played = await playSteps({ home: agent.home, onStep: tell });
    facts = factsIn(played.files);
    await until('everything at the collector', hasEverything, 60_000).catch(() => undefined);
  });

  after(async () => {
    await agent.kill('SIGTERM');
    await cleanUp();
  });

  it('plays every step on this machine', () => {
    assert.equal(played.skipped, undefined);
  });

  it('has every prompt that was typed, once', () => {
    const prompts = played.truths.flatMap(({ prompts }) => prompts);

    assert.ok(prompts.length > 30, `${prompts.length} prompts`);
    assert.deepEqual(
      prompts
        .map(({ text, mark }) => [mark, ofTurn('user').filter((row) => row.text === text).length])
        .filter(([, count]) => count !== 1),
      [],
    );
  });

  it('has every answer that the model gave, with its model', () => {
    const answers = played.truths.flatMap(({ answers }) => answers);

    assert.ok(answers.length > 35, `${answers.length} answers`);
    assert.deepEqual(
      answers.filter(
        ({ text, model }) => !ofTurn('assistant').some((row) => row.text === text && row.model === model),
      ),
      [],
    );
  });

  it('has what lay on disk, all of it, each once, and nothing else', () => {
    const expected = facts.map(factKey).toSorted();

    assert.ok(expected.length > 140, `${expected.length} facts`);
    assert.deepEqual(rows.filter(isPrimary).map(rowKey).toSorted(), expected);
  });

  it('names the rule of every call that it denied, and of no other', () => {
    const denied = outcomes('denied');
    const denials = decisions('deny_rule');

    assert.ok(denied.length > 2);
    assert.deepEqual(denials.map(callKey).toSorted(), denied.map(callKey).toSorted());
    assert.ok(denials.every(({ attributes }) => attributes['rule'] === DENY_RULE));
  });

  it('tells calls that nobody could approve from those that were refused and those that were stopped', () => {
    const expected = { not_approved: 'unapproved', user_denied: 'refused', cancelled: 'cancelled' } as const;

    for (const [decision, outcome] of Object.entries(expected)) {
      assert.ok(outcomes(outcome).length > 0, outcome);
      assert.deepEqual(
        decisions(decision).map(callKey).toSorted(),
        outcomes(outcome).map(callKey).toSorted(),
      );
    }
  });

  it('tells every trace of the mode in which nothing asks', () => {
    const traces = rows.filter(({ attributes }) => attributes['trust_all'] === true);

    assert.deepEqual(
      traces.map(({ event, attributes }) => `${event} ${attributes['source'] ?? ''}`).toSorted(),
      ['permission.mode command', 'permission.mode subagent', 'permission.setting '],
    );
  });

  it('tells approvals for ever and trusted folders as they were given', () => {
    const given = rows
      .filter(({ event, attributes }) => event === 'permission.setting' && attributes['change'] === 'added')
      .map(({ text }) => text.replace(/ \(from .*/, '').replace(agent.home, '~'));

    for (const expected of [
      'permission setting: permissions.allow=Bash(touch *)',
      'permission setting: tools.approvalMode=yolo',
      'permission setting: trustedFolders.~/code/ui-home=TRUST_FOLDER',
    ])
      assert.ok(given.includes(expected), `${expected}: ${given.join(' | ')}`);
  });

  it('takes no setting back while the program writes its settings anew', () => {
    assert.deepEqual(
      rows.filter(({ attributes }) => attributes['change'] === 'removed').map(({ text }) => text),
      [],
    );
  });

  it('tells a rewind, a compression, a title, a model, a fork and a branch', () => {
    for (const event of [
      'session.rewound',
      'session.compressed',
      'session.title',
      'session.branched',
      'session.subagent',
      'model.change',
      'prompt.files',
      'prompt.automatic',
    ])
      assert.ok(
        rows.some((row) => row.event === event),
        event,
      );
    const starts = rows.filter(({ event }) => event === 'session.start');
    assert.equal(starts.filter(({ attributes }) => attributes['forked_from'] !== undefined).length, 2);
  });

  it('has the command of shell mode and those slash commands that no session holds', () => {
    assert.equal(rows.filter(({ text }) => text === 'echo typed-in-shell-mode').length, 1);
    assert.equal(rows.filter(({ event }) => event === 'session.cleared').length, 1);
    for (const command of ['delete', 'resume', 'approval-mode', 'compress', 'rename'])
      assert.ok(
        rows.some(({ event, attributes }) => event === 'command.slash' && attributes['command'] === command),
        command,
      );
  });

  it('has everything of a session that was deleted, and says that it was', () => {
    const gone = played.files.filter(({ isGone }) => isGone);
    const told = rows
      .filter(({ event }) => event === 'session.deleted')
      .map(({ source_file }) => source_file);

    assert.equal(gone.length, 1);
    assert.deepEqual(
      rows.filter(({ event }) => event === 'session.deleted').map(({ attributes }) => attributes['cause']),
      ['user'],
    );
    assert.deepEqual(
      told,
      gone.map(({ path }) => path),
    );
    assert.ok(factsIn(gone).every((fact) => rows.some((row) => rowKey(row) === factKey(fact))));
  });

  it('leaves no gap in the numbers and no error in the log', async () => {
    assert.deepEqual(await agent.missing(), []);
    assert.deepEqual(
      rows.filter(({ event }) => event === 'parser.error'),
      [],
    );
    assert.doesNotMatch(agent.log, / error /);
  });

  async function hasEverything(): Promise<boolean> {
    rows = (await agent.rows()).filter(({ agent: source }) => source === 'qwen-code');
    const keys = new Set(rows.map(rowKey));
    return (
      facts.every((fact) => keys.has(factKey(fact))) &&
      rows.some(({ event }) => event === 'session.deleted') &&
      rows.some(({ text }) => text === 'echo typed-in-shell-mode')
    );
  }

  function ofTurn(turn: Row['turn_type']): Row[] {
    return rows.filter(({ turn_type }) => turn_type === turn);
  }

  function outcomes(outcome: Outcome): DiskFact[] {
    return facts.filter((fact) => fact.outcome === outcome);
  }

  function decisions(decision: string): Row[] {
    return rows.filter(
      ({ event, attributes }) => event === 'permission.decision' && attributes['decision'] === decision,
    );
  }
});

/** What session files hold; copies elsewhere, settings and what the parser says of a session are other tests' matter. */
function isPrimary({ role, turn_type }: Row): boolean {
  return role === 'primary' && turn_type !== 'system';
}

function factKey({ kind, session, text, tool, callId }: DiskFact): string {
  return JSON.stringify([kind, session, tool ?? null, callId ?? null, text]);
}

function rowKey({ turn_type, session_id, text, tool_name, tool_use_id }: Row): string {
  const said = turn_type === 'tool_result' ? text.replace(/^\[(?:error|cancelled)\] /, '') : text;
  return JSON.stringify([turn_type, session_id, tool_name, tool_use_id, said]);
}

function callKey(call: DiskFact | Row): string {
  return 'uuid' in call ? `${call.session} ${call.callId}` : `${call.session_id} ${call.tool_use_id}`;
}

function tell({ step, ms, prompts, facts }: StepTruth): void {
  console.log(
    `    ${step}: ${prompts.length} prompts, ${facts.length} facts on disk, ${(ms / 1000).toFixed(1)} s`,
  );
}
