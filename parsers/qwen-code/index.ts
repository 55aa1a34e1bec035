import type { DocumentSpec, FileSpec, Place, Source, StandingSpec } from '../../agent/contract/source.ts';
import { projectOf, projectsIn } from './history-place.ts';
import { causesOfDeletion, retention } from './lifecycle.ts';
import {
  isPromptHistory,
  isSession,
  isShellHistory,
  isSkippedDirectory,
  isSubagentLog,
  isSubagentMeta,
} from './paths.ts';
import { parsePromptHistory } from './prompt-history.ts';
import { storesIn } from './relocation.ts';
import { openSession } from './session.ts';
import { parseShellHistory } from './shell-history.ts';
import { readMcpApprovals, readTrustedFolders } from './standing/folders.ts';
import { settingsReader } from './standing/settings.ts';
import { parseSubagentMeta } from './subagent-meta.ts';
import { openUsage } from './usage.ts';

/** Qwen Code. What each file holds and where the facts come from: docs/formats/qwen-code.md. */
export const qwenCode: Source = {
  id: 'qwen-code',
  title: 'Qwen Code',
  version: 1,
  roots: [
    {
      path: '.qwen',
      env: [
        { name: 'QWEN_HOME', names: 'directory' },
        { name: 'QWEN_RUNTIME_DIR', names: 'directory' },
      ],
    },
  ],
  files: [
    { kind: 'log', name: 'session', role: 'primary', matches: isSession, open: openSession },
    { kind: 'log', name: 'subagent', role: 'primary', matches: isSubagentLog, open: openSession },
    document('subagent-meta', isSubagentMeta, parseSubagentMeta),
    { ...document('prompt-history', isPromptHistory, parsePromptHistory), isAhead: true },
    { ...document('shell-history', isShellHistory, parseShellHistory), isAhead: true },
    { kind: 'log', name: 'usage', role: 'secondary', matches: is('usage_record.jsonl'), open: openUsage },
    standing('settings', 'settings.json', settingsReader('home')),
    standing('trusted-folders', 'trustedFolders.json', readTrustedFolders),
    standing('mcp-approvals', 'mcpApprovals.json', readMcpApprovals),
    inPlace('project', standing('project-settings', 'settings.json', settingsReader('project'))),
    inPlace('system', standing('system-settings', 'settings.json', settingsReader('system'))),
    inPlace('system', standing('system-defaults', 'system-defaults.json', settingsReader('system_defaults'))),
  ],
  skipDirectory: isSkippedDirectory,
  retentionDays: 30,
  program: {
    package: '@qwen-code/qwen-code',
    command: 'qwen',
    entries: ['cli.js', 'cli-entry.js', 'dist/cli.js'],
  },
  retention,
  causesOfDeletion,
  projectOf,
  projectsIn,
  storesIn,
  projectDirectory: '.qwen',
  systemDirectories: {
    linux: ['/etc/qwen-code'],
    darwin: ['/Library/Application Support/QwenCode'],
    win32: ['C:\\ProgramData\\qwen-code'],
  },
  filesFromEnv: {
    QWEN_CODE_TRUSTED_FOLDERS_PATH: 'trusted-folders',
    QWEN_CODE_MCP_APPROVALS_PATH: 'mcp-approvals',
    QWEN_CODE_SYSTEM_SETTINGS_PATH: 'system-settings',
    QWEN_CODE_SYSTEM_DEFAULTS_PATH: 'system-defaults',
  },
};

function document(name: string, matches: FileSpec['matches'], parse: DocumentSpec['parse']): FileSpec {
  return { kind: 'document', name, role: 'secondary', matches, parse };
}

function inPlace(place: Place, spec: FileSpec): FileSpec {
  return { ...spec, places: [place] };
}

function standing(name: string, file: string, read: StandingSpec['read']): FileSpec {
  return { kind: 'standing', name, role: 'standing', matches: is(file), read };
}

function is(name: string): FileSpec['matches'] {
  return (path) => path === name;
}
