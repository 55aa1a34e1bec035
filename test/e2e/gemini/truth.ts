/** What a step must have left, told by what was typed, what crossed the wire and what lay on disk. */

import type { RunEnd } from '../shared/program.ts';
import type { ApiRecord, Exchange, SideAnswer } from '../shared/record.ts';
import type { FunctionCall, FunctionResponse } from '../shared/wire.ts';
import { holds, type RecordedCall, recordedCall, sessionIdOf } from './chat-records.ts';
import type { ChatFile } from './chats.ts';

/**
 * denied: by a policy rule; cancelled: by the user; unseen: no result came back to the API, since the program
 * ended first, or since it keeps the result of a subagent's last call to itself.
 */
export type Outcome = 'success' | 'error' | 'denied' | 'cancelled' | 'unseen';

export interface StepTruth {
  readonly step: string;
  /** Absolute project path. */
  readonly project: string;
  /** The project's folder name below .gemini/tmp. */
  readonly slug: string;
  readonly runs: readonly RunEnd[];
  readonly prompts: readonly PromptTruth[];
  readonly answers: readonly AnswerTruth[];
  readonly thoughts: readonly ThoughtTruth[];
  readonly calls: readonly CallTruth[];
  readonly commands: readonly CommandTruth[];
  /** Summaries and the like that the program asked for on its own. */
  readonly sideAnswers: readonly SideAnswer[];
  /** Files that came, changed or went in this step. */
  readonly files: readonly FileTruth[];
  readonly ms: number;
}

interface Marked {
  /** Unique in the run: find rows by it. */
  readonly mark: string;
  readonly scene: string;
  /** Session whose file holds the prompt; null when none does, or the file was born without a header. */
  readonly sessionId: string | null;
}

export interface PromptTruth extends Marked {
  readonly text: string;
  readonly by: 'headless' | 'keyboard' | 'agent';
  readonly isRecorded: boolean;
  readonly fate?: PromptFate;
  /** Session under which the program's log of typed lines has it; only what was typed in the interface. */
  readonly loggedUnder?: string;
}

/** What the user did about a prompt later. */
export type PromptFate = 'refused' | 'stopped' | 'rewound';

export interface AnswerTruth extends Marked {
  readonly text: string;
  readonly model: string;
  readonly isRecorded: boolean;
}

export interface ThoughtTruth extends Marked {
  readonly subject: string;
  readonly description: string;
  readonly isRecorded: boolean;
}

export interface CallTruth extends Marked {
  readonly name: string;
  readonly args: FunctionCall['args'];
  readonly outcome: Outcome;
  /** A piece of the result that no other call of the step shares, where the scene allows; absent when unseen. */
  readonly resultPart?: string;
  /** As it stands in the session file; absent when the program never wrote the call down. */
  readonly recorded?: RecordedCall;
}

/** What was typed that is no prompt: "/model set x" or, in shell mode, a command and a piece of its output. */
export interface Command {
  readonly kind: 'slash' | 'shell';
  readonly text: string;
  readonly output?: string;
}

export interface CommandTruth extends Command {
  readonly loggedUnder?: string;
}

export interface FileTruth {
  readonly path: string;
  readonly kind: ChatFile['kind'];
  /** Null in a file that was born without a header line. */
  readonly sessionId: string | null;
  readonly wasThereBefore: boolean;
  readonly wasDeleted: boolean;
  /** How long it could be read, in milliseconds, as far as this step saw. */
  readonly readableMs: number;
}

/** What the driver itself did in a step. */
export interface Deed {
  readonly mark: string;
  readonly scene: string;
  readonly text: string;
  readonly by: 'headless' | 'keyboard';
  /** Set when it happens. The result of a refused call never reaches the API. */
  fate?: PromptFate;
}

export interface Evidence {
  readonly deeds: readonly Deed[];
  readonly commands: readonly Command[];
  readonly record: ApiRecord;
  /** Typed line to the session under which the program logged it. */
  readonly logged: ReadonlyMap<string, string>;
  /** Files of the project, newest look. */
  readonly files: readonly ChatFile[];
}

type Said = Pick<StepTruth, 'prompts' | 'answers' | 'thoughts' | 'calls' | 'commands' | 'sideAnswers'>;

export function truthOf(evidence: Evidence): Said {
  const told = evidence.deeds.map((deed) => ({ deed, turns: answeredTurns(evidence, deed) }));
  return {
    prompts: told.flatMap((one) => promptsOf(evidence, one)),
    answers: told.flatMap((one) => one.turns.flatMap((turn) => answersOf(evidence, one.deed, turn))),
    thoughts: told.flatMap((one) => one.turns.flatMap((turn) => thoughtsOf(evidence, one.deed, turn))),
    calls: told.flatMap((one) => one.turns.flatMap((turn) => callsOf(evidence, one.deed, turn))),
    commands: evidence.commands.map((command) => ({ ...command, ...loggedUnder(evidence, command.text) })),
    sideAnswers: evidence.deeds.flatMap(({ mark }) => evidence.record.sideAnswersOf(mark)),
  };
}

