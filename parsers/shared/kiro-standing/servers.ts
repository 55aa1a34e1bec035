import type { StandingEntry } from '../../../agent/contract/source.ts';
import { asList, asObject, type JsonObject } from '../fields.ts';
import { mcpServerEntries } from '../mcp-servers.ts';
import { entryOf, jsonObjectReader, PERMISSION } from '../standing.ts';
import { isWildcard } from './wildcard.ts';

/**
 * Reader of `settings/mcp.json`: tool servers by their structure, and which of their tools run without asking or not
 * at all. Arguments, variables and headers are never told: they embed credentials.
 */
export const readServers = jsonObjectReader((file, context) => {
  const servers = asObject(file['mcpServers']) ?? {};
  const entries = [
    ...mcpServerEntries(servers, {}),
    ...Object.entries(servers).flatMap(([name, value]) => toolEntries(name, asObject(value) ?? {})),
  ];
  const project = context.project(undefined);
  return project === undefined ? entries : entries.map((entry) => ({ ...entry, project }));
});

function toolEntries(server: string, value: JsonObject): StandingEntry[] {
  return [
    ...listEntries(server, value, { list: 'autoApprove', decision: 'allow' }),
    ...listEntries(server, value, { list: 'disabledTools', decision: 'deny' }),
    ...(value['disabled'] === true ? [disabledEntry(server)] : []),
  ];
}

interface ToolList {
  readonly list: 'autoApprove' | 'disabledTools';
  readonly decision: 'allow' | 'deny';
}

function listEntries(server: string, value: JsonObject, { list, decision }: ToolList): StandingEntry[] {
  return asList(value[list]).flatMap((tool) => {
    if (typeof tool !== 'string') return [];
    const key = `mcpServers.${server}.${list}`;
    return [
      entryOf(PERMISSION, {
        key: `${key}[${tool}]`,
        value: tool,
        subject: `${key}=${tool}`,
        attributes: {
          kind: 'mcp_tool',
          server,
          tool,
          decision,
          ...(decision === 'allow' && isWildcard(tool) && { trust_all: true }),
        },
      }),
    ];
  });
}

function disabledEntry(server: string): StandingEntry {
  const key = `mcpServers.${server}.disabled`;
  return entryOf(PERMISSION, {
    key,
    value: 'true',
    attributes: { kind: 'mcp_server', server, decision: 'deny' },
  });
}
