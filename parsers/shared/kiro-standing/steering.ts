import { hash } from 'node:crypto';
import type { Document, ParseContext, StandingResult } from '../../../agent/contract/source.ts';
import { plainUtf8 } from '../byte-mark.ts';
import { entryOf } from '../standing.ts';

const STEERING = { label: 'steering file', event: 'steering.file' } as const;

/**
 * Reader of `steering/*.md`, and of `rules/*.md` of Amazon Q: instructions that the model gets with every prompt, or with some. Told by hash, length and
 * when they are included; what they say is the project's own text.
 */
export function readSteering(document: Document, context: ParseContext): StandingResult {
  const bytes = withoutReturns(plainUtf8(document.bytes));
  const file = context.path.slice(context.path.indexOf('/') + 1);
  const head = frontMatter(bytes);
  const inclusion = head.get('inclusion') ?? 'always';
  const pattern = head.get('fileMatchPattern');
  const digest = hash('sha256', bytes, 'hex');
  const when = pattern === undefined ? inclusion : `${inclusion} ${pattern}`;
  const project = context.project(undefined);
  const entry = entryOf(STEERING, {
    key: `steering ${file}`,
    value: `${when} ${digest}`,
    subject: `${file} inclusion=${when} ${bytes.length} bytes sha256=${digest.slice(0, 16)}`,
    attributes: {
      kind: 'steering',
      steering: file,
      inclusion,
      ...(pattern !== undefined && { pattern }),
      bytes: bytes.length,
      sha256: digest,
    },
    ...(project !== undefined && { project }),
  });
  return { kind: 'entries', entries: bytes.length === 0 ? [] : [entry] };
}

/** Git and editors turn line ends into those of the system; the instructions stay the same. */
function withoutReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
}

/** More than any head of keys; the text after it is not looked at. */
const MAX_HEAD_BYTES = 4_096;

/** `key: value` lines between two lines of dashes at the very beginning. */
function frontMatter(bytes: Buffer): Map<string, string> {
  const text = bytes.toString('utf8', 0, MAX_HEAD_BYTES);
  const head = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? '';
  const found = new Map<string, string>();
  for (const line of head.split(/\r?\n/)) {
    const match = /^([A-Za-z]{1,40}):\s*(.{1,200}?)\s*$/.exec(line);
    if (match?.[1] !== undefined && match[2] !== undefined)
      found.set(match[1], match[2].replace(/^(["'])(.*)\1$/, '$2'));
  }
  return found;
}
