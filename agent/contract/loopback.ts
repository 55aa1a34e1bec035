/** Whether a host name of a URL stays on this machine. */
export function isLoopback(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  return name === '[::1]' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}
