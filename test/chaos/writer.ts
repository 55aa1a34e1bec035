import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes Gemini CLI sessions the way that program does (one append a record) and keeps the truth: every
 * prompt and answer it wrote, each text once.
 */
export class SessionWriter {
  readonly truth: string[] = [];
  readonly #chats: string;
  #files: { path: string; next: number }[] = [];
  #sessions = 0;
  #serial = 0;

  constructor(home: string, project = 'proj') {
    const dir = join(home, '.gemini/tmp', project);
    this.#chats = join(dir, 'chats');
    mkdirSync(this.#chats, { recursive: true });
    writeFileSync(join(dir, '.project_root'), `/home/alice/${project}`);
  }

  /** Begins a session and returns its file. */
  begin(): string {
    const n = (++this.#sessions).toString(16).padStart(4, '0');
    const session = `c0de${n}-1111-4000-8000-000000000001`;
    const path = join(this.#chats, `session-2026-10-01T09-00-c0de${n}.jsonl`);
    const startTime = '2026-10-01T09:00:00.000Z';
    writeFileSync(
      path,
      line({ sessionId: session, projectHash: 'ff', startTime, lastUpdated: startTime, kind: 'main' }),
    );
    this.#files.push({ path, next: 0 });
    return path;
  }

  /** One prompt and its answer in the newest session or an older one. */
  turn(which = this.#files.length - 1): void {
    const file = this.#files[which];
    if (!file) throw new Error('no session was begun');
    const n = ++this.#serial;
    const [prompt, answer] = [`prompt ${n}`, `answer ${n}`];
    appendFileSync(file.path, line(message('user', n * 2, [{ text: prompt }])));
    appendFileSync(file.path, line({ ...message('gemini', n * 2 + 1, answer), model: 'gemini-2.5-pro' }));
    this.truth.push(prompt, answer);
  }

  /** A whole session of one prompt in a file of its own, in one write. */
  single(): string {
    const n = ++this.#serial;
    const id = n.toString(16).padStart(8, '0');
    const path = join(this.#chats, `session-2026-10-01T10-00-${id}.jsonl`);
    const startTime = '2026-10-01T10:00:00.000Z';
    const text = `single ${n}`;
    writeFileSync(
      path,
      line({
        sessionId: `${id}-2222-4000-8000-000000000001`,
        projectHash: 'ff',
        startTime,
        lastUpdated: startTime,
        kind: 'main',
      }) + line(message('user', n * 2, [{ text }])),
    );
    this.truth.push(text);
    return path;
  }

  get sessions(): number {
    return this.#files.length;
  }
}

function message(type: string, n: number, content: unknown) {
  const id = `abc00000-2222-4000-8000-${n.toString(16).padStart(12, '0')}`;
  return { id, timestamp: new Date(Date.UTC(2026, 9, 1, 9, 0, 0, n)).toISOString(), type, content };
}

function line(record: unknown): string {
  return `${JSON.stringify(record)}\n`;
}
