import type { Attributes } from '../../../agent/contract/row.ts';
import type { ParseContext, StandingEntry } from '../../../agent/contract/source.ts';
import { asObject, asText } from '../../shared/fields.ts';
import { safeUrl } from '../../shared/safe-url.ts';
import { type EntryKind, entryOf, jsonObjectReader, valueText } from '../../shared/standing.ts';

const EXTENSION = { label: 'extension', event: 'extension.installed' } satisfies EntryKind;

/** Reader of `extensions/<name>/gemini-extension.json`: what the extension says of itself. */
export const readExtension = jsonObjectReader((manifest) => {
  const name = asText(manifest['name']) ?? '-';
  const version = textOf(manifest['version']);
  const servers = Object.keys(asObject(manifest['mcpServers']) ?? {}).sort();
  return [
    extensionEntry(
      { key: `extension.${name}`, name },
      {
        ...(version !== undefined && { version }),
        ...(servers.length > 0 && { mcp_servers: servers.join(',') }),
      },
    ),
  ];
});

/** Reader of `extensions/<name>/.gemini-extension-install.json`: where the extension came from. */
export const readExtensionInstall = jsonObjectReader((install, context) => {
  const source = textOf(install['source']);
  return [
    extensionEntry(
      { key: 'extensionInstall', name: folderName(context) },
      {
        ...(source !== undefined && { source: safeUrl(source) }),
        ...textFact('type', install['type']),
        ...textFact('ref', install['ref']),
        ...textFact('release', install['releaseTag']),
        ...textFact('auto_update', install['autoUpdate']),
      },
    ),
  ];
});

function extensionEntry(
  { key, name }: { readonly key: string; readonly name: string },
  facts: Readonly<Record<string, string>>,
): StandingEntry {
  const value = Object.entries(facts)
    .map(([key, fact]) => `${key}=${fact}`)
    .join(' ');
  const attributes: Attributes = { kind: 'extension', scope: 'home', extension: name, ...facts };
  return entryOf(EXTENSION, {
    key,
    value,
    subject: value === '' ? name : `${name} ${value}`,
    attributes,
  });
}

function textFact(name: string, value: unknown): Readonly<Record<string, string>> {
  const text = textOf(value);
  return text === undefined ? {} : { [name]: text };
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : valueText(value);
}

function folderName({ path }: ParseContext): string {
  return path.split('/').at(-2) ?? '';
}
