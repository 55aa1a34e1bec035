import { z } from 'zod';
import { expectedBy } from './key.ts';

/** What a value must be, in words that follow "must be": for messages and for the documentation. */
export function expectation(schema: z.ZodType): string {
  const own = expectedBy(schema);
  if (own !== undefined) return own;
  if (schema instanceof z.ZodNullable) return `${expectation(schema.unwrap() as z.ZodType)}, or null`;
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return expectation(schema.unwrap() as z.ZodType);
  }
  return scalarExpectation(schema) ?? containerExpectation(schema);
}

function scalarExpectation(schema: z.ZodType): string | undefined {
  if (schema instanceof z.ZodNumber) return `a whole number from ${schema.minValue} to ${schema.maxValue}`;
  if (schema instanceof z.ZodBoolean) return 'true or false';
  if (schema instanceof z.ZodEnum) return `one of ${schema.options.join(', ')}`;
  if (schema instanceof z.ZodLiteral) return [...schema.values].join(' or ');
  if (schema instanceof z.ZodString) return textExpectation(schema);
  return undefined;
}

function textExpectation(schema: z.ZodString): string {
  const [min, max] = [schema.minLength ?? 0, schema.maxLength];
  const most = max === null ? '' : ` of at most ${max} characters`;
  return min > 0 ? `text${most}, not empty` : `text${most}`;
}

function containerExpectation(schema: z.ZodType): string {
  if (schema instanceof z.ZodArray) return 'a list';
  if (schema instanceof z.ZodRecord) return `a map of names to ${expectation(schema.valueType as z.ZodType)}`;
  if (schema instanceof z.ZodUnion && !(schema instanceof z.ZodDiscriminatedUnion)) {
    return (schema.options as z.ZodType[]).map(expectation).join(' or ');
  }
  return 'a map of keys';
}
