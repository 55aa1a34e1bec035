import type { Source } from '../../agent/contract/source.ts';
import { document, is, log, standing } from '../shared/specs.ts';
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
    log('session', 'primary', { matches: isSession, open: openSession }),
    log('subagent', 'primary', { matches: isSubagentLog, open: openSession }),
    document('subagent-meta', 'secondary', { matches: isSubagentMeta, parse: parseSubagentMeta }),
    document('prompt-history', 'secondary', {
      isAhead: true,
      matches: isPromptHistory,
      parse: parsePromptHistory,
    }),
    document('shell-history', 'secondary', {
      isAhead: true,
      matches: isShellHistory,
      parse: parseShellHistory,
    }),
    log('usage', 'secondary', { matches: is('usage_record.jsonl'), open: openUsage }),
    standing('settings', ['store'], { matches: is('settings.json'), read: settingsReader('home') }),
    standing('trusted-folders', ['store'], { matches: is('trustedFolders.json'), read: readTrustedFolders }),
    standing('mcp-approvals', ['store'], { matches: is('mcpApprovals.json'), read: readMcpApprovals }),
    standing('project-settings', ['project'], {
      matches: is('settings.json'),
      read: settingsReader('project'),
    }),
    standing('system-settings', ['system'], { matches: is('settings.json'), read: settingsReader('system') }),
    standing('system-defaults', ['system'], {
      matches: is('system-defaults.json'),
      read: settingsReader('system_defaults'),
    }),
  ],
  skipDirectory: isSkippedDirectory,
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
