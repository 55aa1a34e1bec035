import type { Content } from './content.ts';
import { asList, asObject, asText, type RawMessage } from './records.ts';

/** What the model thought before it answered. */
export interface Thought {
  readonly text: string;
  readonly timestamp: unknown;
}

interface RawThought {
  readonly subject?: unknown;
  readonly description?: unknown;
  readonly timestamp?: unknown;
}

/** From `thoughts`, or from the parts that a rewritten message holds in their place. */
export function readThoughts(raw: RawMessage, content: Content): readonly Thought[] {
  const thoughts: Thought[] = [];
  for (const value of asList(raw.thoughts)) {
    const thought = asObject<RawThought>(value);
    const text = textOf(asText(thought?.subject), asText(thought?.description));
    if (text !== undefined) thoughts.push({ text, timestamp: thought?.timestamp });
  }
  if (thoughts.length > 0) return thoughts;
  for (const text of content.thoughts) {
    if (text !== '') thoughts.push({ text: textOfPart(text), timestamp: undefined });
  }
  return thoughts;
}

function textOf(subject: string | undefined, description: string | undefined): string | undefined {
  if (subject === undefined || description === undefined) return subject ?? description;
  return `${subject}\n${description}`;
}

/** A rewritten thought is `**subject** description`. */
function textOfPart(text: string): string {
  const match = /^\*\*([^*\n]+)\*\* ([\s\S]*)$/.exec(text);
  return match ? `${match[1]}\n${match[2]}` : text;
}