export function fileTruth(file: ChatFile, startedMs: number): FileTruth {
  return {
    path: file.path,
    kind: file.kind,
    sessionId: sessionIdOf(file),
    wasThereBefore: file.firstSeenMs < startedMs,
    wasDeleted: file.goneMs !== undefined,
    readableMs: Math.round((file.goneMs ?? performance.now()) - file.firstSeenMs),
  };
}

/** A turn that was asked for again after a cut stream counts once. */
function answeredTurns({ record }: Evidence, { mark }: Deed): Exchange[] {
  const turns = new Map<string, Exchange>();
  for (const exchange of record.exchangesOf(mark))
    if (exchange.fate === 'answered') turns.set(`${exchange.scene} ${exchange.turn}`, exchange);
  return [...turns.values()];
}

interface Told {
  readonly deed: Deed;
  readonly turns: readonly Exchange[];
}

/** The typed prompt, and the prompts that the model's own answer gave to a subagent. */
function promptsOf(evidence: Evidence, { deed, turns }: Told): PromptTruth[] {
  const inner = new Map(turns.filter(({ scene }) => scene !== deed.scene).map((turn) => [turn.scene, turn]));
  const agents = [...inner.values()].map(({ mark, scene, prompt }) => ({
    mark,
    scene,
    text: prompt,
    by: 'agent' as const,
  }));
  const { mark, scene, text, by, fate } = deed;
  return [{ mark, scene, text, by, ...(fate && { fate }) }, ...agents].map((prompt) => ({
    ...prompt,
    ...loggedUnder(evidence, prompt.text),
    sessionId: sessionOf(evidence, prompt.text, prompt.by === 'agent'),
    isRecorded: isRecorded(evidence, prompt.text),
  }));
}

function answersOf(evidence: Evidence, deed: Deed, turn: Exchange): AnswerTruth[] {
  const { text } = turn.sent;
  if (text === undefined) return [];
  return [
    { ...marked(evidence, deed, turn), text, model: turn.model, isRecorded: isRecorded(evidence, text) },
  ];
}

function thoughtsOf(evidence: Evidence, deed: Deed, turn: Exchange): ThoughtTruth[] {
  return (turn.sent.thoughts ?? []).map(([subject, description]) => ({
    ...marked(evidence, deed, turn),
    subject,
    description,
    isRecorded: isRecorded(evidence, description),
  }));
}

function callsOf(evidence: Evidence, deed: Deed, turn: Exchange): CallTruth[] {
  return (turn.sent.calls ?? []).map((call, index) => {
    const response = evidence.record.responseTo(turn, index);
    const recorded = recordedCall(filesWith(evidence, turn.prompt, turn.scene !== deed.scene), call);
    return {
      ...marked(evidence, deed, turn),
      name: call.name,
      args: call.args,
      outcome: response ? outcomeOf(response) : isCancelled(deed) ? 'cancelled' : 'unseen',
      ...(response ? { resultPart: resultPart(response, turn.mark) } : {}),
      ...(recorded ? { recorded } : {}),
    };
  });
}

function isCancelled({ fate }: Deed): boolean {
  return fate === 'refused' || fate === 'stopped';
}

function outcomeOf({ response = {} }: FunctionResponse): Outcome {
  if (response.error === undefined) return 'success';
  const error = String(response.error);
  if (error.startsWith('Tool execution denied by policy')) return 'denied';
  return error.startsWith('[Operation Cancelled]') ? 'cancelled' : 'error';
}

/** The line with the mark, else the longest one: never a wrapper line. */
function resultPart({ response = {} }: FunctionResponse, mark: string): string {
  const lines = String(response.error ?? response.output ?? '').split('\n');
  const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), '');
  return (lines.find((line) => line.includes(mark)) ?? longest).trim().slice(0, 160);
}

function marked(evidence: Evidence, deed: Deed, { mark, scene, prompt }: Exchange): Marked {
  return { mark, scene, sessionId: sessionOf(evidence, prompt, scene !== deed.scene) };
}

function sessionOf(evidence: Evidence, prompt: string, isInner: boolean): string | null {
  for (const file of filesWith(evidence, prompt, isInner)) {
    const id = sessionIdOf(file);
    if (id !== null) return id;
  }
  return null;
}

function loggedUnder({ logged }: Evidence, text: string): { loggedUnder?: string } {
  const session = logged.get(text);
  return session === undefined ? {} : { loggedUnder: session };
}

/** A subagent's prompt also stands in its parent's file, as an argument. */
function filesWith({ files }: Evidence, prompt: string, isInner: boolean): readonly ChatFile[] {
  const kind = isInner ? 'subagent' : 'session';
  return files.filter((file) => file.kind === kind && holds(file, prompt));
}

function isRecorded({ files }: Evidence, text: string): boolean {
  return files.some((file) => holds(file, text));
}
