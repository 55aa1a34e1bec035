import type { FileSpec } from '../../../agent/contract/source.ts';
import { document, log } from '../../shared/specs.ts';
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
  document('chat-checkpoint', 'secondary', { matches: isCheckpoint, parse: parseSaved(CHECKPOINT) }),
  document('bug-export', 'secondary', { matches: isBugExport, parse: parseSaved(BUG_EXPORT) }),
  document('tool-checkpoint', 'secondary', { matches: isToolCheckpoint, parse: parseToolCheckpoint }),
  log('activity-log', 'secondary', { matches: isActivityLog, open: openActivityLog }),
];
