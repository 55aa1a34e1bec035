import { asList, asObject } from '../../shared/fields.ts';
import { entryOf, jsonObjectReader, PERMISSION, valueText } from '../../shared/standing.ts';

/** Reader of `trusted_hooks.json`: for each project the hooks, as `<name>:<command>`, that may run. */
export const readTrustedHooks = jsonObjectReader((projects) =>
  Object.entries(projects).flatMap(([project, hooks]) =>
    asList(hooks).map((hook) => {
      const value = valueText(hook);
      return entryOf(PERMISSION, {
        key: `trustedHooks.${project}[${value}]`,
        value,
        subject: `trustedHooks=${value}`,
        project,
        attributes: { kind: 'hook', scope: 'home', decision: 'allow', hook: value.split(':', 1)[0] ?? '' },
      });
    }),
  ),
);

/** Reader of `acknowledgments/agents.json`: for each project the subagents, with their hashes, that may run. */
export const readAcknowledgedAgents = jsonObjectReader((projects) =>
  Object.entries(projects).flatMap(([project, agents]) =>
    Object.entries(asObject(agents) ?? {}).map(([agent, hash]) => {
      const value = valueText(hash);
      return entryOf(PERMISSION, {
        key: `acknowledgedAgents.${project}[${agent}]`,
        value,
        subject: `acknowledgedAgents.${agent}=${value}`,
        project,
        attributes: { kind: 'agent', scope: 'home', decision: 'allow', agent },
      });
    }),
  ),
);
