import { BlockList, isIP } from 'node:net';

/**
 * Whether a URL is reached without the proxy. Entries as curl reads NO_PROXY: `*`, a host name (with
 * everything below it), `.name` or `*.name`, an address, a CIDR range; each optionally with `:port`.
 */
export function bypassesProxy(url: URL, entries: readonly string[]): boolean {
  const host = url.hostname.toLowerCase().replace(/^\[|\]$/g, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return entries.some((entry) => matches(entry.trim().toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  if (entry.includes('/')) return inRange(entry, host);
  const withPort = /^(.+):(\d+)$/.exec(entry);
  if (withPort?.[1] && isIP(entry) === 0) {
    return withPort[2] === port && matchesName(withPort[1], host);
  }
  return matchesName(entry, host);
}

function matchesName(entry: string, host: string): boolean {
  const name = entry.replace(/^\*?\./, '').replace(/^\[|\]$/g, '');
  if (host === name) return true;
  return isIP(host) === 0 && host.endsWith(`.${name}`);
}

function inRange(entry: string, host: string): boolean {
  const [network = '', bits = ''] = entry.split('/');
  const [family, hostFamily] = [isIP(network), isIP(host)];
  const prefix = Number(bits);
  if (family === 0 || family !== hostFamily || !/^\d{1,3}$/.test(bits)) return false;
  if (prefix > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const type = family === 4 ? 'ipv4' : 'ipv6';
  list.addSubnet(network, prefix, type);
  return list.check(host, type);
}
