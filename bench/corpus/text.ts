import { createRng, type Rng } from './rng.ts';

export type TextKind = 'prose' | 'code';

const WORDS = [
  ...['please', 'look', 'into', 'why', 'the', 'build', 'of', 'this', 'service', 'fails', 'after', 'every'],
  ...[
    'upgrade',
    'and',
    'tell',
    'me',
    'which',
    'file',
    'we',
    'should',
    'change',
    'first',
    'so',
    'that',
    'old',
  ],
  ...['clients', 'keep', 'working', 'while', 'new', 'ones', 'may', 'use', 'a', 'shorter', 'path', 'to', 'it'],
  ...['invoice', 'ledger', 'parser', 'socket', 'header', 'schema', 'index', 'token', 'buffer', 'worker'],
] as const;

const NON_ASCII = [
  ...['Größe überprüft', 'déjà vu à l’accueil', 'señal añadida', 'проверка пройдена', '設定を保存しました'],
  ...['文件已经更新', 'σύνολο γραμμών', '🚀 ausgeliefert', '✔ 12 Tests', 'naïve coöperation', 'İstanbul'],
] as const;

/** One line of code-like text. Quotes, tabs and backslashes are there because they must be escaped in JSON. */
const CODE: readonly ((rng: Rng) => string)[] = [
  (rng) => `\tconst ${word(rng)} = ${word(rng)}s.get("${rng.hex(6)}") ?? [];`,
  (rng) => `  if (${word(rng)} === undefined) throw new Error('no ${word(rng)} in ${rng.hex(4)}');`,
  (rng) => `    at ${word(rng)} (/home/alice/code/src/${word(rng)}.ts:${rng.int(1, 900)}:${rng.int(1, 80)})`,
  (rng) =>
    `{"level":"info","at":${rng.int(1, 1e9)},"msg":"${word(rng)} ${word(rng)}","path":"C:\\\\${word(rng)}"}`,
  (rng) => `+export function ${word(rng)}(${word(rng)}: string): number { return ${rng.int(0, 999)}; }`,
  (rng) => `-rw-r--r-- 1 alice alice ${rng.int(10, 99_999)} ${word(rng)}-${rng.hex(5)}.json`,
  (rng) => `SELECT ${word(rng)}, count(*) FROM ${word(rng)} WHERE id = '${rng.hex(12)}';`,
  (rng) => `# ${rng.pick(NON_ASCII)} ${rng.hex(8)}`,
];

const POOL_CHARS = 1 << 20;

/**
 * Text is cut out of a pool that is made once: a corpus of megabytes then costs little to write. It
 * compresses better than real text does, so sizes on the wire are not measured with it.
 */
const pools: Partial<Record<TextKind, string>> = {};

export function makeText(rng: Rng, chars: number, kind: TextKind = 'prose'): string {
  pools[kind] ??= makePool(kind);
  const pool = pools[kind];
  const pieces: string[] = [];
  for (let left = chars; left > 0; left -= POOL_CHARS) {
    const length = Math.min(left, POOL_CHARS);
    const start = rng.int(0, POOL_CHARS - length);
    pieces.push(pool.slice(start, start + length));
  }
  return pieces.join('');
}

function makePool(kind: TextKind): string {
  const rng = createRng(`pool ${kind}`);
  const lines: string[] = [];
  for (let chars = 0; chars < POOL_CHARS; ) {
    const line = kind === 'code' ? `${rng.pick(CODE)(rng)}\n` : sentence(rng);
    lines.push(line);
    chars += line.length;
  }
  return lines.join('').slice(0, POOL_CHARS);
}

function sentence(rng: Rng): string {
  if (rng.chance(0.04)) return `${rng.pick(NON_ASCII)} ${word(rng)}. `;
  const words = Array.from({ length: rng.int(5, 16) }, () => word(rng));
  return `${words.join(' ')} ${rng.hex(rng.int(2, 6))}.${rng.chance(0.2) ? '\n' : ' '}`;
}

export function word(rng: Rng): string {
  return rng.pick(WORDS);
}
