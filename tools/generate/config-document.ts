import { AGENTS } from '../../agent/contract/row.ts';
import { CONFIG_KEYS, type ConfigKey } from '../../config/table.ts';
import { code, generatedNote, table } from './markdown.ts';

const INTRO = `# Configuration

Holdfast runs without any configuration: it then observes the homes it finds and keeps rows in its
embedded collector. What you set is laid over these defaults, each layer over the one before it:

1. the defaults in the tables below;
2. \`config.yaml\`;
3. the files \`conf.d/*.yaml\` beside it, in the order of their names;
4. environment variables.

\`config.yaml\` and \`conf.d\` lie in this folder:

| | Linux | macOS | Windows |
| --- | --- | --- | --- |
| service | \`/etc/holdfast/\` | \`/Library/Application Support/Holdfast/\` | \`%ProgramData%\\Holdfast\\\` |
| your own | \`~/.config/holdfast/\` | \`~/Library/Application Support/Holdfast/\` | \`%APPDATA%\\Holdfast\\\` |

Maps are merged key by key. A list or a single value replaces the earlier one as a whole.
\`holdfast config\` prints the outcome and where each value came from; \`holdfast check\` prints everything
that is wrong, each with file, line and column. A key that does not exist is an error, not a no-op.
A reload reads everything again: it is applied as a whole, or refused as a whole while the old
configuration stays. Keys marked *restart* take effect when the service starts again.

**Environment.** Every key outside of lists has a variable: \`HOLDFAST_\` and its path in upper case, with
\`_\` for \`.\` and \`-\`. So \`capture.sweep_seconds\` is \`HOLDFAST_CAPTURE_SWEEP_SECONDS\`. Lists and maps are
written as YAML: \`HOLDFAST_SINKS='[{type: file, path: /var/log/rows.jsonl}]'\`. An empty variable is
ignored; one with this prefix that overrides nothing gives a warning.

**Secrets** are never in the configuration. A key whose name ends in \`_file\` names a file that holds the
secret, one that ends in \`_env\` an environment variable. Such files belong to the user of the service
with mode 0600; with systemd, LoadCredential= provides them. User names and passwords inside of URLs are
refused. The credential of a proxy is \`user:password\` behind \`proxy_auth_file\` or \`proxy_auth_env\`.

**Paths** are absolute: a service has no working directory to rely on.

**Who may write it.** A service refuses configuration files (and a \`conf.d\`) that their group or everyone
can write, and files of any owner but root and itself: whoever writes them decides where rows go.

An example with every key is \`config/generated/holdfast.example.yaml\`. Editors that know JSON Schema can
check files against \`config/generated/holdfast.schema.json\`.
`;

const HEAD = ['Key', 'Value', 'Default', 'Meaning'];

/** docs/config.md, from the table of keys. */
export function configDocument(): string {
  const top = CONFIG_KEYS.filter(({ path, isSection }) => path.length === 1 && !isSection);
  const sections = CONFIG_KEYS.filter(({ path, isSection }) => path.length === 1 && isSection);
  const parts = [
    generatedNote('config/schema.ts'),
    INTRO,
    `## Top level\n\n${keyTable(top)}\n`,
    ...sections.map(sectionPart),
    ...variants().map(variantPart),
  ];
  return parts.join('\n');
}

function sectionPart(section: ConfigKey): string {
  const keys = CONFIG_KEYS.filter(
    (key) => key.path[0] === section.name && !key.isSection && isFirstAgent(key),
  );
  return `## ${section.name}\n\n${section.facts.doc}\n\n${keyTable(keys)}\n`;
}

function variantPart(variant: string): string {
  const keys = CONFIG_KEYS.filter((key) => key.variant === variant && !key.isSection);
  return `## Sinks of type ${variant}\n\n${keyTable(keys)}\n`;
}

function variants(): string[] {
  return [...new Set(CONFIG_KEYS.flatMap(({ variant }) => variant ?? []))];
}

/** Coding agents all have the same keys; one of them stands for all. */
function isFirstAgent({ path }: ConfigKey): boolean {
  return path[0] !== 'sources' || path[1] === AGENTS[0];
}

function keyTable(keys: readonly ConfigKey[]): string {
  return table(
    HEAD,
    keys.map((key) => [code(nameOf(key)), key.expected, defaultOf(key), meaningOf(key)]),
  );
}

function nameOf({ name, variant }: ConfigKey): string {
  const plain = variant === null ? name : name.replace(/^.*\[\]\./, '');
  return plain.replace(`sources.${AGENTS[0]}`, 'sources.<agent>');
}

function defaultOf({ defaultValue }: ConfigKey): string {
  return defaultValue === undefined ? 'must be given' : code(JSON.stringify(defaultValue));
}

function meaningOf({ facts, path }: ConfigKey): string {
  const agents =
    path[0] === 'sources' && path[2] === 'enabled' ? ` Agents: ${AGENTS.map(code).join(', ')}.` : '';
  return `${facts.doc}${agents}${facts.secret ? ' Names a secret.' : ''}${facts.restart ? ' *Restart.*' : ''}`;
}
