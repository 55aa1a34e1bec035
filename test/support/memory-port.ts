import type { CommitPort } from '../../agent/capture/outlet.ts';
import type { Commit, Cursor } from '../../agent/contract/commit.ts';
import type { Row } from '../../agent/contract/row.ts';

/** A keeper in memory: takes every commit, drops rows it knows by their ids, keeps the newest cursors. */
export class MemoryPort implements CommitPort {
  readonly rows: Row[] = [];
  readonly cursors = new Map<string, Cursor>();
  /** What is kept of records of databases, by file and name. */
  readonly records = new Map<string, Map<string, string>>();
  readonly commits: Commit[] = [];
  duplicates = 0;
  readonly #seen = new Set<string>();

  commit(commit: Commit): void {
    this.commits.push(commit);
    for (const line of commit.rows.lines.toString('utf8').split('\n').slice(0, -1))
      this.#take(JSON.parse(line) as Row);
    this.#keep(commit);
    if (commit.file === null || commit.cursor === undefined) return;
    if (commit.cursor === null) this.cursors.delete(commit.file);
    else this.cursors.set(commit.file, commit.cursor);
  }

  room(): Promise<void> {
    return Promise.resolve();
  }

  settled(): Promise<void> {
    return Promise.resolve();
  }

  /** Texts of conversation rows, in the order in which they came. */
  texts(): string[] {
    return this.rows.filter((row) => row.turn_type !== 'system').map((row) => row.text);
  }

  events(): string[] {
    return this.rows.flatMap((row) => row.event ?? []);
  }

  #keep({ file, cursor, records = [] }: Commit): void {
    if (file === null) return;
    if (cursor === null) this.records.delete(file);
    const kept = this.records.get(file) ?? new Map<string, string>();
    for (const [name, note] of records) {
      if (note === null) kept.delete(name);
      else kept.set(name, note);
    }
    if (kept.size > 0) this.records.set(file, kept);
  }

  #take(row: Row): void {
    if (this.#seen.has(row.row_id)) this.duplicates++;
    else this.rows.push(row);
    this.#seen.add(row.row_id);
  }
}
