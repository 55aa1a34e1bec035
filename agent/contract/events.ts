/**
 * Names of system rows: one table, from which docs/rows.md comes. A further name is no change of the row form,
 * a name that goes away or changes its meaning is.
 */
export const EVENTS = {
  'session.start': 'A coding agent began or resumed a session (one row for each header it wrote).',
  'session.context':
    'What the coding agent told the model about the machine and the project; typed by nobody.',
  'session.editor_context': 'What an editor told the model about open files; typed by nobody.',
  'session.hook_context': 'Text that a hook added for the model; typed by nobody.',
  'session.steered': 'Words that the user sent while the model worked.',
  'session.directories': 'The directories of the workspace changed.',
  'session.summary': 'The coding agent wrote a summary of the session.',
  'session.memory': 'The coding agent wrote notes for later sessions.',
  'session.compressed': 'The history was replaced by a summary; the text is that summary.',
  'session.history_replaced': 'The history that the model sees was replaced; what was in it keeps its rows.',
  'session.rewound': 'The session was rewound; what was rewound keeps its rows.',
  'session.patched': 'Records of the session were changed afterwards, for instance results masked.',
  'session.deleted':
    'A session file went away. Only a running Holdfast, or one that ran before, can see this.',
  'source.changed':
    'A source file was replaced, cut or rewritten in place; it was read again from its start.',
  'source.quarantined':
    'Reading a source file ended the capture process again and again; it is set aside for a while.',
  'message.info': 'A notice that the coding agent showed.',
  'message.warning': 'A warning that the coding agent showed.',
  'message.error': 'An error that the coding agent showed.',
  'model.set': 'First model of a session.',
  'model.change': 'Another model answers from here on.',
  'permission.decision': 'A tool call was refused, cancelled, waits for approval, or was denied by a rule.',
  'parser.error': 'Something in a source file could not be read; the row says what and why.',
  'holdfast.heartbeat': 'Holdfast lives, and how it is.',
} as const satisfies Record<string, string>;

export type EventName = keyof typeof EVENTS;
