import { answer, asked, CONTEXT_TEXT, call, gemini, header, type Json, messages, user } from './support.ts';

/** A turn as the program holds it in memory. */
interface Turn {
  id: string;
  readonly kind: 'prompt' | 'answer' | 'results' | 'machine';
  readonly text: string;
  readonly callId?: string;
}

/** What happened, in order; each of it must come out as one row. */
export interface Truth {
  readonly user: string[];
  readonly assistant: string[];
  readonly tool_use: string[];
  readonly tool_result: string[];
}

/**
 * Writes session records the way the program does (docs/formats/gemini-cli.md), and notes what really
 * happened. Ids are new at every rewrite that the program makes with new ids.
 */
export class Recorder {
  readonly records: Json[] = [header(), messages(user('ctx', CONTEXT_TEXT))];
  readonly truth: Truth = { user: [], assistant: [], tool_use: [], tool_result: [] };
  #turns: Turn[] = [];
  #next = 1;
  #seconds = 0;

  prompt(text: string): void {
    const id = this.#id();
    this.records.push(this.#timed(user(id, text)));
    this.truth.user.push(text);
    this.#turns.push({ id, kind: 'prompt', text });
  }

  answer(text: string): void {
    if (this.#turns.length === 0) return;
    const id = this.#id();
    this.records.push(this.#timed(gemini(id, text)));
    this.truth.assistant.push(text);
    this.#turns.push({ id, kind: 'answer', text });
  }

  /** An answer, possibly empty, that calls a tool; the message comes again with the result. */
  tool(text: string): void {
    if (this.#turns.length === 0) return;
    const id = this.#id();
    const callId = `shell__shell_1796068095295_${this.#next}`;
    this.records.push(this.#timed(gemini(id, text)));
    this.records.push(this.#timed(gemini(id, text, { toolCalls: [call(callId, 'shell')] })));
    if (text !== '') this.truth.assistant.push(text);
    this.truth.tool_use.push(callId);
    this.truth.tool_result.push(callId);
    this.#turns.push({ id, kind: 'answer', text, callId });
    const results = this.#id();
    this.records.push(this.#timed(user(results, [answer(callId, 'shell', { output: 'done' })])));
    this.#turns.push({ id: results, kind: 'results', text: '', callId });
  }

  /** The request fails, and the prompt leaves the history. */
  fail(text: string): void {
    this.prompt(text);
    this.#turns.pop();
    this.records.push(messages(...this.#history()));
  }

  /** The user refuses a call: everything before is recorded again under new ids. */
  refuse(text: string): void {
    const kept = [...this.#turns];
    this.prompt(text);
    const id = this.#id();
    const callId = `shell__shell_1796068095295_${this.#next}`;
    const error = '[Operation Cancelled] Reason: User denied execution.';
    const refused = call(callId, 'shell', {
      status: 'cancelled',
      result: [answer(callId, 'shell', { error })],
    });
    this.records.push(this.#timed(gemini(id, 'Starting.', { toolCalls: [refused] })));
    this.truth.assistant.push('Starting.');
    this.truth.tool_use.push(callId);
    this.truth.tool_result.push(callId);
    this.#turns = kept.map((turn) => ({ ...turn, id: this.#id() }));
    const [first, ...rest] = this.#copies();
    if (!first) return;
    const opening = { ...first, content: [{ text: CONTEXT_TEXT }, ...(first['content'] as Json[])] };
    this.records.push(opening, ...rest, messages(opening, ...rest));
  }

  /** The session is loaded again: the history is emptied, then written in the form of the model's interface. */
  resume(): void {
    this.records.push(header({ startTime: this.#time() }), messages(user('ctx', CONTEXT_TEXT)));
    this.records.push(messages(...this.#history()));
  }

  /** The history is replaced by a summary and its last turns under new ids. */
  compress(summary: string): void {
    const prompts = this.#turns.flatMap(({ kind }, index) => (kind === 'prompt' ? [index] : []));
    const from = prompts.at(-1);
    if (from === undefined || from === 0) return;
    const kept = this.#turns.slice(from).map((turn) => ({ ...turn, id: this.#id() }));
    const made: Turn[] = [
      { id: this.#id(), kind: 'prompt', text: summary },
      { id: this.#id(), kind: 'machine', text: 'Got it. Thanks for the additional context!' },
    ];
    this.#turns = [...made, ...kept];
    this.records.push(messages(...this.#history()));
  }

  /** The user goes back to the prompt that many prompts ago. */
  rewind(back: number): void {
    const prompts = this.#turns.flatMap(({ kind }, index) => (kind === 'prompt' ? [index] : []));
    const from = prompts.at(-back);
    const turn = from === undefined ? undefined : this.#turns[from];
    if (from === undefined || !turn) return;
    this.records.push({ $rewindTo: turn.id });
    this.#turns = this.#turns.slice(0, from);
    this.records.push(messages(...this.#copies()));
  }

  #history(): Json[] {
    return [user('ctx', CONTEXT_TEXT), ...this.#copies()];
  }

  /** The history as the program rewrites it: parts instead of text, calls in the content, no model. */
  #copies(): Json[] {
    const timestamp = this.#time();
    return this.#turns.map(({ id, kind, text, callId }) => {
      if (kind === 'prompt') return user(id, text, { timestamp });
      if (kind === 'results')
        return user(id, [answer(callId ?? '', 'shell', { output: 'done' })], { timestamp });
      const parts = [
        ...(text === '' ? [] : [{ text: `${text}\n` }]),
        ...(callId ? [asked(callId, 'shell')] : []),
      ];
      return gemini(id, parts, { timestamp, model: undefined, tokens: null, thoughts: [] });
    });
  }

  #id(): string {
    return `id-${this.#next++}`;
  }

  #time(): string {
    return new Date(Date.UTC(2026, 9, 1, 9) + this.#seconds * 1000).toISOString();
  }

  #timed(record: Json): Json {
    this.#seconds += 10;
    return { ...record, timestamp: this.#time() };
  }
}
