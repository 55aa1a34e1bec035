import type { DocumentSpec, FileSpec, Source, StandingSpec } from '../../agent/contract/source.ts';
import { projectOf } from './history-place.ts';
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
import { openSession } from './session.ts';
import { parseShellHistory } from './shell-history.ts';
import { readMcpApprovals, readTrustedFolders } from './standing/folders.ts';
import { readSettings } from './standing/settings.ts';
import { parseSubagentMeta } from './subagent-meta.ts';
import { openUsage } from './usage.ts';

/** Qwen Code. What each file holds and where the facts come from: docs/formats/qwen-code.md. */
export const qwenCode: Source = {
  id: 'qwen-code',
  title: 'Qwen Code',
  version: 1,
  roots: [{ path: '.qwen' }],
  files: [
    { kind: 'log', name: 'session', role: 'primary', matches: isSession, open: openSession },
    { kind: 'log', name: 'subagent', role: 'primary', matches: isSubagentLog, open: openSession },
    document('subagent-meta', isSubagentMeta, parseSubagentMeta),
    document('prompt-history', isPromptHistory, parsePromptHistory),
    document('shell-history', isShellHistory, parseShellHistory),
    { kind: 'log', name: 'usage', role: 'secondary', matches: is('usage_record.jsonl'), open: openUsage },
    standing('settings', 'settings.json', readSettings),
    standing('trusted-folders', 'trustedFolders.json', readTrustedFolders),
    standing('mcp-approvals', 'mcpApprovals.json', readMcpApprovals),
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
};

function document(name: string, matches: FileSpec['matches'], parse: DocumentSpec['parse']): FileSpec {
  return { kind: 'document', name, role: 'secondary', matches, parse };
}

function standing(name: string, file: string, read: StandingSpec['read']): FileSpec {
  return { kind: 'standing', name, role: 'standing', matches: is(file), read };
}

function is(name: string): FileSpec['matches'] {
  return (path) => path === name;
}
