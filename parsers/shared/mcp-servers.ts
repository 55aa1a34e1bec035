import type { Attributes } from '../../agent/contract/row.ts';
import type { StandingEntry } from '../../agent/contract/source.ts';
import { asObject, asText } from './fields.ts';
import { hostOf } from './safe-url.ts';
import { type EntryKind, entryOf } from './standing.ts';

const MCP_SERVER = { label: 'mcp server', event: 'mcp.server' } satisfies EntryKind;

/** How a server is reached: the transport, and the host or program behind it. */
interface Reach {
  readonly transport: string;
  readonly target: Attributes;
}

/**
 * MCP servers by their structure: how each is reached, whether its tools run without asking, and which variables
 * and headers it gets, by name. Arguments, addresses and values are never told: they embed credentials.
 */
export function mcpServerEntries(servers: unknown, shared: Attributes): StandingEntry[] {
  return Object.entries(asObject(servers) ?? {}).map(([name, value]) => {
    const server = asObject<RawServer>(value) ?? {};
    const { transport, target } = reachOf(server);
    const isTrusted = server.trust === true;
    const facts = [
      `transport=${transport}`,
      ...Object.entries(target).map(([key, fact]) => `${key}=${fact}`),
      `trust=${isTrusted}`,
      ...namesText('env', server.env),
      ...namesText('headers', server.headers),
    ].join(' ');
    return entryOf(MCP_SERVER, {
      key: `mcpServers.${name}`,
      value: facts,
      subject: `${name} ${facts}`,
      attributes: {
        kind: 'mcp_server',
        ...shared,
        server: name,
        transport,
        trust: isTrusted,
        ...target,
      },
    });
  });
}

interface RawServer {
  readonly command?: unknown;
  readonly url?: unknown;
  readonly httpUrl?: unknown;
  readonly type?: unknown;
  readonly trust?: unknown;
  readonly env?: unknown;
  readonly headers?: unknown;
}

/** As the programs choose: `httpUrl` before `url`, an address before a command. */
function reachOf({ command, url, httpUrl, type }: RawServer): Reach {
  const address = asText(httpUrl) ?? asText(url);
  if (address !== undefined) {
    const isHttp = asText(httpUrl) !== undefined || type === 'http';
    return { transport: isHttp ? 'http' : 'sse', target: { host: hostOf(address) ?? '-' } };
  }
  const program = asText(command);
  return program === undefined
    ? { transport: '-', target: {} }
    : { transport: 'stdio', target: { command: baseName(program) } };
}

/** Name of the program, without its folder and without anything that follows it. */
function baseName(command: string): string {
  const [program = ''] = command.trim().split(/\s/, 1);
  return program.slice(Math.max(program.lastIndexOf('/'), program.lastIndexOf('\\')) + 1);
}

function namesText(label: string, value: unknown): string[] {
  const names = Object.keys(asObject(value) ?? {});
  return names.length === 0 ? [] : [`${label}=[${names.sort().join(',')}]`];
}
