import { HoldfastError, UsageError } from '../contract/errors.ts';
import type { Row } from '../contract/row.ts';
import type { SessionSummary } from '../contract/store.ts';
import { createControlClient } from '../telemetry/control-client.ts';
import { type GlobalOptions, openContext } from './context.ts';
import { printJson, standardOutput, table } from './output.ts';
import { rowBlock } from './row-text.ts';

export interface SessionsOptions extends GlobalOptions {
  readonly limit?: number;
}

/** `holdfast sessions`: what was seen on this machine, latest first. */
export async function sessions(options: SessionsOptions): Promise<void> {
  const found = await listSessions(options, { limit: options.limit ?? 30 });
  const output = standardOutput();
  if (options.json === true) return printJson(output, found);
  const rows = found.map(({ agent, session, last, prompts, rows: count, user, project }) => [
    session,
    agent,
    last?.slice(0, 19).replace('T', ' ') ?? '-',
    String(prompts),
    String(count),
    user ?? '-',
    project ?? '-',
  ]);
  for (const line of table([
    ['SESSION', 'AGENT', 'LAST ROW (UTC)', 'PROMPTS', 'ROWS', 'USER', 'PROJECT'],
    ...rows,
  ]))
    await output.line(line);
}

/** `holdfast show <session>`: one session as a conversation; the beginning of its id is enough. */
export async function show(prefix: string, options: GlobalOptions): Promise<void> {
  const beginning = await listSessions(options, { prefix });
  const exact = beginning.filter(({ session }) => session === prefix);
  const found = exact.length > 0 ? exact : beginning;
  const [session, ...others] = found;
  if (!session) {
    throw new UsageError('NO_SESSION', `no session begins with ${prefix}`, {
      hint: '`holdfast sessions` lists them.',
    });
  }
  if (others.length > 0 && others.some((other) => other.session !== session.session)) {
    throw new UsageError(
      'AMBIGUOUS',
      `${found.length} sessions begin with ${prefix}: ${found.map((one) => one.session).join(', ')}`,
      {
        hint: 'Type more of the id.',
      },
    );
  }
  await printSession(session, options);
}

async function printSession(
  { agent, session, rows: total }: SessionSummary,
  options: GlobalOptions,
): Promise<void> {
  const output = standardOutput();
  let shown = 0;
  for await (const line of createControlClient(openContext(options).socket).rows({ agent, session })) {
    const row = JSON.parse(line) as Row | { readonly skipped: number };
    if ('skipped' in row) throw tooLarge(row.skipped);
    await output.line(options.json === true ? line : rowBlock(row));
    shown++;
  }
  if (shown >= total) return;
  throw new HoldfastError('PRUNED', `${shown} of ${total} rows are still held on this machine`, {
    hint: 'The others were delivered and pruned (store.keep_days); ask the collector.',
  });
}

function tooLarge(skipped: number): HoldfastError {
  return new HoldfastError('TOO_LARGE', `${skipped} further rows of this session are not shown`, {
    hint: 'The session is very large; ask the collector for all of it.',
  });
}

async function listSessions(
  options: GlobalOptions,
  query: { limit?: number; prefix?: string },
): Promise<SessionSummary[]> {
  return (await createControlClient(openContext(options).socket).sessions(query)) as SessionSummary[];
}
