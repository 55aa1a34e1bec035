import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Step } from './case-form.ts';
import { openRowWriter, type RecordedRow, type RowWriter } from './database-steps.ts';
import { inHome, inputOf, type Place } from './place.ts';

/** A line of a recording: a state that the observed program put on disk, or a label. */
type RecordedLine = Partial<RecordedRow> & {
  readonly mark?: string;
  readonly file?: string;
  readonly text?: string;
  readonly append?: string;
  readonly deleted?: boolean;
};

/** Files that Kiro CLI never writes in place. */
const REPLACED_WHOLE = /(^|\/)sessions\/cli\/[^/]+\.json$/;

/** Plays a recording line by line; returns the paths that it wrote. */
export async function play(step: Extract<Step, { op: 'play' }>, place: Place): Promise<string[]> {
  const lines = inputOf(place, step.from).toString('utf8').split('\n');
  const touched = new Set<string>();
  using stack = new DisposableStack();
  let database: RowWriter | undefined;
  for (const text of lines) {
    if (text === '') continue;
    const line = JSON.parse(text) as RecordedLine;
    if (line.mark !== undefined) continue;
    if (line.table !== undefined) {
      if (step.db === undefined) throw new Error('unsupported: a recording of a database and no db');
      database ??= stack.use(openRowWriter(inHome(place, step.db)));
      database.write(line as RecordedRow);
      touched.add(step.db);
    } else for (const path of writeFile(line, place)) touched.add(path);
    await new Promise((resolve) => setTimeout(resolve, step.pause_ms ?? 0));
  }
  return [...touched];
}

function writeFile({ file, text, append, deleted }: RecordedLine, place: Place): string[] {
  if (file === undefined) throw new Error('unsupported: a recorded line with neither mark, table nor file');
  const full = inHome(place, file);
  mkdirSync(dirname(full), { recursive: true });
  if (deleted === true) rmSync(full, { recursive: true, force: true });
  else if (append !== undefined) appendFileSync(full, append);
  else if (text !== undefined && REPLACED_WHOLE.test(file)) {
    writeFileSync(`${full}.tmp`, text);
    renameSync(`${full}.tmp`, full);
    return [file, `${file}.tmp`];
  } else if (text !== undefined) writeFileSync(full, text);
  else throw new Error('unsupported: a recorded file without text, append or deleted');
  return [file];
}
