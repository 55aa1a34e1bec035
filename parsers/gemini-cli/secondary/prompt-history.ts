import type { Emit } from '../../../agent/contract/row.ts';
import type { Document, DocumentResult, ParseContext } from '../../../agent/contract/source.ts';
import { badDocument, badElement } from '../../shared/bad-line.ts';
import { withoutMark } from '../../shared/byte-mark.ts';
import { structureRefusal } from '../../shared/structure.ts';
import { cutRow, type Element, type ElementList, readElements, restRow } from '../elements.ts';
import { asObject } from '../records.ts';
import { emitBadRow, type FilePlace, placeOf } from './place.ts';
import { addPrompt, type RawPrompt } from './prompt.ts';

/**
 * Parser of `logs.json`, the prompts typed in the terminal: a list that is truncated and written anew at each
 * prompt, so it can be cut at any look. Also of the copies that the program set aside as unreadable.
 */
export function parsePromptHistory(document: Document, context: ParseContext, emit: Emit): DocumentResult {
  const { settled } = document;
  const bytes = withoutMark(document.bytes);
  const refusal = structureRefusal(bytes);
  const list = refusal === undefined ? readElements(bytes, []) : undefined;
  const rest = list?.scan.complete ? restRow(bytes, list, 'prompt history damaged') : undefined;
  if (!settled && (!list?.isWhole || rest)) return 'torn';
  const place = placeOf(context, emit);
  if (list) addEntries(place, bytes, list);
  else
    emitBadRow(
      place,
      badDocument('not a prompt history', {
        bytes,
        reason: refusal ?? (bytes.length === 0 ? 'empty' : 'not a list'),
        line: 1,
      }),
    );
  if (rest) emitBadRow(place, rest);
  return 'parsed';
}

function addEntries(place: FilePlace, bytes: Buffer, list: ElementList): void {
  for (const [index, element] of list.elements.entries()) addEntry(place, element, index + 1);
  if (!list.scan.complete) emitBadRow(place, cutRow(bytes, list));
}

function addEntry(place: FilePlace, { bytes, line, record }: Element, position: number): void {
  const raw = typeof record === 'string' ? undefined : asObject<RawPrompt>(record.value);
  if (raw && addPrompt(place, raw, line)) return;
  const reason = typeof record === 'string' ? record : 'no message';
  emitBadRow(place, badElement(position, { bytes, reason, line }));
}
