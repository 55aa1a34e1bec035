import { hash } from 'node:crypto';

/**
 * Name under which something typed may stand in a history file, which knows neither session nor time. Prompts of every
 * engine claim it; entries of the histories carry it as `copyOf`.
 */
export function typedName(text: string): string {
  return `typed ${hash('sha256', text.trim(), 'base64url')}`;
}
