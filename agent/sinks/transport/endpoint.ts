/** Address of an endpoint below a configured URL, whose query stays and which may already end with the path. */
export function endpointUrl(base: string, path: string): URL {
  const url = new URL(base);
  const prefix = withoutEnd(url.pathname.replace(/\/+$/, ''), path);
  url.pathname = prefix + path;
  return url;
}

function withoutEnd(path: string, end: string): string {
  return path.endsWith(end) ? path.slice(0, -end.length) : path;
}
