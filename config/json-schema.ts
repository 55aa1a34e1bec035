import { z } from 'zod';
import { CONFIG } from './schema.ts';
import { CONFIG_KEYS } from './table.ts';

/** The configuration as JSON Schema, for editors and for tools that write config.yaml. Draft 7 is what editors know. */
export function configJsonSchema(): unknown {
  const descriptions = z.registry<{ readonly description: string }>();
  for (const { schema, facts } of CONFIG_KEYS) descriptions.add(schema, { description: facts.doc });
  const { $schema, ...rest } = z.toJSONSchema(CONFIG, {
    io: 'input',
    target: 'draft-7',
    metadata: descriptions,
  });
  return { $schema, title: 'Configuration of Holdfast (config.yaml)', ...rest };
}
