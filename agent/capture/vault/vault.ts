import { readdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from '../../contract/logger.ts';
import type { FileRef } from '../layout.ts';
import { type OpenedFile, openSourceFile } from '../open-file.ts';
import type { Counter } from '../reading.ts';
import { type FileIdentity, type PinName, parsePinPath, pinPath } from './pin-name.ts';
import { discard, factsAt, isSame, type Method, type PinFacts, take } from './take.ts';

/** A source file's bytes under a second name. */
export interface Pin extends PinName {
  readonly path: string;
  /** Bytes when it was taken; a link may hold more by now. */
  readonly size: number;
  /** Time of the change that taking it was to the file. */
  readonly ctimeNs: string;
  /** How many bytes it held when it was read to its end. */
  readSize?: number;
}

/**
 * Keeps what source files hold beyond their deletion: a second name of each, outside the coding agents' directories. A
 * file is pinned before it is read, and let go when it is gone and all that it gave is durable (docs/vault.md).
 */
export interface Vault {
  /** How many source files are pinned. */
  readonly size: number;
  /** Names of all files that are pinned, also those that an earlier run pinned and never read. */
  keys(): Iterable<string>;
  /** Pins of one source file, the one of the oldest file in front. */
  of(key: string): readonly Pin[];
  /** Pins the file that stands there now, as far as it is not pinned already. Never throws. */
  pin(ref: FileRef): void;
  /** Opens a pin as the file that it was. */
  open(pin: Pin): OpenedFile | undefined;
  drop(pins: readonly Pin[]): void;
}

export interface VaultOptions {
  readonly dir: string;
  readonly ownerUid: number | null;
  readonly logger: Logger;
  readonly count: Counter;
  /** Bytes that copies may take in all. Links and clones take none while their source is there. */
  readonly maxCopyBytes: number;
  /** Nothing new is pinned. */
  readonly closing: boolean;
}

/** A larger file is not copied. */
const MAX_COPY_BYTES = 8 * 1024 * 1024;

/** Files that stood under one name one after the other; each has at most a link and a copy. */
const MAX_GENERATIONS = 4;

/** No vault at all. */
export const NO_VAULT: Vault = {
  size: 0,
  keys: () => [],
  of: () => [],
  pin: () => {},
  open: () => undefined,
  drop: () => {},
};

export function openVault(options: VaultOptions): Vault {
  return new DiskVault(options);
}

class DiskVault implements Vault {
  readonly #options: VaultOptions;
  readonly #pins = new Map<string, Pin[]>();
  /** What a device cannot do, as "device method". */
  readonly #unable = new Set<string>();
  #copied = 0;
  #isTold = false;

  constructor(options: VaultOptions) {
    this.#options = options;
    for (const segments of filesBelow(options.dir, [])) this.#load(segments);
  }

  get size(): number {
    return this.#pins.size;
  }

  keys(): Iterable<string> {
    return this.#pins.keys();
  }

  of(key: string): readonly Pin[] {
    return this.#pins.get(key) ?? [];
  }

  pin(ref: FileRef): void {
    const { ownerUid, closing } = this.#options;
    const facts = !closing && mayBePinned(ref) ? factsAt(ref.path) : undefined;
    if (!facts || (ownerUid !== null && facts.uid !== ownerUid)) return;
    const same = this.of(ref.key).filter((pin) => isSame(pin, facts));
    this.#makeRoom(ref.key, same.length > 0);
    const isLinked = same.some(({ kind }) => kind === 'link') || this.#take('link', ref, facts);
    const copy = same.find(({ kind }) => kind === 'copy');
    const isCopied = copy !== undefined && !isOutdated(copy, facts);
    const isSafe = isCopied || this.#take('clone', ref, facts) || isLinked || this.#take('copy', ref, facts);
    if (!isSafe && factsAt(ref.path)) this.#tellUnable(ref);
  }

  open(pin: Pin): OpenedFile | undefined {
    const opened = openSourceFile(pin.path, this.#options.ownerUid);
    if (opened.kind === 'open') return pin.kind === 'link' ? opened.file : asOriginal(opened.file, pin);
    if (opened.kind !== 'failed') this.drop([pin]);
    return undefined;
  }

  drop(pins: readonly Pin[]): void {
    for (const pin of pins) {
      const known = this.of(pin.key);
      if (!known.includes(pin)) continue;
      discard(pin.path);
      this.#forget(pin);
      removeEmpty(dirname(pin.path), this.#options.dir);
    }
  }

  /** What is no pin, or a half made one, is of no use. */
  #load(segments: readonly string[]): void {
    const path = join(this.#options.dir, ...segments);
    const name = parsePinPath(segments);
    const facts = name && factsAt(path);
    if (!facts) discard(path);
    else this.#add(name, path, facts);
  }

  #add(name: PinName, path: string, { size, ctimeNs }: PinFacts): void {
    const known = this.of(name.key).find((pin) => pin.path === path);
    if (known) this.#forget(known);
    const pin: Pin = { ...name, path, size, ctimeNs };
    this.#pins.set(name.key, [...this.of(name.key), pin].sort(byBirth));
    if (pin.kind === 'copy') this.#copied += size;
  }

  #forget(pin: Pin): void {
    if (pin.kind === 'copy') this.#copied -= pin.size;
    const left = this.of(pin.key).filter((other) => other !== pin);
    if (left.length > 0) this.#pins.set(pin.key, left);
    else this.#pins.delete(pin.key);
  }

  #take(method: Method, ref: FileRef, facts: PinFacts): boolean {
    const { dir, ownerUid, count } = this.#options;
    if (this.#unable.has(`${facts.dev} ${method}`)) return false;
    if (method === 'copy' && (facts.size > MAX_COPY_BYTES || !this.#hasRoom(facts.size))) return false;
    const { dev, ino, birthNs } = facts;
    const name: PinName = { key: ref.key, dev, ino, birthNs, kind: method === 'link' ? 'link' : 'copy' };
    const to = join(dir, pinPath(name));
    const outcome = take(method, { from: ref.path, to, identity: facts, ownerUid });
    if (outcome === 'unable') this.#unable.add(`${facts.dev} ${method}`);
    const taken = outcome === 'taken' ? factsAt(to) : undefined;
    if (!taken) return false;
    this.#add(name, to, taken);
    count('holdfast_pins_total', 1, { method });
    return true;
  }

  /** Copies that were read give way to new ones, the oldest first. */
  #hasRoom(bytes: number): boolean {
    const { maxCopyBytes } = this.#options;
    if (this.#copied + bytes <= maxCopyBytes) return true;
    const read = [...this.#pins.values()].flat().filter(({ kind, readSize }) => kind === 'copy' && readSize);
    for (const pin of read.sort(byBirth)) {
      if (this.#copied + bytes <= maxCopyBytes) break;
      this.drop([pin]);
    }
    return this.#copied + bytes <= maxCopyBytes;
  }

  #makeRoom(key: string, isKnown: boolean): void {
    const births = [...new Set(this.of(key).map(({ ino, birthNs }) => `${birthNs} ${ino}`))];
    if (isKnown || births.length < MAX_GENERATIONS) return;
    this.drop(this.of(key).filter(({ ino, birthNs }) => `${birthNs} ${ino}` === births[0]));
  }

  #tellUnable({ key }: FileRef): void {
    this.#options.count('holdfast_pins_total', 1, { method: 'none' });
    if (!this.#isTold)
      this.#options.logger.warn('a source file could not be pinned', { event: 'vault.unable', file: key });
    this.#isTold = true;
  }
}

/** Settings hold no evidence that goes with a session, and databases are read where they lie. */
function mayBePinned({ root, spec }: FileRef): boolean {
  return root.place === 'store' && (spec.kind === 'log' || spec.kind === 'document');
}

/** One that holds more than the file does now is kept: the file was cut. */
function isOutdated(copy: Pin, facts: PinFacts): boolean {
  if (facts.size < copy.size && copy.readSize !== copy.size) return false;
  return copy.size !== facts.size || BigInt(facts.mtimeNs) > BigInt(copy.ctimeNs);
}

function byBirth(a: Pin, b: Pin): number {
  if (a.birthNs !== b.birthNs) return BigInt(a.birthNs) < BigInt(b.birthNs) ? -1 : 1;
  return a.kind === b.kind ? 0 : a.kind === 'copy' ? -1 : 1;
}

/** A copy is another file; it is read as the one that it was taken of. */
function asOriginal(file: OpenedFile, { dev, ino, birthNs }: FileIdentity): OpenedFile {
  return {
    get facts() {
      return { ...file.facts, dev, ino, birthNs };
    },
    refresh: () => file.refresh(),
    read: (position, length) => file.read(position, length),
    readInto: (target, position) => file.readInto(target, position),
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

function removeEmpty(folder: string, top: string): void {
  for (let at = folder; at.length > top.length; at = dirname(at)) {
    try {
      rmdirSync(at);
    } catch {
      return;
    }
  }
}

/** Every file below a vault, as the segments of its path. */
export function* filesBelow(dir: string, segments: readonly string[]): Generator<string[]> {
  for (const entry of entriesOf(join(dir, ...segments))) {
    const path = [...segments, entry.name];
    if (entry.isDirectory()) yield* filesBelow(dir, path);
    else yield path;
  }
}

function entriesOf(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}
