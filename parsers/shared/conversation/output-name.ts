import { hash } from 'node:crypto';
import { asList, asObject } from '../fields.ts';

/**
 * Name under which the output of tools may stand again as the text of a prompt, after what asked for it was dropped.
 * Keys of JSON are put in order first: the program does not keep theirs.
 */
export function outputName(session: string, text: string): string {
  return `output ${hash('sha256', `${session} ${canonical(text.trim())}`, 'base64url')}`;
}

/** The output of all calls of one entry, as folding writes it. */
export function foldedText(results: readonly { readonly content: unknown }[]): string {
  const pieces = results.flatMap(({ content }) => asList(content).map(pieceText));
  return pieces.join(' ');
}

function pieceText(piece: unknown): string {
  const block = asObject<{ Text?: unknown; Json?: unknown }>(piece) ?? {};
  if (typeof block.Text === 'string') return block.Text;
  return JSON.stringify(block.Json) ?? '';
}

function canonical(text: string): string {
  if (!text.startsWith('{')) return text;
  try {
    return JSON.stringify(JSON.parse(text), (_key, value: unknown) => sorted(value));
  } catch {
    return text;
  }
}

function sorted(value: unknown): unknown {
  const object = asObject(value);
  return object ? Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}
