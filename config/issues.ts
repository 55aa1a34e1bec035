import { z } from 'zod';
import type { ConfigIssue } from '../agent/contract/errors.ts';
import { expectation } from './expectation.ts';
import { ENVIRONMENT, formatPath, issueAt, START } from './layer.ts';
import type { Merged } from './merge.ts';
import { unknownKeyMessage } from './suggest.ts';
import { type Path, schemaAt, unwrap, valueAt } from './walk.ts';

type ZodIssue = z.core.$ZodIssue;

interface Problem {
  readonly path: Path;
  readonly message: string;
}

/** What zod found, said in our words and at the place that caused it. Values are never quoted. */
export function locateIssues(root: z.ZodType, found: readonly ZodIssue[], merged: Merged): ConfigIssue[] {
  return found
    .flatMap((issue) => problemsOf(root, issue, merged.value))
    .map(({ path, message }) => {
      const layer = merged.originOf(path);
      if (layer) return issueAt(layer, path, message);
      return { file: ENVIRONMENT, ...START, path: formatPath(path), message };
    });
}

function problemsOf(root: z.ZodType, issue: ZodIssue, value: unknown): Problem[] {
  if (issue.code === 'unrecognized_keys') return unknownKeys(root, issue, value);
  if (issue.code === 'invalid_union') return unionProblems(root, issue, value);
  return [{ path: causeOf(issue, value), message: messageFor(root, issue, value) }];
}

function messageFor(root: z.ZodType, issue: ZodIssue, value: unknown): string {
  const path = issue.path as Path;
  if (issue.code === 'custom') return issue.message;
  if (issue.code === 'invalid_key') {
    return `this name is not allowed; it must be ${keyExpectation(root, path, value)}`;
  }
  if (issue.code === 'too_big' && issue.origin === 'array') return `holds more than ${issue.maximum} items`;
  return mismatch(root, path, value);
}

/** When two keys do not fit each other, the one that someone wrote is to blame, not the default. */
function causeOf(issue: ZodIssue, value: unknown): Path {
  const path = issue.path as Path;
  const other: unknown = issue.code === 'custom' ? issue.params?.['other'] : undefined;
  if (typeof other !== 'string' || valueAt(value, path) !== undefined) return path;
  return [...path.slice(0, -1), other];
}

function unknownKeys(
  root: z.ZodType,
  issue: ZodIssue & { code: 'unrecognized_keys' },
  value: unknown,
): Problem[] {
  const parent = issue.path as Path;
  return issue.keys.map((name) => ({
    path: [...parent, name],
    message: unknownKeyMessage(root, value, { parent, name }),
  }));
}

/** Of "auto, or a list", the list is meant when a list was given: then its items are what is wrong. */
function unionProblems(
  root: z.ZodType,
  issue: ZodIssue & { code: 'invalid_union' },
  value: unknown,
): Problem[] {
  const path = issue.path as Path;
  const inner = issue.errors.find(
    (branch) => branch.length > 0 && branch.every((entry) => entry.path.length > 0),
  );
  if (!inner) return [{ path, message: mismatch(root, path, value) }];
  return inner.flatMap((entry) =>
    problemsOf(root, { ...entry, path: [...issue.path, ...entry.path] }, value),
  );
}

function mismatch(root: z.ZodType, path: Path, value: unknown): string {
  const expected = expectedAt(root, path, value);
  const given = valueAt(value, path);
  if (given === undefined) return `is missing; it must be ${expected}`;
  const quotes = expected.startsWith('text') && ['number', 'boolean'].includes(typeof given);
  return `must be ${expected}${notKind(expected, given)}${quotes ? ' (put it in quotes)' : ''}`;
}

function expectedAt(root: z.ZodType, path: Path, value: unknown): string {
  const schema = schemaAt(root, path, value);
  if (schema) return expectation(schema);
  const parent = schemaAt(root, path.slice(0, -1), value);
  const union = parent && unwrap(parent);
  if (!(union instanceof z.ZodDiscriminatedUnion)) return 'left out';
  const types = (union.options as z.ZodObject[]).map((option) =>
    expectation(option.shape[union.def.discriminator]),
  );
  return `one of ${types.join(', ')}`;
}

function keyExpectation(root: z.ZodType, path: Path, value: unknown): string {
  const record = schemaAt(root, path.slice(0, -1), value);
  const bare = record && unwrap(record);
  return bare instanceof z.ZodRecord ? expectation(bare.keyType as z.ZodType) : 'another name';
}

/** The kind of what was given, where the kind is what is wrong. */
function notKind(expected: string, given: unknown): string {
  const kind = kindOf(given);
  const wanted = expected.replace(/^an? /, '');
  const isNumber = kind === 'a number' && wanted.startsWith('whole number');
  const isText = kind === 'text' && /^(text|path|absolute|URL|name|one of)/.test(wanted);
  return isNumber || isText || (kind === 'a list' && wanted.includes('list')) ? '' : `, not ${kind}`;
}

function kindOf(given: unknown): string {
  if (given === null) return 'null';
  if (Array.isArray(given)) return 'a list';
  const kinds: Readonly<Record<string, string>> = {
    string: 'text',
    number: 'a number',
    boolean: 'true or false',
    object: 'a map',
  };
  return kinds[typeof given] ?? 'this';
}
