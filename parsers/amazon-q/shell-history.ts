import type { Emit } from '../../agent/contract/row.ts';
import type { Cell, ParseContext, TableRecord, TableSpec } from '../../agent/contract/source.ts';
import { addEvent, fact } from '../shared/kiro/rows.ts';
import { timeOf } from '../shared/kiro/time.ts';

/** Commands of the user's shell, which forerunners of the program kept; this one writes none and keeps what is there. */
export const SHELL_HISTORY: TableSpec = {
  name: 'history',
  key: ['id'],
  columns: ['command', 'shell', 'session_id', 'cwd', 'start_time', 'hostname', 'exit_code'],
  parse: parseCommand,
};

function parseCommand({ cells }: TableRecord, _context: ParseContext, emit: Emit): string {
  const command = textOf(cells['command']);
  if (command === undefined) return '';
  const session = textOf(cells['session_id']) ?? '';
  const start = cells['start_time'];
  const time = timeOf(typeof start === 'bigint' ? Number(start) : start);
  const code = cells['exit_code'];
  addEvent({ session, project: textOf(cells['cwd']), line: null, shared: {}, emit }, 'prompt.other', {
    record: `shell ${time.utc ?? '-'}`,
    content: command,
    text: `shell command: ${command}`,
    time,
    attributes: {
      input: 'shell',
      ...fact('shell', textOf(cells['shell'])),
      ...fact('hostname', textOf(cells['hostname'])),
      ...fact('exit_code', typeof code === 'number' ? code : undefined),
    },
  });
  return 'told';
}

function textOf(cell: Cell | undefined): string | undefined {
  const text = Buffer.isBuffer(cell) ? cell.toString('utf8') : '';
  return text === '' ? undefined : text;
}
