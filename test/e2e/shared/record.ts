/** What really crossed the wire: the source of every expectation about a step. */
import type { Turn } from './scene.ts';
import { type Place, promptOf } from './tag.ts';
import type { Content, FunctionResponse } from './wire.ts';

/** answered: to the end; failed: an error status; cut: closed before a finish reason; abandoned: the program left. */
export type ReplyFate = 'answered' | 'failed' | 'cut' | 'abandoned';

export interface Exchange extends Place {
  readonly model: string;
  readonly sent: Turn;
  readonly fate: ReplyFate;
}

/** A question the program asks on its own behalf: a summary, a compression, a choice of model. */
export interface SideAnswer {
  readonly mark: string | undefined;
  readonly model: string;
  readonly text: string;
}

export interface ApiRecord {
  addExchange(exchange: Exchange): void;
  addSideAnswer(answer: SideAnswer): void;
  /** Notes the results of calls that a conversation brings back. */
  addContents(contents: readonly Content[]): void;
  exchangesOf(mark: string): readonly Exchange[];
  sideAnswersOf(mark: string): readonly SideAnswer[];
  /** What came back for the n-th call of a turn, or undefined when nothing ever did. */
  responseTo(exchange: Exchange, index: number): FunctionResponse | undefined;
}

export function createApiRecord(): ApiRecord {
  const exchanges: Exchange[] = [];
  const sideAnswers: SideAnswer[] = [];
  const responses = new Map<string, FunctionResponse>();
  return {
    addExchange: (exchange) => void exchanges.push(exchange),
    addSideAnswer: (answer) => void sideAnswers.push(answer),
    addContents(contents) {
      for (const [key, response] of responsesIn(contents))
        if (!responses.has(key)) responses.set(key, response);
    },
    exchangesOf: (mark) => exchanges.filter((exchange) => exchange.mark === mark),
    sideAnswersOf: (mark) => sideAnswers.filter((answer) => answer.mark === mark),
    responseTo: (exchange, index) => responses.get(keyOf(exchange, index)),
  };
}

/**
 * Results follow the calls of the model turn before them, in order. The first sight counts: the program
 * shortens old results in later requests.
 */
function* responsesIn(contents: readonly Content[]): Generator<readonly [string, FunctionResponse]> {
  let place: Place | undefined;
  let index = 0;
  for (const content of contents) {
    if (content.role === 'model') {
      index = 0;
      if (place) place = { ...place, turn: place.turn + 1 };
      continue;
    }
    for (const { functionResponse } of content.parts ?? [])
      if (functionResponse && place)
        yield [keyOf({ ...place, turn: place.turn - 1 }, index++), functionResponse];
    place = promptOf(content) ?? place;
  }
}

function keyOf({ mark, scene, turn }: Place, index: number): string {
  return `${mark} ${scene} ${turn} ${index}`;
}
