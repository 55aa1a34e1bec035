/** What a CREATE TABLE statement says of its columns, in the order in which records hold them. */
export interface TableColumns {
  readonly names: readonly string[];
  /** Column that is another name of the rowid; records hold a NULL in its place. */
  readonly rowidColumn: string | undefined;
}

const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[^\s(),'"`[]+|[(),]/g;
const CONSTRAINTS = new Set(['CONSTRAINT', 'PRIMARY', 'UNIQUE', 'CHECK', 'FOREIGN']);
/** A statement this long makes no table that anybody uses. */
const MAX_CHARS = 64 * 1024;

/**
 * Undefined for a table that is not stored as we read it: a virtual one, one without rowids, one with generated
 * columns, or a text that is no such statement.
 */
export function columnsOf(sql: string): TableColumns | undefined {
  if (sql.length > MAX_CHARS) return undefined;
  const tokens = (sql.match(TOKEN) ?? []).filter(
    (token) => !token.startsWith('--') && !token.startsWith('/*'),
  );
  const open = tokens.indexOf('(');
  const head = tokens.slice(0, open).map(upper);
  if (open < 0 || head[0] !== 'CREATE' || head[1] !== 'TABLE') return undefined;
  const { definitions, rest } = splitDefinitions(tokens.slice(open + 1));
  if (rest.map(upper).includes('WITHOUT')) return undefined;
  const columns = definitions.filter(([first = '']) => !CONSTRAINTS.has(upper(first)));
  if (columns.some(isGenerated)) return undefined;
  const names = columns.map(([name = '']) => unquoted(name));
  return { names, rowidColumn: rowidColumn(columns, definitions) };
}

function splitDefinitions(tokens: readonly string[]): { definitions: string[][]; rest: string[] } {
  const definitions: string[][] = [[]];
  let depth = 0;
  for (const [at, token] of tokens.entries()) {
    if (token === ')' && depth-- === 0) return { definitions, rest: tokens.slice(at + 1) };
    if (token === '(') depth++;
    if (token === ',' && depth === 0) definitions.push([]);
    else definitions.at(-1)?.push(token);
  }
  return { definitions: [], rest: [] };
}

function isGenerated(definition: readonly string[]): boolean {
  return definition.some((token, at) => upper(token) === 'AS' && definition[at + 1] === '(');
}

function rowidColumn(columns: readonly string[][], definitions: readonly string[][]): string | undefined {
  const keys = definitions.filter(([first = '']) => !columns.some(([name]) => name === first)).map(keyOf);
  for (const definition of columns) {
    const [name = '', type = ''] = definition;
    const isKey =
      definition.some((token, at) => isPair(token, definition[at + 1])) || keys.includes(unquoted(name));
    if (isKey && upper(type) === 'INTEGER') return unquoted(name);
  }
  return undefined;
}

/** The column of a key constraint over exactly one. */
function keyOf(definition: readonly string[]): string | undefined {
  const at = definition.findIndex((token, index) => isPair(token, definition[index + 1]));
  const isSingle = at >= 0 && definition[at + 2] === '(' && definition[at + 4] === ')';
  return isSingle ? unquoted(definition[at + 3] ?? '') : undefined;
}

function isPair(token: string, next: string | undefined): boolean {
  return upper(token) === 'PRIMARY' && upper(next ?? '') === 'KEY';
}

function unquoted(name: string): string {
  const quote = name[0];
  if (quote === '[') return name.slice(1, -1);
  if (quote !== '"' && quote !== '`' && quote !== "'") return name;
  return name.slice(1, -1).replaceAll(quote + quote, quote);
}

function upper(token: string): string {
  return token.toUpperCase();
}
