import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { qwenCode } from '../../../parsers/qwen-code/index.ts';
import { createScenes } from '../../e2e/qwen/scenes.ts';
import { type HomeRow, parseHome, sourcePaths } from '../support.ts';

const HOME = join(import.meta.dirname, '../../../fixtures/qwen-code/real-home/home');
const ROOT = join(HOME, '.qwen');
const TAG = /\[scene:([a-z0-9]+) (mk-[a-z0-9-]+)\]/;

/** Played to their end but for what a person or a signal stopped. */
const STOPPED = new Set(['slow']);

/** The captured home against what the scripted model said: known without reading the session files. */
describe('parsers/qwen-code, on the captured home', () => {
  const rows = parseHome(qwenCode, HOME);
  const prompts = rows.filter((row) => row.turn_type === 'user' && TAG.test(row.text));
  const ofTurn = (turn: string) => rows.filter((row) => row.turn_type === turn);

  it('has every prompt once', () => {
    const marks = prompts.map(({ text }) => TAG.exec(text)?.[0]);

    assert.ok(marks.length > 30, `${marks.length} prompts`);
    assert.equal(new Set(marks).size, marks.length);
  });

  it('has every answer of every scene, with its model', () => {
    const missing = prompts.flatMap((prompt) =>
      answersOf(prompt)
        .filter((text) => !ofTurn('assistant').some((row) => row.text === text && hasModel(row)))
        .map((text) => `${prompt.text.slice(0, 40)}: ${text}`),
    );

    assert.deepEqual(missing, []);
  });

  it('invents no answer', () => {
    const known = new Set(prompts.flatMap(scenesOf).flatMap((turns) => turns.map(({ text }) => text)));

    assert.deepEqual(
      ofTurn('assistant')
        .filter(({ text }) => !known.has(text))
        .map(({ text }) => text),
      [],
    );
  });

  it('gives each call one result', () => {
    const key = (row: HomeRow) => `${row.session_id} ${row.attributes?.['agent_id']} ${row.tool_use_id}`;
    const uses = ofTurn('tool_use').map(key).toSorted();

    assert.ok(uses.length > 15, `${uses.length} calls`);
    assert.deepEqual(ofTurn('tool_result').map(key).toSorted(), uses);
  });

  it('names the rule of each denied call, and nothing else a rule', () => {
    const denials = rows.filter(({ attributes }) => attributes?.['decision'] === 'deny_rule');

    assert.equal(denials.length, 3);
    assert.ok(denials.every(({ attributes }) => attributes?.['rule'] === 'Bash(git push *)'));
    assert.equal(rows.filter(({ attributes }) => attributes?.['decision'] === 'not_approved').length, 1);
  });

  it('has each trace of the mode in which nothing asks', () => {
    const traces = rows
      .filter(({ attributes }) => attributes?.['trust_all'] === true)
      .map(({ text }) => text);

    assert.deepEqual(traces.toSorted(), [
      'permission mode: yolo',
      'permission mode: yolo (subagent general-purpose-call_qwen_1)',
      'permission setting: tools.approvalMode=yolo (from .qwen/settings.json, file mtime)',
    ]);
  });

  it('has the command of shell mode, which stands in no session', () => {
    const sessions = sourcePaths(qwenCode, ROOT, '').filter((path) => path.includes('/chats/'));
    const texts = sessions.map((path) => readFileSync(join(ROOT, path), 'utf8'));

    assert.ok(texts.every((text) => !text.includes('typed-in-shell-mode')));
    assert.deepEqual(
      rows.filter(({ text }) => text === 'echo typed-in-shell-mode').map(({ recovered }) => recovered),
      [true],
    );
  });

  it('leaves no record unread that is not known to say nothing', () => {
    assert.deepEqual(
      rows.filter(({ event }) => event === 'parser.error'),
      [],
    );
  });

  it('gives every row a project that was worked in', () => {
    const projects = new Set(rows.map(({ project_path }) => project_path).filter(Boolean));

    assert.ok([...projects].every((project) => project?.startsWith('/home/alice/code/')));
    assert.ok(projects.has('/home/alice/code/Billing API'));
  });
});

function scenesOf({ text, project_path }: HomeRow) {
  const [, scene = '', mark = ''] = TAG.exec(text) ?? [];
  return [createScenes(() => project_path ?? '')[scene]?.(mark) ?? []];
}

function answersOf(prompt: HomeRow): string[] {
  const texts = scenesOf(prompt).flatMap((turns) => turns.flatMap(({ text }) => text ?? []));
  const isRefused = prompt.text.includes('I refuse');
  const scene = TAG.exec(prompt.text)?.[1] ?? '';
  return STOPPED.has(scene) || isRefused ? texts.slice(0, 1) : texts;
}

/** Transcripts of subagents name no model. */
function hasModel({ model, attributes }: HomeRow): boolean {
  return attributes?.['agent_id'] !== undefined || model === 'gemini-2.5-pro' || model === 'gemini-2.5-flash';
}
