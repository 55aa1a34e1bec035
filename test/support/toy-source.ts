import type { DraftRow } from '../../agent/contract/row.ts';
import type { LogParser, Source } from '../../agent/contract/source.ts';

/**
 * A source as small as can be, for tests of everything around parsers: `.toy/<session>.log` holds one text
 * a line, `.toy/<name>.json` a list of texts, `.toy/<name>.grants` settings as `name=value` lines. A line "boom" makes the parser throw, which a real one never may.
 */
export const toySource: Source = {
  id: 'gemini-cli',
  title: 'Toy',
  version: 1,
  roots: [{ path: '.toy' }],
  retention: () => ({ days: 30, count: null }),
  skipDirectory: (relative) => relative === 'skipped',
  files: [
    {
      name: 'log',
      kind: 'log',
      role: 'primary',
      matches: (relative) => relative.endsWith('.log'),
      open: ({ path }): LogParser => {
        const session = path.slice(path.lastIndexOf('/') + 1, -4);
        return {
          line: (bytes, line, emit) => {
            const text = bytes.toString('utf8');
            if (text === 'boom') throw new Error('boom');
            emit(rowOf(session, text, line));
          },
          unfinished: (bytes, line, emit) =>
            emit({
              ...rowOf(session, bytes.toString('utf8'), line),
              part: 'unfinished',
              turn_type: 'system',
            }),
          session: () => session,
        };
      },
    },
    {
      name: 'document',
      kind: 'document',
      role: 'primary',
      matches: (relative) => relative.endsWith('.json'),
      parse({ bytes, settled }, { path }, emit) {
        try {
          for (const [index, text] of (JSON.parse(bytes.toString('utf8')) as string[]).entries())
            emit(rowOf(path, text, index + 1));
          return 'parsed';
        } catch {
          if (!settled) return 'torn';
          emit({ ...rowOf(path, 'cut', 1), part: 'cut', turn_type: 'system', event: 'parser.error' });
          return 'parsed';
        }
      },
    },
    {
      name: 'grants',
      kind: 'standing',
      role: 'standing',
      matches: (relative) => relative.endsWith('.grants'),
      read({ bytes, settled }) {
        const text = bytes.toString('utf8');
        if (!text.endsWith('\n')) {
          if (!settled) return { kind: 'torn' };
          return {
            kind: 'unreadable',
            rows: [
              { record: text, part: 'cut', turn_type: 'system', event: 'parser.error', text: 'parser: cut' },
            ],
          };
        }
        const entries = text
          .trimEnd()
          .split('\n')
          .map((line) => {
            const [key = '', value = ''] = line.split('=');
            return {
              key,
              value,
              label: 'permission setting',
              event: 'permission.setting',
              subject: line,
            } as const;
          });
        return { kind: 'entries', entries };
      },
    },
  ],
};

function rowOf(session: string, text: string, line: number): DraftRow {
  return { record: text, part: 'text', turn_type: 'user', text, session_id: session, source_line: line };
}
