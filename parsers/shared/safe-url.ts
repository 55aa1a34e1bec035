/**
 * A URL without what may be a secret in it: user name, password, query and fragment. Text that is no URL loses what
 * would be one of these.
 */
export function safeUrl(text: string): string {
  const bare = text.replace(/[?#][\s\S]*$/, '');
  const start = startOfHost(bare);
  const host = hostAt(bare, start);
  const name = host.slice(host.lastIndexOf('@') + 1);
  return bare.slice(0, start) + name + bare.slice(start + host.length);
}

/** Host and port of a URL; undefined when it names none. */
export function hostOf(text: string): string | undefined {
  const url = safeUrl(text);
  const host = url.includes('://') ? hostAt(url, startOfHost(url)) : '';
  return host === '' ? undefined : host;
}

function startOfHost(url: string): number {
  const at = url.indexOf('://');
  return at < 0 ? 0 : at + 3;
}

function hostAt(url: string, start: number): string {
  const end = url.indexOf('/', start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}
