import { type Row, SELF } from '../../agent/contract/row.ts';
import type { ScriptedAnswer } from './case-form.ts';
import { rowsOfOtlp } from './otlp-rows.ts';

/** A request of a sink as a scripted collector sees it. */
export interface SinkRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Without its content encoding. */
  readonly body: Buffer;
}

/** What an answer says about one row of the request. */
export type RowVerdict = 'taken' | 'refused' | 'open';

export interface DialectAnswer {
  readonly answer: ScriptedAnswer;
  /** One for each row of the request. */
  readonly verdicts: readonly RowVerdict[];
}

/** How one kind of collector speaks. */
export interface Dialect {
  readonly type: string;
  rows(request: SinkRequest): Row[];
  /** The answer that takes everything. */
  success(request: SinkRequest, rows: readonly Row[]): ScriptedAnswer;
  /** Whether nothing of a request that is answered so comes again. */
  settles(answer: ScriptedAnswer): boolean;
  /** A scripted answer, completed for the rows of this request. */
  scripted(answer: ScriptedAnswer, rows: readonly Row[]): DialectAnswer;
}

/** Which kind of collector gives such answers. */
export function dialectOf(answers: readonly ScriptedAnswer[]): Dialect {
  const bodies = answers.map(({ body }) => Object(body) as Record<string, unknown>);
  if (bodies.some((body) => Array.isArray(body['items']))) return elasticsearch;
  if (bodies.some((body) => 'partialSuccess' in body)) return otlp;
  if (bodies.some((body) => 'text' in body && 'code' in body)) return splunkHec;
  return http;
}

const JSON_TYPE = { 'content-type': 'application/json' };

const http: Dialect = {
  type: 'http',
  rows: ({ body }) => linesOf(body) as Row[],
  success: ({ headers }, rows) => ({
    status: 200,
    headers: JSON_TYPE,
    body: { batch: headers['x-holdfast-batch'], accepted: rows.length, duplicates: 0, rejected: [] },
  }),
  settles: () => false,
  scripted: (answer, rows) => alike(answer, rows, 'open'),
};

/** Bulk API: lines in pairs, an action and a document that holds the row; one item for each in the answer. */
const elasticsearch: Dialect = {
  type: 'elasticsearch',
  rows: ({ body }) =>
    linesOf(body)
      .filter((_, at) => at % 2 === 1)
      .map((document) => (document as { readonly holdfast: Row }).holdfast),
  success: (_, rows) => ({
    status: 200,
    headers: JSON_TYPE,
    body: { took: 1, errors: false, items: rows.map(createdItem) },
  }),
  settles: () => false,
  scripted(answer, rows) {
    const body = Object(answer.body) as { readonly items?: readonly unknown[] };
    if (!Array.isArray(body.items)) return alike(answer, rows, 'open');
    const scripted = [...body.items];
    const named = JSON.stringify(rows.map((row) => (isSelf(row) ? undefined : scripted.shift())));
    const items = (JSON.parse(withIds(named, rows)) as unknown[]).map(
      (item, at) => item ?? createdItem(rows[at]),
    );
    return { answer: { ...answer, body: { ...body, items } }, verdicts: items.map(itemVerdict) };
  },
};

/** OTLP over HTTP in JSON. Which records a partial success refuses, it does not say. */
const otlp: Dialect = {
  type: 'otlp',
  rows: ({ body }) => rowsOfOtlp(body),
  success: () => ({ status: 200, headers: JSON_TYPE, body: {} }),
  settles: ({ status }) => status === 200,
  scripted: (answer, rows) => alike(answer, rows, answer.status === 200 ? 'taken' : 'open'),
};

/** HTTP event collector: objects one after the other, the row under "event". */
const splunkHec: Dialect = {
  type: 'splunk_hec',
  rows: ({ body }) => linesOf(body).map((line) => (line as { readonly event: Row }).event),
  success: () => ({ status: 200, headers: JSON_TYPE, body: { text: 'Success', code: 0 } }),
  settles: isHecSuccess,
  scripted: (answer, rows) => alike(answer, rows, isHecSuccess(answer) ? 'taken' : 'open'),
};

function isHecSuccess({ status, body }: ScriptedAnswer): boolean {
  const { code } = Object(body) as { readonly code?: unknown };
  return status === 200 && code === 0;
}

/** Rows that Holdfast writes about itself are no part of a case: its script does not count them. */
export function isSelf(row: Row): boolean {
  return row.agent === SELF;
}

function alike(answer: ScriptedAnswer, rows: readonly Row[], verdict: RowVerdict): DialectAnswer {
  const body = typeof answer.body === 'string' ? answer.body : withIds(JSON.stringify(answer.body), rows);
  return { answer: { ...answer, body }, verdicts: rows.map(() => verdict) };
}

/** "$0", "$1" and so on stand for the ids of the case's rows in the order of the request. */
function withIds(json: string, rows: readonly Row[]): string {
  const ids = rows.filter((row) => !isSelf(row)).map((row) => row.row_id);
  return json.replace(/"\$(\d+)"/g, (_, at) => JSON.stringify(ids[Number(at)] ?? ''));
}

function createdItem(row: Row | undefined): unknown {
  return { create: { _index: 'x', _id: row?.row_id, status: 201 } };
}

function itemVerdict(item: unknown): RowVerdict {
  const [{ status = 0 } = {}] = Object.values(Object(item)) as { readonly status?: number }[];
  if (status < 300 || status === 409) return 'taken';
  return status === 429 || status >= 500 ? 'open' : 'refused';
}

function linesOf(body: Buffer): unknown[] {
  return body
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
