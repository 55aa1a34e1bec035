import { isLoopback } from '../agent/contract/loopback.ts';

/** Words in a query that announce a secret. */
const SECRET_PARAMETER = /token|secret|passw|api_?key|auth|sig(nature)?$/i;

/** What is wrong with the address of a collector, in words; undefined when nothing is. Never quotes the address. */
export function collectorUrlProblem(text: string, allowInsecure: boolean): string | undefined {
  const url = parse(text);
  if (!url) return 'must be an https URL, such as https://collector.example.com/v1/rows';
  if (hasUser(url)) {
    return 'must not hold a user name or password; keep the credential in a file and name it with token_file';
  }
  if (url.hash !== '') return 'must not hold a fragment (#)';
  if ([...url.searchParams.keys()].some((name) => SECRET_PARAMETER.test(name))) {
    return 'must not hold a secret in its query; keep it in a file and name it with token_file';
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname) && !allowInsecure) {
    return 'must be https; plain http is for loopback, or for any host once allow_insecure is true';
  }
  return undefined;
}

/** What is wrong with the address of a proxy. Its credential is kept apart, as a token is. */
export function proxyUrlProblem(text: string): string | undefined {
  const url = parse(text);
  if (!url) return 'must be an http or https URL, such as http://proxy.example.com:3128';
  if (hasUser(url)) {
    return 'must not hold a user name or password; keep user:password in a file and name it with proxy_auth_file';
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return 'must end after the port';
  return undefined;
}

function hasUser(url: URL): boolean {
  return url.username !== '' || url.password !== '';
}

function parse(text: string): URL | undefined {
  const url = URL.parse(text);
  if (!url || url.hostname === '') return undefined;
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}
