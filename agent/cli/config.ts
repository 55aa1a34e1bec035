import { explainConfig } from '../../config/explain.ts';
import type { Origin } from '../../config/load.ts';
import { type GlobalOptions, openContext } from './context.ts';
import { printJson, standardOutput, table } from './output.ts';

/** `holdfast config`: every effective setting and where it came from. Secrets are references and safe to show. */
export async function config(options: GlobalOptions): Promise<void> {
  const settings = explainConfig(openContext(options).loaded);
  const output = standardOutput();
  if (options.json === true) return printJson(output, settings);
  for (const line of table(
    settings.map(({ name, value, origin }) => [name, JSON.stringify(value), originText(origin)]),
  ))
    await output.line(line);
}

function originText(origin: Origin): string {
  switch (origin.kind) {
    case 'default':
      return 'default';
    case 'environment':
      return origin.variable;
    case 'file':
      return `${origin.file}:${origin.line}`;
  }
}
