import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DraftRow } from '../../../agent/contract/row.ts';
import { amazonQ } from '../../../parsers/amazon-q/index.ts';
import { type HomeRow, parseHome } from '../support.ts';

const HOME = join(import.meta.dirname, '../../../fixtures/amazon-q/row-plan/home');
const TALK = 'c0de0a1a-1111-4000-8000-00000000000';

const all = parseHome(amazonQ, HOME);
const inTalk = (number: number) => all.filter(({ session_id }) => session_id === `${TALK}${number}`);
const ofEvent = (rows: readonly HomeRow[], event: DraftRow['event']) =>
  rows.filter((row) => row.event === event);

/** What the seed's row plan names and its own fixture does not show. */
describe('parsers/kiro row plan of the seed', () => {
  it('a tool of a server has the name that the model knows, with the original one beside it', () => {
    const use = inTalk(1).find(({ turn_type }) => turn_type === 'tool_use');

    assert.deepEqual(
      [use?.tool_name, use?.attributes?.['original_name'], use?.text],
      ['git___status', 'status', '{"path":"."}'],
    );
  });

  it('a result that is JSON is compact JSON, under the name of its call', () => {
    const result = inTalk(1).find(({ turn_type }) => turn_type === 'tool_result');

    assert.deepEqual(
      [result?.tool_name, result?.tool_use_id, result?.text],
      ['git___status', 'tooluse_p1', '{"branch":"main","clean":true}'],
    );
  });

  it('models: the first, a change, and where a conversation tells what no request does', () => {
    const models = all.filter(({ event }) => event === 'model.set' || event === 'model.change');

    assert.deepEqual(
      models.map(({ text }) => text),
      [
        'model: claude-sonnet-4',
        'model: claude-sonnet-4 -> claude-opus-4',
        'model: claude-sonnet-4',
        'model: claude-haiku-4 source=model_info',
        'model: claude-sonnet-4',
      ],
    );
    const [, change] = models;
    const prompt = inTalk(1).find(({ text }) => text === 'tidy it, with the other model');
    assert.equal(change?.timestamp_utc, prompt?.timestamp_utc);
  });

  it('decisions: words of the user, an interrupt, and a cancelled call that says nothing', () => {
    assert.deepEqual(
      ofEvent(all, 'permission.decision').map(({ tool_use_id, text }) => [tool_use_id, text]),
      [
        ['tooluse_p2', 'permission decision: denied by=user-text'],
        ['tooluse_p3', 'permission decision: cancelled by=interrupt'],
        ['tooluse_p4', 'permission decision: cancelled'],
      ],
    );
  });

  it('words at an open question say that a prompt would be stored alike', () => {
    const [refused, ...others] = ofEvent(all, 'permission.decision');

    assert.deepEqual(
      [refused?.attributes?.['reason'], refused?.attributes?.['typed_while']],
      ['no, keep that folder', 'question_open'],
    );
    assert.ok(others.every(({ attributes }) => attributes?.['typed_while'] === undefined));
  });

  it('a record that names no directory has the one where the prompt was typed', () => {
    assert.deepEqual(
      new Set(inTalk(2).map(({ project_path }) => project_path)),
      new Set(['/home/alice/elsewhere']),
    );
  });

  it('a summary is a row', () => {
    assert.deepEqual(
      ofEvent(all, 'session.compressed').map(({ text, timestamp_utc }) => [text, timestamp_utc]),
      [['## Summary\nThe tree was tidied.', '2026-09-14T11:00:02.000Z']],
    );
  });

  it('a main talk held aside is recovered, behind a row at the beginning of the side talk', () => {
    assert.deepEqual(
      inTalk(4)
        .filter(({ recovered }) => recovered === true)
        .map(({ text }) => text),
      ['the main talk', 'Main answer.'],
    );
    assert.deepEqual(
      ofEvent(all, 'session.checkpoint').map(({ text, timestamp_utc }) => [text, timestamp_utc]),
      [['tangent mode: main conversation held aside, recovered=1 entries', '2026-09-14T10:04:00.000Z']],
    );
  });

  it('a history that is shorter than the transcript is said to be', () => {
    assert.deepEqual(
      ofEvent(all, 'session.history_replaced').map(({ text, session_id }) => [text, session_id]),
      [['history shorter than transcript: 1 typed prompts are not in it', `${TALK}4`]],
    );
  });

  it('the table of shell commands gives a row each', () => {
    const [row, ...more] = ofEvent(all, 'prompt.other');

    assert.deepEqual(more, []);
    assert.deepEqual(
      [row?.text, row?.project_path, row?.timestamp_utc, row?.attributes?.['input']],
      ['shell command: make test', '/home/alice/plan', '2026-04-24T03:06:40.000Z', 'shell'],
    );
  });

  it('what cannot be read says so: a line, an agent, a background task', () => {
    assert.deepEqual(
      ofEvent(all, 'parser.error').map(({ source_file, text }) => [source_file, text]),
      [
        ['.aws/amazonq/.cli_bash_history', 'parser: unparseable line (not valid UTF-8): caf\ufffd au lait'],
        ['.aws/amazonq/cli-agents/broken.json', 'parser: agent configuration is not a JSON object'],
        [
          'plan/.amazonq/.subagents/broken.json',
          'parser: delegate record is not a JSON object (broken): "nothing"',
        ],
      ],
    );
  });
});
