import { stringify } from 'yaml';
import { CONFIG_KEYS, type ConfigKey } from '../../config/table.ts';

const HEAD = `# yaml-language-server: $schema=./holdfast.schema.json
# Configuration of Holdfast, generated with npm run generate. docs/config.md says more about every key.
# Every setting is commented out and shows its default or an example. To set one, remove the # in front
# of it and of the names above it. Lines with a blank after the # are explanations.
`;

/** Width that keeps explanations readable in a terminal. */
const WIDTH = 100;

/** A config.yaml that shows every key and sets none. Without the leading # it is a whole configuration. */
export function configExample(): string {
  const blocks = CONFIG_KEYS.map((key) => {
    const indent = '  '.repeat(depthOf(key));
    const comment = wrap(explain(key), WIDTH - indent.length).map((line) => `# ${line}`);
    return [...comment, ...settingLines(key).map((line) => `#${indentOf(key)}${line}`)].join('\n');
  });
  return `${HEAD}\n${blocks.join('\n\n')}\n`;
}

function explain({ facts, expected, isSection }: ConfigKey): string {
  const value = isSection ? '' : ` Must be ${expected}.`;
  return `${facts.doc}${value}${facts.restart ? ' A change needs a restart.' : ''}`;
}

/** `name:` of a map of keys or of a list whose keys follow; otherwise the key with a value. */
function settingLines(key: ConfigKey): string[] {
  const name = key.path.at(-1) ?? '';
  if (key.isSection || hasItems(key)) return [`${name}:`];
  const value = key.facts.example ?? key.defaultValue ?? (name === 'type' ? key.variant : null);
  return stringify({ [name]: value }, { lineWidth: 0 })
    .trimEnd()
    .split('\n');
}

/** The first key of a list item carries the dash. */
function indentOf(key: ConfigKey): string {
  const indent = '  '.repeat(depthOf(key));
  const startsItem = key.path.at(-2) === '[]' && key.path.at(-1) === 'type';
  return startsItem ? `${indent.slice(2)}- ` : indent;
}

function depthOf({ path }: ConfigKey): number {
  return path.length - 1;
}

function hasItems({ path }: ConfigKey): boolean {
  return CONFIG_KEYS.some(
    (other) => other.path[path.length] === '[]' && path.every((name, i) => other.path[i] === name),
  );
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
