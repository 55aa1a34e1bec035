import type { SessionCounts } from '../manifest.ts';
import type { Rng } from '../rng.ts';
import { CONTEXT_ID, contextMessage, iso, type Message } from './messages.ts';

export interface SessionFacts {
  readonly sessionId: string;
  readonly projectHash: string;
  readonly cwd: string;
  readonly kind: 'main' | 'subagent';
  /** Milliseconds since 1970. */
  readonly start: number;
}

/**
 * Writes the lines of one session the way Gemini CLI appends them, and counts what was said. `live` is what
 * the program itself would load; nothing that was said is ever taken back from the counts.
 */
export class SessionWriter {
  readonly facts: SessionFacts;
  /** Time of the newest record. */
  ms: number;
  bytes = 0;
  readonly #rng: Rng;
  readonly #lines: Buffer[] = [];
  readonly #live = new Map<string, { message: Message; bytes: number }>();
  readonly #said = { prompts: 0, answers: 0, thoughts: 0, calls: 0, results: 0 };
  readonly #known = new Set<string>();

  constructor(rng: Rng, facts: SessionFacts) {
    this.#rng = rng;
    this.facts = facts;
    this.ms = facts.start;
  }

  /** Bytes of the messages that a `$set.messages` would write again. */
  get liveBytes(): number {
    let bytes = 0;
    for (const entry of this.#live.values()) bytes += entry.bytes;
    return bytes;
  }

  get live(): Message[] {
    return [...this.#live.values()].map(({ message }) => message);
  }

  wait(low: number, high: number): void {
    this.ms += this.#rng.int(low, high);
  }

  header(): void {
    const { sessionId, projectHash, kind, start } = this.facts;
    this.line({ sessionId, projectHash, startTime: iso(start), lastUpdated: iso(start), kind });
  }

  /** Begins the history; subagents have no context message. */
  context(): void {
    if (this.facts.kind === 'main') this.history([contextMessage(this.facts.cwd, this.ms)]);
  }

  /** A message as a line of its own: new, or a known one written again whole. */
  message(message: Message): void {
    this.#count(message);
    const bytes = this.line(message);
    this.#live.set(message.id, { message, bytes });
  }

  touch(): void {
    this.line({ $set: { lastUpdated: iso(this.ms) } });
  }

  /** Replaces the whole history. The messages must be known ones or machine-made. */
  history(messages: readonly Message[]): void {
    this.#live.clear();
    const bytes = this.line({ $set: { messages, lastUpdated: iso(this.ms) } });
    for (const message of messages) this.#live.set(message.id, { message, bytes: bytes / messages.length });
  }

  /** Drops a message and everything after it, and writes what remains, as the program does. */
  rewind(id: string): void {
    this.line({ $rewindTo: id });
    const ids = [...this.#live.keys()];
    for (const dropped of ids.slice(ids.indexOf(id))) this.#live.delete(dropped);
    this.history(this.live.filter(({ id: kept }) => kept !== CONTEXT_ID));
  }

  line(record: unknown): number {
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    this.#lines.push(line);
    this.bytes += line.length;
    return line.length;
  }

  counts(): SessionCounts {
    return { lines: this.#lines.length, ...this.#said, live: this.#live.size };
  }

  content(): Buffer {
    return Buffer.concat(this.#lines);
  }

  #count(message: Message): void {
    const said = this.#said;
    const isNew = this.#isNews(message.id);
    if (message.type === 'user' && isNew && hasText(message.content)) said.prompts++;
    if (message.type !== 'gemini') return;
    if (isNew && message.content !== '') said.answers++;
    if (isNew) said.thoughts += message.thoughts.length;
    for (const { id } of message.toolCalls ?? []) {
      if (!this.#isNews(`call ${id}`)) continue;
      said.calls++;
      said.results++;
    }
  }

  #isNews(key: string): boolean {
    const isNew = !this.#known.has(key);
    this.#known.add(key);
    return isNew;
  }
}

function hasText(parts: readonly unknown[]): boolean {
  return parts.some((part) => typeof part === 'object' && part !== null && 'text' in part);
}
