import {
  type Commit,
  type Cursor,
  claimBytesOf,
  NO_SESSION,
  turnIndex,
} from '../../../agent/contract/commit.ts';
import type { Lane } from '../../../agent/contract/row.ts';
import { rowIdBytesOf } from '../../../agent/contract/row-id.ts';
import { type OpenStoreOptions, openStore } from '../../../agent/store/open-store.ts';
import type { FakeClock } from '../../support/fake-clock.ts';
import { onCleanUp } from '../../support/temp.ts';

const WRITER = { home: '/home/alice', agent: 'gemini-cli' };

export const HOME = '/home/alice';

export function open(clock: FakeClock, dir: string, options: Partial<OpenStoreOptions> = {}) {
  const opened = openStore(clock, {
    dir,
    uid: process.getuid?.(),
    pid: process.pid,
    maxOutboxBytes: 1 << 30,
    keepMs: 86_400_000,
    keepBytes: 1 << 30,
    copySettleMs: 3_000,
    answerWaitMs: 600_000,
    ...options,
  });
  let closed = false;
  const close = () => {
    if (closed) return;
    closed = true;
    opened.store.close();
    opened.lock.release();
  };
  onCleanUp(close);
  return { ...opened, close };
}

/** A commit of one row for each text; the id of a row comes from its text alone. */
export function commitOf(
  texts: readonly string[],
  options: {
    lane?: Lane;
    session?: string;
    cursor?: Cursor | null;
    claims?: string[];
    copyOf?: string;
    copyClaims?: string;
  } = {},
): Commit {
  const session = options.session ?? 'c0de0001';
  const sessionOf = Buffer.alloc(texts.length * 2);
  for (let row = 0; row < texts.length; row++)
    sessionOf.writeUInt16LE(session === '' ? NO_SESSION : 0, row * 2);
  return {
    lane: options.lane ?? 'live',
    file: '.gemini/tmp/p/chats/session-x.jsonl',
    cursor: options.cursor,
    rows: {
      count: texts.length,
      ids: Buffer.concat(texts.map(idOf)),
      sessionOf,
      turns: Buffer.from(texts.map(() => turnIndex('user'))),
      lines: Buffer.from(
        texts
          .map(
            (text) => `${JSON.stringify({ row_id: text, agent: 'gemini-cli', session_id: session, text })}\n`,
          )
          .join(''),
      ),
      claims: Buffer.concat((options.claims ?? []).map((name) => claimBytesOf(WRITER, name))),
      copies:
        options.copyOf === undefined
          ? Buffer.alloc(0)
          : Buffer.concat(
              texts.flatMap(() => [
                claimBytesOf(WRITER, options.copyOf ?? ''),
                copyClaim(options.copyClaims),
              ]),
            ),
      sessions:
        session === ''
          ? []
          : [
              {
                agent: 'gemini-cli',
                session,
                project: '/home/alice/p',
                user: 'alice',
                first: null,
                last: null,
              },
            ],
    },
  };
}

function copyClaim(name: string | undefined): Buffer {
  return name === undefined ? Buffer.alloc(16) : claimBytesOf(WRITER, name);
}

export function idOf(text: string): Buffer {
  return rowIdBytesOf({ agent: 'gemini-cli', sessionKey: '', record: text, part: 'text', content: '' });
}

export function textsOf(ndjson: Buffer): string[] {
  return ndjson
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text);
}

export function seqsOf(ndjson: Buffer): number[] {
  return ndjson
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { seq: number }).seq);
}

export const A_CURSOR: Cursor = {
  source: 'gemini-cli',
  version: 1,
  dev: '1',
  ino: '2',
  birthNs: '3',
  size: 10,
  mtimeNs: '4',
  offset: 10,
  line: 1,
  head: 'aa',
  tail: 'bb',
  session: 'c0de0001',
};
