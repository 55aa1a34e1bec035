import {
  appendFileSync,
  chmodSync,
  closeSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Step } from './case-form.ts';
import { inHome, inputOf, type Place } from './place.ts';

type StepOf<Op extends Step['op']> = Extract<Step, { op: Op }>;

const FILE_OPS = [
  'append',
  'write',
  'replace',
  'rename',
  'copy',
  'delete',
  'truncate',
  'touch',
  'chmod',
  'generate',
  'generate_many',
] as const;

export type FileStep = StepOf<(typeof FILE_OPS)[number]>;

export function isFileStep(step: Step): step is FileStep {
  return FILE_OPS.some((op) => op === step.op);
}

/** Does what a step says to the files of the home; returns the paths that it wrote. */
export function applyFileStep(step: FileStep, place: Place): string[] {
  switch (step.op) {
    case 'append':
      appendFileSync(ready(place, step.path), inputOf(place, step.from));
      return [step.path];
    case 'write':
      writeFileSync(ready(place, step.path), inputOf(place, step.from));
      return [step.path];
    case 'replace':
      return replace(step, place);
    case 'rename':
      renameSync(inHome(place, step.from_path), ready(place, step.to_path));
      return [step.from_path, step.to_path];
    case 'copy':
      copyFileSync(inHome(place, step.from_path), ready(place, step.to_path));
      return [step.to_path];
    case 'delete':
      rmSync(inHome(place, step.path), { recursive: true });
      return [step.path];
    case 'truncate':
      truncateSync(inHome(place, step.path), step.size);
      return [step.path];
    case 'touch':
      return touch(step, place);
    case 'chmod':
      chmodSync(inHome(place, step.path), Number.parseInt(step.mode, 8));
      return [step.path];
    case 'generate':
      generate(step, place);
      return [step.path];
    case 'generate_many':
      return generateMany(step, place);
  }
}

/** The full path, with the folders that lead to it made. */
function ready(place: Place, path: string): string {
  const full = inHome(place, path);
  mkdirSync(dirname(full), { recursive: true });
  return full;
}

/** A temporary file beside it and a rename, as programs write that must not leave half a file. */
function replace({ path, from, keep_mtime: keepTime }: StepOf<'replace'>, place: Place): string[] {
  const full = ready(place, path);
  const old = lstatSync(full, { throwIfNoEntry: false });
  writeFileSync(`${full}.tmp`, inputOf(place, from));
  if (keepTime && old) utimesSync(`${full}.tmp`, old.atime, old.mtime);
  renameSync(`${full}.tmp`, full);
  return [path, `${path}.tmp`];
}

function touch({ path }: StepOf<'touch'>, place: Place): string[] {
  const full = ready(place, path);
  closeSync(openSync(full, 'a'));
  const now = new Date();
  utimesSync(full, now, now);
  return [path];
}

const MAX_PART_BYTES = 1 << 20;

/** Writes the parts one after the other, long ones in pieces, as a program that streams its output. */
function generate({ path, recipe }: Pick<StepOf<'generate'>, 'path' | 'recipe'>, place: Place): void {
  const file = openSync(ready(place, path), 'w');
  try {
    for (const part of recipe) {
      if ('from' in part) writeSync(file, inputOf(place, part.from));
      else repeat(file, part.repeat, part.times);
    }
  } finally {
    closeSync(file);
  }
}

function repeat(file: number, text: string, times: number): void {
  const atOnce = Math.max(1, Math.floor(MAX_PART_BYTES / Buffer.byteLength(text)));
  for (let left = times; left > 0; left -= atOnce) writeSync(file, text.repeat(Math.min(left, atOnce)));
}

/** The same recipe `count` times; {n} in the path counts from 0. */
function generateMany({ path, count, recipe }: StepOf<'generate_many'>, place: Place): string[] {
  const paths = Array.from({ length: count }, (_, number) => path.replaceAll('{n}', String(number)));
  for (const each of paths) generate({ path: each, recipe }, place);
  return paths;
}

const REUSE_TRIES = 20;
const REUSE_PAUSE_MS = 50;

/**
 * Writes a new file until it has the inode of one that was deleted. What got another inode moves out of the
 * home and keeps it, so that the next try gets the next free one. False when it never came back: then the
 * file is there all the same, and the case tests less than it could.
 */
export async function writeOnInode(
  { path, from }: StepOf<'write'>,
  place: Place,
  inode: bigint | undefined,
): Promise<boolean> {
  const full = ready(place, path);
  const spare: string[] = [];
  try {
    for (let number = 0; number < REUSE_TRIES; number++) {
      closeSync(openSync(full, 'wx'));
      if (lstatSync(full, { bigint: true }).ino === inode) break;
      const aside = join(place.aside, `spare-${number}`);
      renameSync(full, aside);
      spare.push(aside);
      await new Promise((resolve) => setTimeout(resolve, REUSE_PAUSE_MS));
    }
    writeFileSync(full, inputOf(place, from));
    return lstatSync(full, { bigint: true }).ino === inode;
  } finally {
    for (const aside of spare) rmSync(aside);
  }
}
