import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const FORMATS = join(ROOT, 'docs/formats');
const AGENTS = ['amazon-q', 'gemini-cli', 'kiro-cli', 'kiro-ide', 'qwen-code'];

/** Pages with tables of which the last column names what holds each line. */
const TABLES: Readonly<Record<string, string>> = {
  'amazon-q.md': 'amazon-q',
  'kiro-cli.md': 'kiro-cli',
  'kiro-ide.md': 'kiro-ide',
  'kiro-edge-cases.md': '',
};

/** What makes a folder a golden fixture, a case, or a recording that a test of its own plays. */
const RESULTS = ['expected.jsonl', 'case.json', 'headers.jsonl'];

interface Named {
  readonly line: string;
  readonly name: string;
}

/** What the last column names, line by line, of the tables whose header says that it names fixtures or tests. */
function heldBy(page: string): Named[] {
  const lines = readFileSync(join(FORMATS, page), 'utf8').split('\n');
  const named: Named[] = [];
  let isHolding = false;
  for (const line of lines) {
    if (!line.startsWith('|')) isHolding = false;
    const last = line.split('|').at(-2) ?? '';
    if (/^\| (?:the seed|#)/.test(line)) isHolding = /fixture/.test(last);
    else if (isHolding) for (const [, name = ''] of last.matchAll(/`([^`]+)`/g)) named.push({ line, name });
  }
  return named;
}

function exists(agent: string, name: string): boolean {
  if (name.startsWith('test/')) return existsSync(join(ROOT, name));
  if (name.endsWith('.test.ts')) return existsSync(join(ROOT, 'test/parsers', name));
  const folders = [join(ROOT, 'fixtures', name), join(ROOT, 'fixtures', agent, name)];
  return folders.some((folder) => RESULTS.some((file) => existsSync(join(folder, file))));
}

describe('documents of formats', () => {
  for (const [page, agent] of Object.entries(TABLES))
    it(`${page} names fixtures and tests that are there`, () => {
      const named = heldBy(page);

      assert.ok(named.length > 5, `${named.length} names`);
      assert.deepEqual(
        named.filter(({ name }) => !exists(agent, name)),
        [],
      );
    });

  it('there is a page for every coding agent', () => {
    const pages = readdirSync(FORMATS);

    assert.deepEqual(
      AGENTS.filter((agent) => !pages.includes(`${agent}.md`)),
      [],
    );
  });

  it('every edge case of the list has a line and a test of its number', () => {
    const page = readFileSync(join(FORMATS, 'kiro-edge-cases.md'), 'utf8');
    const folder = join(ROOT, 'test/parsers/kiro');
    const tests = readdirSync(folder)
      .filter((name) => name.startsWith('edge-cases'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    const numbers = Array.from({ length: 52 }, (_, index) => index + 1);

    assert.deepEqual(
      numbers.filter((number) => !new RegExp(`^\\| ${number} \\|`, 'm').test(page)),
      [],
    );
    assert.deepEqual(
      numbers.filter((number) => !new RegExp(`it\\(\\s*['"\`]${number}: `).test(tests)),
      [],
    );
  });
});
