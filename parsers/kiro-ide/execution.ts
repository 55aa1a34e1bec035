import type { Emit } from '../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../agent/contract/source.ts';
import { asList, asObject, asText, valueAt } from '../shared/fields.ts';
import { addBad, fact } from '../shared/kiro/rows.ts';
import { isTold, readAction, saidIn, tellAction } from './action.ts';
import { answerName, chatName, promptOfExecution, stubName } from './claims.ts';
import { tellEnd } from './execution-end.ts';
import { addOwnPrompt, addRepeated, ownPrompt } from './execution-input.ts';
import { readObject } from './json-document.ts';
import { SESSIONS } from './paths.ts';
import type { Execution, RawExecution } from './records.ts';
import { addEvent, createScope, guarded } from './rows.ts';
import { tellMode, tellModel } from './session-facts.ts';
import { fileTime, timeOf } from './times.ts';
import { directoryOfSession } from './workspace.ts';

/**
 * Parser of `<workspace>/<saves>/<execution>`: what the agent did for one prompt, action by action. Written whole again
 * and again while it runs; the history that it repeats comes from other files.
 */
export function parseExecution(document: Document, context: ParseContext, emit: Emit): DocumentResult {
  const read = readObject(document, { list: 'actions', what: 'an execution' });
  if (read.kind === 'torn') return 'torn';
  if (read.kind === 'refused') {
    if (read.row) emit({ ...read.row, project_path: context.project(undefined) ?? null });
    return 'parsed';
  }
  const raw: RawExecution = read.value;
  const id = asText(raw.executionId);
  if (id === undefined) {
    context.note('unknown_record');
    return 'parsed';
  }
  const execution = openExecution(id, raw, { context, emit });
  guarded(execution.scope, read.bytes, () => tellBeginning(execution));
  for (const action of execution.actions)
    guarded(execution.scope, read.bytes, () => tellAction(execution, action));
  guarded(execution.scope, read.bytes, () => tellEnd(execution));
  if (read.cut) addBad(execution.scope, read.cut);
  return 'parsed';
}

function openExecution(
  id: string,
  raw: RawExecution,
  { context, emit }: { readonly context: ParseContext; readonly emit: Emit },
): Execution {
  const input = asObject(asObject(raw.input)?.['data']) ?? {};
  const session = asText(raw.chatSessionId) ?? id;
  const project =
    asText(asList(input['workspacePaths'])[0]) ??
    asText(valueAt({ ...raw }, 'workspaceContext.cwd')) ??
    context.project(undefined);
  const started = timeOf(raw.startTime);
  return {
    id,
    raw,
    scope: createScope({ context, emit, session, project, folders: [context.path.slice(0, 32)] }),
    time: started.utc === null ? fileTime(context) : { utc: started.utc, source: 'derived' },
    model: asText(input['modelId']),
    actions: asList(raw.actions).flatMap((action) => readAction(action) ?? []),
    session: knownTo(context, session, id),
  };
}

function knownTo({ small }: ParseContext, session: string, execution: string): Execution['session'] {
  const directory = directoryOfSession(small, session);
  if (directory === undefined) return 'none';
  const text = small.text(`${SESSIONS}/${directory}/${session}.json`);
  return text?.includes(JSON.stringify(execution)) === true ? 'linked' : 'prompt';
}

/** The beginning takes the place of what a session and a `.chat` file say of this execution. */
function tellBeginning(execution: Execution): void {
  const { id, raw, scope, time, model } = execution;
  const workflow = asText(raw.workflowType);
  const prompt = ownPrompt(raw);
  addEvent(scope, 'session.turn', {
    record: `execution ${id}`,
    part: 'session.turn:start',
    content: '',
    text: `turn started: ${workflow ?? 'unknown workflow'} (execution ${id})`,
    time: time.source === 'derived' ? { utc: time.utc, source: 'record' } : time,
    model,
    attributes: {
      execution_id: id,
      ...fact('workflow', workflow),
      ...fact('autonomy', asText(raw.autonomyMode)),
    },
    claims: [
      stubName(id),
      ...(prompt === undefined ? [] : [promptOfExecution(id)]),
      ...(execution.actions.some(isTold) ? [chatName(id)] : []),
      ...joinedAnswers(execution).map((text) => answerName(scope.session, text)),
    ],
  });
  if (execution.session === 'none') tellChoices(execution);
  if (prompt !== undefined) addOwnPrompt(execution, prompt);
  addRepeated(execution);
}

/** Sessions may hold what was said in an execution as one text. */
function joinedAnswers({ actions }: Execution): string[] {
  const said = actions.map(saidIn).filter((text) => text !== '');
  return said.length < 2 ? [] : ['\n\n', '\n', ''].map((between) => said.join(between));
}

/** Model and mode, which otherwise the session tells. */
function tellChoices({ scope, model, raw, time }: Execution): void {
  const mode = asText(raw.autonomyMode);
  if (model !== undefined) tellModel(scope, model, { old: undefined, changes: 0, time });
  if (mode !== undefined) tellMode(scope, mode, { changes: 0, time });
}
