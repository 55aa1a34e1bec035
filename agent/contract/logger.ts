/** Facts of one log line. Never row text: lengths, ids, counts and names only. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * What a component logs through. The message is static; what varies goes into fields, so that equal
 * events group. Warnings and errors carry `event`, an id that docs/operations.md explains.
 */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields: LogFields & { readonly event: string }): void;
  error(message: string, fields: LogFields & { readonly event: string }): void;
  child(component: string): Logger;
}

export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
};
