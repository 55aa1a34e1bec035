import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { answerForm, caseForm, type ListedRow, type ScriptedAnswer } from './case-form.ts';
import { listedRows, wantsSameIds } from './listed-rows.ts';
import { type Must, mustsIn } from './musts.ts';

/** One case folder, read and checked. */
export interface Case extends Omit<z.output<typeof caseForm>, 'platform'> {
  readonly name: string;
  readonly dir: string;
  readonly platforms: readonly string[];
  readonly listed: readonly ListedRow[];
  readonly musts: readonly Must[];
  /** True when the case promises the same row ids warm and cold. */
  readonly sameIds: boolean;
  /** What a scripted collector answers first; empty: the real collector takes everything. */
  readonly answers: readonly ScriptedAnswer[];
}

/** The case cannot be run as it is. */
export class CaseError extends Error {}

/** Every folder below that holds a case.json, in the order of names; `dir` itself may be one. */
export function findCases(dir: string): string[] {
  if (existsSync(join(dir, 'case.json'))) return [dir];
  return readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => findCases(join(dir, entry.name)))
    .sort();
}

/** Throws CaseError when the folder asks for something that the runner cannot do. */
export function loadCase(dir: string): Case {
  const { platform = [], ...form } = parse(caseForm, readJson(join(dir, 'case.json')), 'case.json');
  const notes = readFileSync(join(dir, 'expect.md'), 'utf8');
  const listed = listedRows(notes);
  for (const file of Object.values(form.databases))
    if (!existsSync(join(dir, file))) throw new CaseError(`${file} is listed and missing`);
  if (!existsSync(join(dir, 'home')) && form.steps.length === 0) {
    throw new CaseError('unsupported: the case has neither a home nor steps, so there is nothing to run');
  }
  if (listed === undefined) throw new CaseError('unsupported: expect.md has no block of rows');
  for (const file of form.home_files) {
    if (!(file in form.databases) && !existsSync(join(dir, 'home', file)))
      throw new CaseError(`home/${file} is listed and missing`);
  }
  return {
    ...form,
    name: basename(dir),
    dir,
    platforms: [platform].flat(),
    listed,
    musts: mustsIn(notes),
    sameIds: form.cold !== undefined || wantsSameIds(notes),
    answers: readAnswers(join(dir, 'collector')),
  };
}

/** 1.json, 2.json and so on. */
function readAnswers(dir: string): ScriptedAnswer[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .filter((name) => /^\d+\.json$/.test(name))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .map((name) => parse(answerForm, readJson(join(dir, name)), `collector/${name}`));
}

function parse<T extends z.ZodType>(form: T, value: unknown, name: string): z.output<T> {
  const result = form.safeParse(value);
  if (result.success) return result.data;
  throw new CaseError(`unsupported: ${name}: ${z.prettifyError(result.error).replaceAll('\n', ' ')}`);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CaseError(
      `${basename(file)} cannot be read: ${error instanceof Error ? error.message : error}`,
    );
  }
}
