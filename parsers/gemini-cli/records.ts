/**
 * Shapes of the records in a session file, as far as rows need them. Every field is unknown: a session
 * file can be edited by anyone, so each one is checked where it is used. See docs/formats/gemini-cli.md.
 */

/** One line of a session file, or the whole of a legacy session file. */
export interface RawRecord extends RawMessage {
  readonly $rewindTo?: unknown;
  readonly $patch?: unknown;
  readonly $set?: unknown;
}

/** What a header line, a `$set` and a legacy session file say about the session itself. */
export interface RawFacts {
  readonly sessionId?: unknown;
  readonly projectHash?: unknown;
  readonly startTime?: unknown;
  readonly lastUpdated?: unknown;
  readonly kind?: unknown;
  readonly directories?: unknown;
  readonly summary?: unknown;
  readonly memoryScratchpad?: unknown;
  readonly messages?: unknown;
}

export interface RawMessage {
  readonly id?: unknown;
  readonly type?: unknown;
  readonly timestamp?: unknown;
  readonly content?: unknown;
  readonly displayContent?: unknown;
  readonly thoughts?: unknown;
  readonly tokens?: unknown;
  readonly model?: unknown;
  readonly toolCalls?: unknown;
}

export interface RawCall {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly displayName?: unknown;
  readonly args?: unknown;
  readonly result?: unknown;
  readonly status?: unknown;
  readonly timestamp?: unknown;
  readonly agentId?: unknown;
}

export interface RawPart {
  readonly text?: unknown;
  readonly thought?: unknown;
  readonly functionCall?: unknown;
  readonly functionResponse?: unknown;
  readonly inlineData?: unknown;
  readonly fileData?: unknown;
}

/** The value as an object of a known shape; undefined for arrays, null and everything else. */
export function asObject<Shape extends object>(value: unknown): Shape | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Shape;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Text that says something; undefined for the empty string and for what is no string. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An id as text; a number is taken too, since nothing else in the record could replace it. */
export function asId(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : asText(value);
}

export function isMessage(record: RawMessage): boolean {
  return asId(record.id) !== undefined && typeof record.type === 'string';
}
