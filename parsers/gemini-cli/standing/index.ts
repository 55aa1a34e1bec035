import type { FileSpec, Place } from '../../../agent/contract/source.ts';
import { is, standing } from '../../shared/specs.ts';
import { readExtension, readExtensionInstall } from './extensions.ts';
import { readAcknowledgedAgents, readTrustedHooks } from './keyed-by-project.ts';
import { isExtension, isExtensionInstall, isPolicy } from './paths.ts';
import { policyReader } from './policies.ts';
import { settingsReader } from './settings.ts';
import { readTrustedFolders } from './trusted-folders.ts';

const STORE: readonly Place[] = ['store'];
const PROJECT: readonly Place[] = ['project'];
const SYSTEM: readonly Place[] = ['system'];

/** Settings and grants of the user, of a project and of the machine, told as differences. */
export const STANDING_FILES: readonly FileSpec[] = [
  standing('settings', STORE, { matches: is('settings.json'), read: settingsReader('home') }),
  standing('trusted-folders', STORE, { matches: is('trustedFolders.json'), read: readTrustedFolders }),
  standing('policy', STORE, { matches: isPolicy, read: policyReader('home') }),
  standing('trusted-hooks', STORE, { matches: is('trusted_hooks.json'), read: readTrustedHooks }),
  standing('acknowledged-agents', STORE, {
    matches: is('acknowledgments/agents.json'),
    read: readAcknowledgedAgents,
  }),
  standing('extension', STORE, { matches: isExtension, read: readExtension }),
  standing('extension-install', STORE, { matches: isExtensionInstall, read: readExtensionInstall }),
  standing('project-settings', PROJECT, { matches: is('settings.json'), read: settingsReader('project') }),
  standing('project-policy', PROJECT, { matches: isPolicy, read: policyReader('project') }),
  standing('system-settings', SYSTEM, { matches: is('settings.json'), read: settingsReader('system') }),
  standing('system-defaults', SYSTEM, {
    matches: is('system-defaults.json'),
    read: settingsReader('system_defaults'),
  }),
  standing('system-policy', SYSTEM, { matches: isPolicy, read: policyReader('system') }),
];
