import { hash } from 'node:crypto';
import type { SessionCounts } from '../manifest.ts';
import type { Rng } from '../rng.ts';
import { makeText } from '../text.ts';
import {
  answer,
  asResumed,
  contextMessage,
  iso,
  notice,
  prompt,
  resultMessage,
  type UserMessage,
} from './messages.ts';
import { type SessionFacts, SessionWriter } from './session-writer.ts';
import { readCall, toolCall } from './tool-call.ts';

/** Beyond this a `$set.messages` would write too much again; the program then compresses its history. */
const MAX_HISTORY_BYTES = 600_000;
/** A rewind or resume writes the history again, so it happens only while that is short. */
const SHORT_HISTORY_BYTES = 60_000;

export interface Session {
  readonly facts: SessionFacts;
  readonly content: Buffer;
  readonly counts: SessionCounts;
  /** Milliseconds since 1970 of the last record. */
  readonly end: number;
}

/** One session of about the given size: whole turns until it is reached. */
export function session(rng: Rng, bytes: number, given: Partial<SessionFacts> = {}): Session {
  const writer = new SessionWriter(rng, { ...defaultFacts(rng), ...given });
  writer.header();
  writer.context();
  if (rng.chance(0.2)) writer.line({ $set: { directories: [writer.facts.cwd, `${writer.facts.cwd}-docs`] } });
  while (writer.bytes < bytes) {
    const asked = exchange(rng, writer, bytes);
    afterwards(rng, writer, asked);
  }
  if (rng.chance(0.3)) writer.line({ $set: { summary: makeText(rng, 60) } });
  return { facts: writer.facts, content: writer.content(), counts: writer.counts(), end: writer.ms };
}

/**
 * What one append to an active session writes: an answer, then the same message again with a call whose
 * result has about `resultChars` characters. `at` keeps the appends of one session apart.
 */
export function turn(rng: Rng, resultChars: number, at: number): Buffer {
  const message = answer(rng, at, makeText(rng, 300));
  const records = [
    message,
    { $set: { lastUpdated: iso(at) } },
    { ...message, toolCalls: [readCall(rng, at, resultChars)] },
    { $set: { lastUpdated: iso(at) } },
  ];
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

function defaultFacts(rng: Rng): SessionFacts {
  const cwd = '/home/alice/code/service';
  return {
    sessionId: rng.uuid(),
    projectHash: hash('sha256', cwd, 'hex'),
    cwd,
    kind: 'main',
    start: Date.UTC(2026, 9, 1, 8),
  };
}

/** A prompt, rounds of tool calls, and a closing answer. */
function exchange(rng: Rng, writer: SessionWriter, bytes: number): UserMessage {
  writer.wait(2_000, 90_000);
  const asked = prompt(rng, writer.ms);
  writer.message(asked);
  writer.touch();
  const rounds = rng.logInt(1, 14);
  for (let round = 1; round < rounds && writer.bytes < bytes; round++) callRound(rng, writer);
  writer.wait(700, 9_000);
  writer.message(answer(rng, writer.ms, makeText(rng, rng.logInt(20, 1_800))));
  writer.touch();
  return asked;
}

/**
 * The message as the model sent it, then again whole with its calls, then the results once more as a user
 * message. Without a new thought further calls gather in the same message, which is written again each time.
 */
function callRound(rng: Rng, writer: SessionWriter): void {
  writer.wait(700, 9_000);
  const text = rng.chance(0.5) ? '' : makeText(rng, rng.logInt(20, 600));
  const message = answer(rng, writer.ms, text);
  writer.message(message);
  writer.touch();
  const calls = [];
  for (let repeats = rng.chance(0.12) ? rng.int(2, 6) : 1; repeats > 0; repeats--) {
    writer.wait(100, 4_000);
    const added = Array.from({ length: rng.chance(0.2) ? rng.int(2, 4) : 1 }, () =>
      toolCall(rng, writer.ms, writer.facts.cwd),
    );
    calls.push(...added);
    writer.message({ ...message, toolCalls: [...calls] });
    writer.message(resultMessage(rng, writer.ms, added));
    writer.touch();
  }
}

/** What can follow an exchange: a notice, a rewind, a resume, a compression. */
function afterwards(rng: Rng, writer: SessionWriter, asked: UserMessage): void {
  if (rng.chance(0.05)) {
    writer.message(notice(rng, writer.ms));
    writer.touch();
  }
  if (writer.facts.kind === 'subagent') return;
  const historyBytes = writer.liveBytes;
  if (historyBytes > MAX_HISTORY_BYTES) compress(rng, writer, asked);
  else if (historyBytes > SHORT_HISTORY_BYTES) return;
  else rewrite(rng, writer, asked);
}

function rewrite(rng: Rng, writer: SessionWriter, asked: UserMessage): void {
  const kind = rng.float();
  if (kind < 0.06) writer.rewind(asked.id);
  else if (kind < 0.12) writer.history(writer.live.map(asResumed));
}

/** The history becomes a summary, the model's set reply to it, and the last exchange under new ids. */
function compress(rng: Rng, writer: SessionWriter, asked: UserMessage): void {
  writer.wait(500, 3_000);
  const history = writer.live;
  const kept = history.slice(history.findIndex(({ id }) => id === asked.id));
  const summary = makeText(rng, 3_000);
  const reply = answer(rng, writer.ms, 'Got it. Thanks for the additional context!');
  writer.history([
    contextMessage(writer.facts.cwd, writer.ms),
    { id: rng.uuid(), timestamp: iso(writer.ms), type: 'user', content: [{ text: summary }] },
    { ...reply, thoughts: [] },
    ...kept.map((message) => ({ ...asResumed(message), id: rng.uuid() })),
  ]);
}
