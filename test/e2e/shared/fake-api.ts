/** A scripted stand-in for the Gemini API, on loopback only. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiRecord, createApiRecord, type ReplyFate } from './record.ts';
import type { Scenes, Turn } from './scene.ts';
import { type Place, placeOf } from './tag.ts';
import { answerPiece, errorBody, eventOf, type GenerateRequest, leastOf, type Part } from './wire.ts';

const HOLD_LIMIT_MS = 30_000;
const GAP_MS = 5;

export interface FakeApi {
  readonly url: string;
  readonly record: ApiRecord;
  /** Lets a held turn of this prompt be answered. */
  release(mark: string): void;
  close(): Promise<void>;
}

export async function startFakeApi({ scenes, promptTokens = 900 }: Script): Promise<FakeApi> {
  const record = createApiRecord();
  const holds = new Map<string, PromiseWithResolvers<void>>();
  const holdOf = (mark: string) => {
    const hold = holds.get(mark) ?? Promise.withResolvers<void>();
    holds.set(mark, hold);
    return hold;
  };
  const released = (mark: string) =>
    Promise.race([holdOf(mark).promise, sleep(HOLD_LIMIT_MS, undefined, { ref: false })]);
  const server = createServer((request, response) => {
    answer({ scenes, promptTokens, record, released, request, response }).catch((error: unknown) =>
      response.destroy(error as Error),
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    record,
    release: (mark) => holdOf(mark).resolve(),
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** What is said, and how many tokens every question is said to have had. */
interface Script {
  readonly scenes: Scenes;
  readonly promptTokens?: number;
}

interface Visit extends Required<Script> {
  readonly record: ApiRecord;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  released(mark: string): Promise<void>;
}

interface Question {
  readonly model: string;
  readonly body: GenerateRequest;
  readonly place: Place | undefined;
}

async function answer(visit: Visit): Promise<void> {
  const [, model = '', verb = ''] = /\/models\/([^/:?]+):(\w+)/.exec(visit.request.url ?? '') ?? [];
  const body = await bodyOf(visit.request);
  const contents = body.contents ?? [];
  const question = { model, body, place: placeOf(contents) };
  visit.record.addContents(contents);
  if (verb === 'streamGenerateContent') return answerTurn(visit, question);
  if (verb === 'generateContent') return answerAside(visit, question);
  if (verb === 'countTokens') return sendJson(visit.response, 200, { totalTokens: 900 });
  sendJson(visit.response, 404, errorBody(404, 'NOT_FOUND', `nothing is scripted for ${verb}`));
}

async function bodyOf(request: IncomingMessage): Promise<GenerateRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as GenerateRequest);
}

/** A question outside any scene still gets an answer: the program must never hang on one. */
async function answerTurn(visit: Visit, { model, place }: Question): Promise<void> {
  const script = place && visit.scenes[place.scene]?.(place.mark);
  if (!place || !script)
    return sendPieces(visit.response, [answerPiece([{ text: 'Nothing scripted.' }], model, stop(visit))]);
  const sent = script[Math.min(place.turn, script.length - 1)] ?? {};
  if (sent.held) await visit.released(place.mark);
  const fate = await play(visit, sent, model);
  visit.record.addExchange({ ...place, model, sent, fate });
}

async function play({ response, promptTokens }: Visit, turn: Turn, model: string): Promise<ReplyFate> {
  if (response.closed) return 'abandoned';
  if (turn.failure) {
    const { code, status, message } = turn.failure;
    sendJson(response, code, errorBody(code, status, message));
    return 'failed';
  }
  await sendPieces(response, piecesOf(turn, { model, promptTokens }));
  if (!response.writableFinished) return 'abandoned';
  return turn.finish === null ? 'cut' : 'answered';
}

function piecesOf(turn: Turn, { model, promptTokens }: { model: string; promptTokens: number }): object[] {
  const { thoughts = [], text, calls = [], finish = 'STOP' } = turn;
  const parts: Part[][] = thoughts.map(([subject, words]) => [
    { text: `**${subject}** ${words}`, thought: true },
  ]);
  if (text !== undefined) parts.push(...halves(text).map((half) => [{ text: half }]));
  if (calls.length > 0) parts.push(calls.map((functionCall) => ({ functionCall })));
  const pieces = parts.map((some) => answerPiece(some, model));
  return finish === null ? pieces : [...pieces, answerPiece([{ text: '' }], model, { finish, promptTokens })];
}

/** As a real answer comes: in more than one piece, never inside a surrogate pair. */
function halves(text: string): string[] {
  const symbols = [...text];
  const middle = Math.ceil(symbols.length / 2);
  return [symbols.slice(0, middle).join(''), symbols.slice(middle).join('')].filter((half) => half !== '');
}

async function sendPieces(response: ServerResponse, pieces: readonly object[]): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const piece of pieces) {
    response.write(eventOf(piece));
    await sleep(GAP_MS);
  }
  await new Promise<void>((done) => response.end(done));
}

function stop({ promptTokens }: Visit): { finish: string; promptTokens: number } {
  return { finish: 'STOP', promptTokens };
}

function answerAside(visit: Visit, { model, body, place }: Question): void {
  const schema = body.generationConfig?.responseJsonSchema ?? body.generationConfig?.responseSchema;
  const text =
    schema === undefined
      ? `Scripted side answer about ${place?.mark ?? 'nothing'}`
      : JSON.stringify(leastOf(schema));
  if (schema === undefined) visit.record.addSideAnswer({ mark: place?.mark, model, text });
  sendJson(visit.response, 200, answerPiece([{ text }], model, stop(visit)));
}

function sendJson(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
