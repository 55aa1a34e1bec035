/** Sessions of forty days ago: recorded by the program in a home beside, aged, then put into place as a whole. */
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StepContext } from './context.ts';
import { seedHome } from './environment.ts';
import { YOLO } from './step.ts';

const AGE_MS = 40 * 86_400_000;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const NAME_MINUTE = /session-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-/g;
const CALL_MS = /(?<=_)\d{13}(?=_\d)/g;

/** The observed home sees them appear old, as from a backup; it never holds a younger twin. */
export async function putExpiredSessions(context: StepContext): Promise<void> {
  const beside = mkdtempSync(join(tmpdir(), 'holdfast-aged-'));
  try {
    seedHome(beside);
    await context.run('agent', 'an old errand', { ...YOLO, home: beside });
    await context.run('bigout', 'an old flood', { ...YOLO, home: beside });
    const tmp = join(beside, '.gemini', 'tmp');
    const target = join(context.home, '.gemini', 'tmp', context.slug());
    const [slug = ''] = readdirSync(tmp);
    for (const part of ['chats', 'tool-outputs']) {
      age(join(tmp, slug, part));
      cpSync(join(tmp, slug, part), join(target, part), { recursive: true, preserveTimestamps: true });
    }
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

/** Moves every instant inside and in the name, and the file itself, into the past. */
function age(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) {
      age(path);
      continue;
    }
    const text = aged(readFileSync(path, 'utf8'));
    rmSync(path);
    const target = join(folder, aged(name));
    writeFileSync(target, text);
    const past = (Date.now() - AGE_MS) / 1000;
    utimesSync(target, past, past);
  }
}

/** The three ways in which the program writes a time: in records, in file names, in the ids of tool calls. */
function aged(text: string): string {
  return text
    .replace(INSTANT, earlier)
    .replace(NAME_MINUTE, (_all, day, hour, minute) =>
      minuteName(earlier(`${day}T${hour}:${minute}:00.000Z`)),
    )
    .replace(CALL_MS, (ms) => String(Number(ms) - AGE_MS));
}

function minuteName(instant: string): string {
  return `session-${instant.slice(0, 16).replace(':', '-')}-`;
}

function earlier(instant: string): string {
  return new Date(Date.parse(instant) - AGE_MS).toISOString();
}
