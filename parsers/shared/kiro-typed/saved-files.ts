import type { NamedFile } from '../../../agent/contract/source.ts';
import { typedTexts } from './typed-history.ts';

/** Name of the spec of a conversation that was written to a file of the user's choice. */
export const SAVED = 'saved';

const SAVE = /^\/(?:chat\s+)?save\s+(\S.*)$/;
const FLAG = /^(?:-f|--force)$/;

/** Files that typed lines `/save <path>` and `/chat save <path>` name. The program may have put `.json` behind the name. */
export function* savedFiles(history: string): Generator<NamedFile> {
  for (const text of typedTexts(history)) {
    const path = pathIn(SAVE.exec(text.trim())?.[1] ?? '');
    if (path === '') continue;
    yield { spec: SAVED, path };
    if (!path.toLowerCase().endsWith('.json')) yield { spec: SAVED, path: `${path}.json` };
  }
}

/** A path with blanks stands in quotes, or with the flags taken off as a whole. */
function pathIn(rest: string): string {
  const words = rest
    .trim()
    .split(/\s+/)
    .filter((word) => !FLAG.test(word));
  return words.join(' ').replace(/^(["'])(.*)\1$/, '$2');
}
