import type { FileSpec } from '../../../agent/contract/source.ts';
import { openActivityLog } from './activity-log.ts';
import {
  isActivityLog,
  isBugExport,
  isCheckpoint,
  isPromptHistory,
  isShellHistory,
  isToolCheckpoint,
} from './paths.ts';
import { parsePromptHistory } from './prompt-history.ts';
import { BUG_EXPORT, CHECKPOINT, parseSaved } from './saved-history.ts';
import { parseShellHistory } from './shell-history.ts';
import { parseToolCheckpoint } from './tool-checkpoint.ts';

/** Files beside the sessions: copies of what was said, and traces that sessions do not hold. */
export const SECONDARY_FILES: readonly FileSpec[] = [
  // Hooks and commands run between what was typed and its record.
  { ...document('prompt-history', isPromptHistory, parsePromptHistory), isAhead: true },
  { ...document('shell-history', isShellHistory, parseShellHistory), isAhead: true },
  document('chat-checkpoint', isCheckpoint, parseSaved(CHECKPOINT)),
  document('bug-export', isBugExport, parseSaved(BUG_EXPORT)),
  document('tool-checkpoint', isToolCheckpoint, parseToolCheckpoint),
  { kind: 'log', name: 'activity-log', role: 'secondary', matches: isActivityLog, open: openActivityLog },
];

type Parse = Extract<FileSpec, { kind: 'document' }>['parse'];

function document(name: string, matches: FileSpec['matches'], parse: Parse): FileSpec {
  return { kind: 'document', name, role: 'secondary', matches, parse };
}
