import { ROW_SCHEMA } from '../../agent/contract/row.ts';
import { ROW_FIELDS, type RowField } from '../../agent/contract/row-fields.ts';
import { code, table } from './markdown.ts';

const FIELDS: readonly (readonly [string, RowField])[] = Object.entries(ROW_FIELDS);

const TYPE_WORDS: Readonly<Record<RowField['type'], string>> = {
  string: 'text',
  integer: 'integer',
  boolean: 'true or false',
  facts: 'map of names to text, number or boolean',
  counts: 'map of names to integers',
  labels: 'map of names to text',
};

/** The table of fields in docs/rows.md, in the order in which fields are written. */
export function rowFieldTable(): string {
  return table(
    ['Field', 'Type', 'Meaning'],
    FIELDS.map(([name, field]) => [code(name), typeOf(field), meaningOf(field)]),
  );
}

/** The row as JSON Schema. Further fields may come without a new version, so they are allowed. */
export function rowJsonSchema(): unknown {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `Row of Holdfast, version ${ROW_SCHEMA}`,
    type: 'object',
    properties: Object.fromEntries(FIELDS.map(([name, field]) => [name, fieldSchema(field)])),
    required: FIELDS.filter(([, field]) => !field.optional).map(([name]) => name),
  };
}

function typeOf(field: RowField): string {
  const words = TYPE_WORDS[field.type];
  if (field.nullable) return `${words}, or null`;
  return field.optional ? `${words}; not always there` : words;
}

function meaningOf({ doc, values }: RowField): string {
  return values ? `${doc} One of ${values.map(code).join(', ')}.` : doc;
}

function fieldSchema(field: RowField): unknown {
  const { doc: description, values, nullable } = field;
  const shape = shapeOf(field.type);
  const type = nullable ? [shape.type, 'null'] : shape.type;
  return { description, ...shape, type, ...(values && { enum: values }) };
}

function shapeOf(type: RowField['type']): { readonly type: string; readonly additionalProperties?: unknown } {
  if (type === 'facts')
    return { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };
  if (type === 'counts') return { type: 'object', additionalProperties: { type: 'integer' } };
  if (type === 'labels') return { type: 'object', additionalProperties: { type: 'string' } };
  return { type };
}
