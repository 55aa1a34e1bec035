/**
 * Names of system rows: one table, from which docs/rows.md comes. A further name is no change of the row form,
 * a name that goes away or changes its meaning is.
 */
export const EVENTS = {
  'session.start': 'A coding agent began or resumed a session (one row for each header it wrote).',
  'session.context':
    'What the coding agent told the model about the machine and the project; typed by nobody.',
  'session.scratch_directory':
    'The session works in a copy of the project that the coding agent made for it, and may throw away.',
  'session.editor_context': 'What an editor told the model about open files; typed by nobody.',
  'session.hook_context': 'Text that a hook added for the model; typed by nobody.',
  'session.steered': 'Words that the user sent while the model worked.',
  'session.directories': 'The directories of the workspace changed.',
  'session.summary': 'The coding agent wrote a summary of the session.',
  'session.memory': 'The coding agent wrote notes for later sessions.',
  'session.compressed': 'The history was replaced by a summary; the text is that summary.',
  'session.history_replaced': 'The history that the model sees was replaced; what was in it keeps its rows.',
  'session.cleared':
    'The user cleared the conversation: a new session begins, and the old one keeps its rows.',
  'session.rewound': 'The session was rewound; what was rewound keeps its rows.',
  'session.patched': 'Records of the session were changed afterwards, for instance results masked.',
  'session.checkpoint':
    'The conversation was saved under a tag; its turns are rows only where no session holds them.',
  'session.exported':
    'The conversation was written out to a file, by the user or for a bug report; whether it was sent is not known.',
  'session.branched':
    'The session went on from an earlier record, beside what followed it; both branches keep their rows.',
  'session.agent': 'Another configuration of the coding agent answers from here on.',
  'session.process': 'A process of the coding agent has the session open, or let go of it.',
  'session.other': 'A record of a kind that Holdfast does not know; told by its kind and length.',
  'session.turn': 'A run of the coding agent for one prompt began, or ended; the row says how.',
  'session.listed':
    'A session as the list of the coding agent shows it: its title, and whether it is hidden.',
  'session.migrated': 'The session was copied into another store of the coding agent.',
  'session.title': 'The session got another title, from a person or from the coding agent.',
  'session.origin':
    'Who began the session, when it was no person: another session, or a program that drives it.',
  'session.model': 'A driven session was told which model to use.',
  'session.subagent': 'A subagent was started by the session, or ended.',
  'session.usage':
    'What a run used, as the coding agent counted it at the end: requests, tokens, tool calls.',
  'session.deleted':
    'A session file went away, with the likely cause. Only a running Holdfast, or one that ran before, can see this.',
  'session.expiry':
    'A session from before was read; the row says how long the coding agent will still keep it.',
  'source.changed':
    'A source file was replaced, cut or rewritten in place and read again from its start; or a database was deleted.',
  'source.quarantined':
    'Reading a source file ended the capture process again and again; it is set aside for a while.',
  'message.info': 'A notice that the coding agent showed.',
  'message.warning': 'A warning that the coding agent showed.',
  'message.error': 'An error that the coding agent showed.',
  'model.set': 'First model of a session.',
  'model.change': 'Another model answers from here on.',
  'permission.decision': 'A tool call was refused, cancelled, waits for approval, or was denied by a rule.',
  'permission.mode':
    'How calls are approved from here on, as far as it was recorded; trust_all when nothing asks any more.',
  'permission.setting':
    'A standing permission: what the file held at first sight, what was added, changed or removed.',
  'retention.setting': 'How long the coding agent keeps its sessions was set, changed or unset.',
  'model.setting': 'The default model was set, changed or unset.',
  'telemetry.setting': 'What the coding agent sends to whom as telemetry was set, changed or unset.',
  'steering.file':
    'Standing instructions for the model were added, changed or removed; told by hash and length.',
  'mcp.server':
    'A tool server was configured, changed or removed; told by its structure, never by its secrets.',
  'extension.installed': 'An extension of the coding agent was installed, changed or removed.',
  'command.slash': 'The user gave the coding agent a command that is no prompt.',
  'prompt.automatic':
    "Something that the coding agent sent to the model in the user's name: a notification, a scheduled prompt.",
  'prompt.files': 'Files that a prompt mentions, and whether they could be read.',
  'prompt.other': 'An entry of a prompt history that is no prompt of the user.',
  'tool.checkpoint': 'The coding agent saved the state of the project before a tool changed it.',
  'activity.console': 'Something that the coding agent wrote to its own console.',
  'activity.network': 'A request of the coding agent to a service, or its outcome; never its content.',
  'parser.error': 'Something in a source file could not be read; the row says what and why.',
  'holdfast.heartbeat': 'Holdfast lives, and how it is.',
} as const satisfies Record<string, string>;

export type EventName = keyof typeof EVENTS;
