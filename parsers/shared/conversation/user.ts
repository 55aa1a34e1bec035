import { hash } from 'node:crypto';
import type { Attributes } from '../../../agent/contract/row.ts';
import { asList, asObject, asText, type JsonObject } from '../fields.ts';
import { promptIdentity } from '../kiro/identity.ts';
import { addEvent, addRow } from '../kiro/rows.ts';
import { typedName } from '../kiro/typed.ts';
import { outputName } from './output-name.ts';
import { readResults } from './results.ts';
import { type EntryScope, nthName, variantOf } from './state.ts';

/** What stands on the user's side of an entry: a prompt, or what the calls before it gave back. */
export function readUser(scope: EntryScope, user: JsonObject): void {
  const content = variantOf(user['content']);
  const images = imagesOf(user['images']);
  if (content?.name === 'Prompt') readPrompt(scope, asText(content.data['prompt']) ?? '', images);
  else if (content) readResults(scope, { ...content, images });
  addContext(scope, user, asText(content?.data['prompt']) ?? '');
}

function readPrompt(scope: EntryScope, text: string, images: string): void {
  const { talk, ownTime, index } = scope;
  const isUntimed = ownTime.utc === null;
  if (isUntimed && index === 0 && scope.message !== undefined && talk.hasTimes) {
    addFolded(scope, text);
    return;
  }
  if (isUntimed) talk.hasUntimed = true;
  const shown = text === '' ? images : text;
  if (shown === '') return;
  const identity = promptIdentity(talk.id, ownTime.utc, shown);
  addRow(scope, {
    ...identity,
    part: nthName(talk, identity.part, `prompt ${identity.content}`),
    turn: 'user',
    text: shown,
    time: scope.time,
    attributes: { ...originOf(scope, text), ...(images !== '' && { attachments: images }) },
    claims: [typedName(text)],
  });
}

/** Prompts that the program writes by itself. */
function originOf({ message, ownTime, talk }: EntryScope, text: string): Attributes {
  if (text === 'In a few words, summarize our conversation so far.')
    return { synthetic: true, synthetic_kind: 'resume' };
  if (text.startsWith('Summarize what happened in this task execution'))
    return { synthetic: true, synthetic_kind: 'delegate_summary' };
  if (message === undefined && ownTime.utc === null && talk.hasTimes)
    return { synthetic: true, synthetic_kind: 'mcp_prompt' };
  return {};
}

/** Output of tools that took the place of a prompt when what came before it was dropped; nobody typed it. */
function addFolded(scope: EntryScope, text: string): void {
  addRow(scope, {
    sessionKey: scope.talk.id,
    record: 'folded',
    part: 'result',
    content: hash('sha256', text, 'hex'),
    turn: 'tool_result',
    text,
    time: scope.time,
    attributes: { folded: true },
    copyOf: outputName(scope.talk.id, text),
  });
}

function addContext(scope: EntryScope, user: JsonObject, words: string): void {
  const added = asText(user['additional_context']);
  if (added === undefined) return;
  const { content = '' } = promptIdentity(scope.talk.id, scope.ownTime.utc, words);
  addEvent(scope, 'session.hook_context', {
    record: `prompt ${content}`,
    part: nthName(scope.talk, 'context', `context ${content}`),
    text: added,
    time: scope.time,
  });
}

/** A placeholder for each image: its format and size, never its bytes. */
function imagesOf(images: unknown): string {
  return asList(images)
    .map((value) => {
      const image = asObject(value) ?? {};
      const bytes = asObject(image['source'])?.['Bytes'];
      const size = Array.isArray(bytes) ? `, ${bytes.length} bytes` : '';
      return `[image ${(asText(image['format']) ?? 'unknown').slice(0, 40).toLowerCase()}${size}]`;
    })
    .join(' ');
}
