import type { Content } from './wire.ts';

/** What a prompt carries so that the stand-in knows what to play and every text of a step can be found. */
export interface Tag {
  readonly scene: string;
  /** Unique in a run: occurs in the prompt, in every answer and thought and in most tool results. */
  readonly mark: string;
}

const TAG = /\[scene:([a-z0-9-]+) (mk-[a-z0-9-]+)\]/;

export function tagged(tag: Tag, words: string): string {
  return `[scene:${tag.scene} ${tag.mark}] ${words}`;
}

export interface Place extends Tag {
  /** Which model turn after the prompt: 0 is the first answer. */
  readonly turn: number;
  /** The prompt's text as the program sent it. */
  readonly prompt: string;
}

/** The last tagged prompt of a conversation and how many model turns came after it. */
export function placeOf(contents: readonly Content[]): Place | undefined {
  let place: Place | undefined;
  for (const content of contents) {
    if (content.role === 'model' && place) place = { ...place, turn: place.turn + 1 };
    else place = promptOf(content) ?? place;
  }
  return place;
}

export function promptOf(content: Content): Place | undefined {
  if (content.role !== 'user') return undefined;
  for (const { text, thought } of content.parts ?? []) {
    const hit = text === undefined || thought ? null : TAG.exec(text);
    if (hit?.[1] && hit[2]) return { scene: hit[1], mark: hit[2], turn: 0, prompt: text ?? '' };
  }
  return undefined;
}
