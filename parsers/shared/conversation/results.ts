import type { Attributes } from '../../../agent/contract/row.ts';
import { asList, asObject, asText, type JsonObject } from '../fields.ts';
import { decisionIdentity, resultIdentity } from '../kiro/identity.ts';
import { readOutput } from '../kiro/output.ts';
import { type Refusal, refusalFacts, refusalOfPrompt, refusalText } from '../kiro/refusal.ts';
import { addRow, fact } from '../kiro/rows.ts';
import { typedName } from '../kiro/typed.ts';
import { foldedText, outputName } from './output-name.ts';
import { type EntryScope, nthName, type OpenCall } from './state.ts';

interface RawResult {
  readonly tool_use_id?: unknown;
  readonly content?: unknown;
  readonly status?: unknown;
}

interface Results {
  /** `ToolUseResults` or `CancelledToolUses`. */
  readonly name: string;
  readonly data: JsonObject;
  readonly images: string;
}

/** One result, with the call that it answers. */
interface Result {
  readonly id: string;
  readonly call: OpenCall;
}

/** What the calls of the answer before gave back, or that they were abandoned, and by what. */
export function readResults(scope: EntryScope, { name, data, images }: Results): void {
  const isCancelled = name === 'CancelledToolUses';
  const raws = asList(data['tool_use_results']).map((value) => asObject<RawResult>(value) ?? {});
  const whole = foldedText(raws.map(({ content }) => ({ content })));
  const claims = isCancelled || whole === '' ? [] : [outputName(scope.talk.id, whole)];
  const results = raws.map((raw, at) =>
    addResult(scope, raw, { isCancelled, claims: at === 0 ? claims : [], images: at === 0 ? images : '' }),
  );
  if (isCancelled) addRefusal(scope, results, asText(data['prompt']));
}

interface How {
  readonly isCancelled: boolean;
  readonly claims: readonly string[];
  readonly images: string;
}

function addResult(scope: EntryScope, raw: RawResult, { isCancelled, claims, images }: How): Result {
  const { talk } = scope;
  const id = asText(raw.tool_use_id) ?? '-';
  const call = talk.calls.get(id) ?? { name: undefined, message: 'results' };
  talk.calls.delete(id);
  const output = readOutput(asList(raw.content).map(unwrapped));
  const status = asText(raw.status)?.toLowerCase();
  const identity = resultIdentity(talk.id, call.message, id);
  addRow(scope, {
    ...identity,
    part: nthName(talk, identity.part, `${call.message} ${identity.part}`),
    turn: 'tool_result',
    text: `${prefixOf(isCancelled, status)}${output.text}${images === '' ? '' : `\n${images}`}`,
    time: scope.time,
    tool: call.name,
    callId: id,
    attributes: {
      ...fact('status', status),
      ...output.attributes,
      ...(isCancelled && { cancelled: true }),
    },
    claims,
  });
  return { id, call };
}

/** `{"Text": …}` and `{"Json": …}` as the blocks that the newer engines write. */
function unwrapped(piece: unknown): unknown {
  const block = asObject<{ Text?: unknown; Json?: unknown }>(piece);
  if (typeof block?.Text === 'string') return block.Text;
  return block && Object.hasOwn(block, 'Json') ? { kind: 'json', data: block.Json } : piece;
}

function prefixOf(isCancelled: boolean, status: string | undefined): string {
  if (isCancelled) return '[cancelled] ';
  return status === undefined || status === 'success' ? '' : `[${status}] `;
}

/** A rule names a tool and no call, so it is one event for all calls; whatever else was said refuses each of them. */
function addRefusal(scope: EntryScope, results: readonly Result[], said: string | undefined): void {
  const refused = said === undefined ? undefined : refusalOfPrompt(said);
  const [first] = results;
  if (!first) return;
  if (refused?.by === 'deny-rule' || refused?.by === 'headless') addRuled(scope, results, refused);
  else for (const result of results) addDecision(scope, result, refused);
}

function addRuled(scope: EntryScope, results: readonly Result[], refused: Refusal): void {
  const ids = results.map(({ id }) => id);
  const identity = decisionIdentity(scope.talk.id, results[0]?.call.message ?? 'results', undefined);
  addRow(scope, {
    ...identity,
    part: nthName(scope.talk, identity.part, `${identity.record} ${identity.part} ${results[0]?.id}`),
    turn: 'system',
    event: 'permission.decision',
    text: refusalText(refused, refused.tool),
    time: scope.time,
    tool: refused.tool,
    callId: ids.length === 1 ? ids[0] : undefined,
    attributes: { ...refusalFacts(refused, ids), confidence: 'text_match' },
  });
}

function addDecision(scope: EntryScope, { id, call }: Result, refused: Refusal | undefined): void {
  const identity = decisionIdentity(scope.talk.id, call.message, id);
  addRow(scope, {
    ...identity,
    part: nthName(scope.talk, identity.part, `${call.message} ${identity.part}`),
    turn: 'system',
    event: 'permission.decision',
    text: refused ? refusalText(refused, undefined) : 'permission decision: cancelled',
    time: scope.time,
    tool: call.name,
    callId: id,
    attributes: refused
      ? { ...refusalFacts(refused, []), ...typedFacts(refused) }
      : { decision: 'cancelled' },
    claims: refused?.by === 'user-text' ? [typedName(refused.reason ?? '')] : [],
  });
}

/** After Ctrl+C at the question an ordinary prompt is stored exactly like a refusal with words. */
function typedFacts({ by }: Refusal): Attributes {
  return by === 'user-text' ? { typed_while: 'question_open' } : {};
}
