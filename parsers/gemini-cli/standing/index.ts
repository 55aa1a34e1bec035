import type { FileSpec, Place, StandingSpec } from '../../../agent/contract/source.ts';
import { readExtension, readExtensionInstall } from './extensions.ts';
import { readAcknowledgedAgents, readTrustedHooks } from './keyed-by-project.ts';
import { isExtension, isExtensionInstall, isPolicy } from './paths.ts';
import { policyReader } from './policies.ts';
import { settingsReader } from './settings.ts';
import { readTrustedFolders } from './trusted-folders.ts';

/** Settings and grants of the user, of a project and of the machine, told as differences. */
export const STANDING_FILES: readonly FileSpec[] = [
  standing('settings', is('settings.json'), settingsReader('home')),
  standing('trusted-folders', is('trustedFolders.json'), readTrustedFolders),
  standing('policy', isPolicy, policyReader('home')),
  standing('trusted-hooks', is('trusted_hooks.json'), readTrustedHooks),
  standing('acknowledged-agents', is('acknowledgments/agents.json'), readAcknowledgedAgents),
  standing('extension', isExtension, readExtension),
  standing('extension-install', isExtensionInstall, readExtensionInstall),
  inPlace('project', standing('project-settings', is('settings.json'), settingsReader('project'))),
  inPlace('project', standing('project-policy', isPolicy, policyReader('project'))),
  inPlace('system', standing('system-settings', is('settings.json'), settingsReader('system'))),
  inPlace(
    'system',
    standing('system-defaults', is('system-defaults.json'), settingsReader('system_defaults')),
  ),
  inPlace('system', standing('system-policy', isPolicy, policyReader('system'))),
];

function inPlace(place: Place, spec: FileSpec): FileSpec {
  return { ...spec, places: [place] };
}

function is(name: string): FileSpec['matches'] {
  return (path) => path === name;
}

function standing(name: string, matches: FileSpec['matches'], read: StandingSpec['read']): FileSpec {
  return { kind: 'standing', name, role: 'standing', matches, read };
}
