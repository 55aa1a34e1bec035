import assert from 'node:assert/strict';
import type { Row } from '../../agent/contract/row.ts';
import { AgentUnderTest } from '../support/agent-process.ts';
import { outliveTests } from '../support/temp.ts';
import { until } from '../support/until.ts';
import { type Played, playSteps } from './gemini/play.ts';
import { STEPS } from './gemini/steps.ts';
import type { CallTruth, StepTruth } from './gemini/truth.ts';

/**
 * The real Gemini CLI, driven in a home that the agent watches. What was typed, answered and called is known from
 * the driver and from the scripted API; every bit of it that ever stood on disk must be at the collector, once.
 */
describe('e2e: the real Gemini CLI', function () {
  this.timeout(900_000);
  let agent: AgentUnderTest;
  let played: Played;
  let rows: Row[] = [];
  let cleanUp: () => Promise<void>;

  before(async () => {
    agent = await AgentUnderTest.create();
    cleanUp = outliveTests();
    await agent.start();
    played = await playSteps({ home: agent.home, names: STEPS.map(({ name }) => name), onStep: tell });
    await until('everything at the collector', hasEverything, 60_000).catch(() => undefined);
  });

  after(async () => {
    await agent.kill('SIGTERM');
    await cleanUp();
  });

  it('plays every step on this machine', () => {
    assert.deepEqual(played.skipped, []);
  });

  it('has every prompt that stood on disk, once', () => {
    const prompts = played.truths.flatMap(({ prompts }) => prompts.filter(({ isRecorded }) => isRecorded));

    assert.ok(prompts.length > 20, `${prompts.length} prompts`);
    assert.deepEqual(
      wrongCounts(prompts, (prompt) =>
        ofTurn('user', (row) => row.text.includes(prompt.mark) && isOfSession(row, prompt.sessionId)),
      ),
      [],
    );
  });

  it('has every answer, once, with its model', () => {
    const answers = played.truths.flatMap(({ answers }) => answers.filter(({ isRecorded }) => isRecorded));

    assert.ok(answers.length > 20, `${answers.length} answers`);
    assert.deepEqual(
      wrongCounts(answers, (answer) =>
        ofTurn('assistant', (row) => row.text === answer.text && isOfSession(row, answer.sessionId)),
      ),
      [],
    );
    const models = answers.flatMap((answer) =>
      ofTurn('assistant', (row) => row.text === answer.text).map((row) => row.model === answer.model),
    );
    assert.ok(models.every(Boolean));
  });

  it('has every thought, once', () => {
    const thoughts = played.truths.flatMap(({ thoughts }) => thoughts.filter(({ isRecorded }) => isRecorded));

    assert.ok(thoughts.length > 3, `${thoughts.length} thoughts`);
    assert.deepEqual(
      wrongCounts(thoughts, (thought) =>
        ofTurn(
          'thinking',
          (row) =>
            row.text === `${thought.subject}\n${thought.description}` && isOfSession(row, thought.sessionId),
        ),
      ),
      [],
    );
  });

  it('has every tool call and its outcome, once', () => {
    const calls = recordedCalls();

    assert.ok(calls.length > 15, `${calls.length} calls`);
    assert.deepEqual(wrongCounts(calls, usesOf), []);
    assert.deepEqual(
      wrongCounts(
        calls.filter(({ outcome }) => outcome !== 'unseen'),
        resultsOf,
      ),
      [],
    );
    const texts = calls.filter(({ resultPart }) => resultPart !== undefined);
    assert.deepEqual(
      texts
        .filter((call) => !resultsOf(call).some((row) => row.text.includes(call.resultPart ?? '')))
        .map(nameOf),
      [],
    );
  });

  it('has one denial for every call that the deny rule stopped, and for no other', () => {
    const denied = recordedCalls().filter(({ outcome }) => outcome === 'denied');
    const denials = rows.filter(
      (row) => row.event === 'permission.decision' && row.attributes['decision'] === 'deny_rule',
    );

    assert.ok(denied.length > 0);
    assert.deepEqual(
      denials.map((row) => row.tool_use_id).sort(),
      denied.map(({ recorded }) => recorded?.id).sort(),
    );
  });

  it('has everything of the sessions that the program itself deleted while it ran, and says that they were deleted', () => {
    const deleted = played.truths.flatMap(({ files }) => files.filter(({ wasDeleted }) => wasDeleted));
    const said = rows.filter((row) => row.event === 'session.deleted').map((row) => row.source_file ?? '');

    assert.ok(deleted.length > 2, `${deleted.length} deleted files`);
    assert.deepEqual(
      deleted.filter(({ path }) => !said.some((file) => path.endsWith(file))).map(({ path }) => path),
      [],
    );
  });

  it('says of every session that the program deleted why it did', () => {
    const wrong = played.truths.flatMap(({ step, files }) => {
      const gone = files.filter(({ wasDeleted }) => wasDeleted).map(({ path }) => path);
      const told = rows.filter(
        ({ event, source_file: file }) =>
          event === 'session.deleted' && gone.some((path) => path.endsWith(file ?? '-')),
      );
      const causes = told.map(({ attributes }) => String(attributes['cause'])).sort();
      const expected = STEPS.find(({ name }) => name === step)?.deletions ?? [];
      return causes.join(' ') === expected.join(' ') ? [] : [`${step}: ${causes.join(' ')}`];
    });

    assert.deepEqual(wrong, []);
  });

  it('tells approvals for ever and trusted folders as they were given', () => {
    const given = rows
      .filter(({ event, attributes }) => event === 'permission.setting' && attributes['change'] === 'added')
      .map(({ text }) => text.replace(/ \(from .*/, '').replace(agent.home, '~'));

    assert.ok(
      given.includes('permission setting: trustedFolders.~/code/ui-trust=TRUST_FOLDER'),
      given.join('\n'),
    );
    assert.ok(
      given.some((text) => /^permission setting: policy allow run_shell_command .*commandPrefix/.test(text)),
      given.join('\n'),
    );
  });

  it('tells what every command did to the conversation', () => {
    const counts = Object.fromEntries(
      [
        'session.checkpoint',
        'session.exported',
        'session.compressed',
        'session.rewound',
        'session.cleared',
      ].map((name) => [name, rows.filter(({ event }) => event === name).length]),
    );

    assert.deepEqual(counts, {
      'session.checkpoint': 1,
      'session.exported': 1,
      'session.compressed': 1,
      'session.rewound': 1,
      'session.cleared': 1,
    });
    assert.ok(
      rows.some(({ event, text }) => event === 'model.change' && text.endsWith('-> gemini-2.5-flash')),
    );
    assert.equal(ofTurn('user', ({ attributes }) => attributes['input'] === 'shell').length, 1);
    assert.ok(
      rows.some(({ event, attributes }) => event === 'session.start' && attributes['resumed'] === true),
    );
    assert.ok(rows.some(({ attributes }) => attributes['parent_session_id'] !== undefined));
  });

  it('invents nothing', () => {
    const known = new Set(played.truths.flatMap(allTexts));
    const extra = rows.filter((row) => row.turn_type === 'assistant' && !known.has(row.text));

    assert.deepEqual(
      extra.map((row) => row.text),
      [],
    );
  });

  it('leaves no gap in the numbers and no error in the log', async () => {
    assert.deepEqual(await agent.missing(), []);
    assert.doesNotMatch(agent.log, / error /);
  });

  async function hasEverything(): Promise<boolean> {
    rows = await agent.rows();
    return missing().length === 0;
  }

  function missing(): unknown[] {
    const answers = played.truths.flatMap(({ answers }) => answers.filter(({ isRecorded }) => isRecorded));
    const files = played.truths.flatMap(({ files }) => files.filter(({ wasDeleted }) => wasDeleted));
    const said = rows.filter((row) => row.event === 'session.deleted').map((row) => row.source_file ?? '');
    return [
      ...wrongCounts(answers, (answer) => ofTurn('assistant', (row) => row.text === answer.text)),
      ...files.filter(({ path }) => !said.some((file) => path.endsWith(file))),
    ];
  }

  function recordedCalls(): CallTruth[] {
    return played.truths.flatMap(({ calls }) => calls.filter(({ recorded }) => recorded !== undefined));
  }

  function usesOf(call: CallTruth): Row[] {
    return ofTurn(
      'tool_use',
      (row) =>
        row.tool_use_id === call.recorded?.id &&
        isOfSession(row, call.sessionId) &&
        row.tool_name === call.name &&
        row.text.includes(JSON.stringify(call.args)),
    );
  }

  /** The API may give two calls of one tool the same id; their results then differ in text. */
  function resultsOf(call: CallTruth): Row[] {
    const use = usesOf(call).at(0);
    const sameId = ofTurn(
      'tool_result',
      (row) =>
        row.tool_use_id === call.recorded?.id &&
        row.session_id === use?.session_id &&
        row.tool_name === call.name,
    );
    return sameId.length > 1 ? sameId.filter((row) => row.text.includes(call.resultPart ?? '')) : sameId;
  }

  function ofTurn(turn: Row['turn_type'], matches: (row: Row) => boolean): Row[] {
    return rows.filter((row) => row.turn_type === turn && matches(row));
  }
});

function isOfSession(row: Row, sessionId: string | null): boolean {
  return sessionId === null || row.session_id === sessionId;
}

/** What does not have exactly one row, in words. */
function wrongCounts<T extends { readonly mark: string; readonly scene: string }>(
  truths: readonly T[],
  find: (truth: T) => Row[],
): string[] {
  return truths.flatMap((truth) => {
    const { length } = find(truth);
    return length === 1 ? [] : [`${nameOf(truth)}: ${length} rows`];
  });
}

function nameOf({ mark, scene, ...rest }: { readonly mark: string; readonly scene: string }): string {
  const { name, text } = rest as { name?: string; text?: string };
  return [scene, mark, name, text?.slice(0, 60)].filter(Boolean).join(' ');
}

function allTexts({ answers, sideAnswers }: StepTruth): string[] {
  return [...answers.map(({ text }) => text), ...sideAnswers.map(({ text }) => text)];
}

function tell({ step, ms, prompts, calls, files }: StepTruth): void {
  const deleted = files.filter(({ wasDeleted }) => wasDeleted).length;
  console.log(
    `    ${step}: ${prompts.length} prompts, ${calls.length} calls, ${deleted} files deleted, ${(ms / 1000).toFixed(1)} s`,
  );
}
