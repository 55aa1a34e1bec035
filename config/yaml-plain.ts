import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type Node } from 'yaml';
import type { Path } from './walk.ts';

/** Far above any sensible configuration, far below what makes an alias bomb hurt. */
const MAX_VALUES = 20_000;
const MAX_ALIASES = 100;
const MAX_DEPTH = 32;

/** A document that is valid YAML and yet no configuration. */
export class PlainError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

type Placed = (path: Path, offset: number) => void;

interface Walk {
  readonly document: Document;
  readonly placed: Placed;
  values: number;
  aliases: number;
}

/**
 * The document as plain values, with the offset of every key and list item told to `placed`.
 * Own code instead of toJS(), which neither bounds depth and size nor tells where a value was.
 */
export function plainValue(document: Document, placed: Placed): unknown {
  return convert(document.contents, [], { document, placed, values: 0, aliases: 0 });
}

function convert(node: Node | null, path: Path, walk: Walk): unknown {
  if (node === null) return null;
  walk.values++;
  const offset = offsetOf(node);
  if (walk.values > MAX_VALUES) throw new PlainError(`holds more than ${MAX_VALUES} values`, offset);
  if (path.length > MAX_DEPTH) throw new PlainError('nested too deeply', offset);
  if (isAlias(node)) return convert(followAlias(node, walk), path, walk);
  if (isMap(node)) return convertMap(node.items, path, walk);
  if (isSeq(node)) return node.items.map((item, index) => convertItem(item, [...path, index], walk));
  if (isScalar(node)) return scalarValue(node.value, offset);
  throw new PlainError('this kind of value is not supported', offset);
}

function convertMap(pairs: readonly unknown[], path: Path, walk: Walk): Record<string, unknown> {
  const map: Record<string, unknown> = Object.create(null);
  for (const pair of pairs) {
    if (!isPair(pair)) continue;
    const keyNode = pair.key as Node;
    const name = keyName(keyNode);
    walk.placed([...path, name], offsetOf(keyNode));
    if (Object.hasOwn(map, name))
      throw new PlainError('this key was already given in the same map', offsetOf(keyNode));
    map[name] = convert(pair.value as Node | null, [...path, name], walk);
  }
  return map;
}

function convertItem(item: unknown, path: Path, walk: Walk): unknown {
  walk.placed(path, offsetOf(item as Node));
  return convert(item as Node, path, walk);
}

function followAlias(node: Node & { resolve(document: Document): Node | undefined }, walk: Walk): Node {
  walk.aliases++;
  if (walk.aliases > MAX_ALIASES)
    throw new PlainError(`uses more than ${MAX_ALIASES} aliases (*name)`, offsetOf(node));
  const target = node.resolve(walk.document);
  if (!target) throw new PlainError('this alias has no anchor (&name) before it', offsetOf(node));
  return target;
}

function keyName(node: Node): string {
  if (!isScalar(node) || node.value === null) throw new PlainError('a key must be text', offsetOf(node));
  const name = String(node.value);
  if (name === '__proto__') throw new PlainError('this key is not allowed', offsetOf(node));
  return name;
}

function scalarValue(value: unknown, offset: number): unknown {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value;
  throw new PlainError('this kind of value is not supported', offset);
}

function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}
