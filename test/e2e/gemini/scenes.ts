/** What the scripted model says: a scene is played by the tag in a prompt, one turn per request. */
import type { Scenes } from '../shared/scene.ts';
import type { FunctionCall } from '../shared/wire.ts';

/** Project-relative file that holds the mark of the step that plays. Names hold no mark: they show up in later sessions. */
export const SEEN_FILE = 'src/seen.ts';
/** Where the slow command says its process id. */
export const PID_FILE = 'slow.pid';

export const SCENES: Scenes = {
  plain: (mark) => [{ text: `Good morning from the script, ${mark}.` }],

  think: (mark) => [
    {
      thoughts: [
        ['Reading the request', `It asks for a greeting, ${mark}.`],
        ['Choosing words', `Short ones will do, ${mark}.`],
      ],
      text: `Thought it over, so: hello, ${mark}.`,
    },
  ],

  unicode: (mark) => [
    { text: `Żółć, 東京 🚀, "quotes", back\\slash, tab\there, before\u2028after the separator, ${mark}.` },
  ],

  list: (mark) => [
    {
      thoughts: [['Looking around', `The folder first, ${mark}.`]],
      text: `Let me look, ${mark}.`,
      calls: [call('list_directory', { dir_path: 'src' })],
    },
    { text: `The folder holds what you see, ${mark}.` },
  ],

  read: (mark) => [
    { calls: [call('read_file', { file_path: SEEN_FILE })] },
    { text: `The file names ${mark}.` },
  ],

  write: (mark) => [
    {
      text: `A note first, ${mark}.`,
      calls: [call('write_file', { file_path: 'note.md', content: `# ${mark}\nalpha\n` })],
    },
    {
      calls: [
        call('replace', {
          file_path: 'note.md',
          instruction: `Add a line to the note ${mark}`,
          old_string: 'alpha',
          new_string: 'alpha\nbeta',
        }),
      ],
    },
    { text: `The note has two lines now, ${mark}.` },
  ],

  shell: (mark) => [
    { calls: [shell(`echo "out ${mark}"; echo "err ${mark}" >&2; exit 3`, `Fail on purpose, ${mark}`)] },
    { text: `It ended with 3, ${mark}.` },
  ],

  multi: (mark) => [
    {
      thoughts: [['Several at once', `Four calls, ${mark}.`]],
      text: `Four things together, ${mark}.`,
      calls: [
        call('list_directory', { dir_path: 'src' }),
        call('read_file', { file_path: SEEN_FILE }),
        call('read_file', { file_path: `absent-${mark}.txt` }),
        shell(`echo "fourth ${mark}"`, `Print a word, ${mark}`),
      ],
    },
    {
      thoughts: [['One is absent', `Take another file, ${mark}.`]],
      calls: [call('read_file', { file_path: 'README.md' })],
    },
    { text: `Three of the four went well, ${mark}.` },
  ],

  deny: (mark) => [
    { text: `Sending the branch, ${mark}.`, calls: [shell(`git push origin ${mark}`, `Push, ${mark}`)] },
    { text: `The push was not allowed, ${mark}.` },
  ],

  denymixed: (mark) => [
    {
      calls: [
        call('read_file', { file_path: SEEN_FILE }),
        shell(`git push --force origin ${mark}`, `Push by force, ${mark}`),
      ],
    },
    { text: `One of two was allowed, ${mark}.` },
  ],

  bigout: (mark) => [
    { calls: [shell(`seq 1 15000; echo "end ${mark}"`, `Print a lot, ${mark}`)] },
    { text: `That was a lot, ${mark}.` },
  ],

  /** The API names its calls, and gives the same id twice in one session. */
  sameid: (mark) => [
    { calls: [{ ...call('read_file', { file_path: SEEN_FILE }), id: 'call_1' }] },
    { calls: [{ ...call('read_file', { file_path: 'README.md' }), id: 'call_1' }] },
    { text: `Both bore one id, ${mark}.` },
  ],

  unknown: (mark) => [
    { calls: [call('open_pod_bay', { door: mark })] },
    { text: `Nothing goes by that name, ${mark}.` },
  ],

  badargs: (mark) => [
    { calls: [call('read_file', { pathname: SEEN_FILE })] },
    { text: `Wrong argument name, ${mark}.` },
  ],

  image: (mark) => [
    { calls: [call('read_file', { file_path: 'dot.png' })] },
    { text: `A single dot, ${mark}.` },
  ],

  ask: (mark) => [
    { text: `May I, ${mark}?`, calls: [shell('touch asked.txt', `Make a file, ${mark}`)] },
    { text: `Made it, ${mark}.` },
  ],

  /** Says where it runs, so that a step can wait for it and end it. */
  slow: (mark) => [
    {
      text: `This takes a while, ${mark}.`,
      calls: [shell(`echo $$ > ${PID_FILE}; exec sleep 40`, `Sleep, ${mark}`)],
    },
    { text: `Slept well, ${mark}.` },
  ],

  error400: (mark) => [
    { failure: { code: 400, status: 'INVALID_ARGUMENT', message: `scripted refusal ${mark}` } },
  ],

  nofinish: (mark) => [{ text: `This sentence never ends, ${mark}`, finish: null }],

  safety: (mark) => [{ text: `Stopped half way, ${mark}`, finish: 'SAFETY' }],

  agent: (mark) => [
    {
      text: `Handing over, ${mark}.`,
      calls: [
        call('invoke_agent', {
          agent_name: 'generalist',
          prompt: `[scene:helper ${mark}] look into src and report`,
        }),
      ],
    },
    { text: `The helper is back, ${mark}.` },
  ],

  helper: (mark) => [
    {
      thoughts: [['A small errand', `One listing, ${mark}.`]],
      calls: [call('list_directory', { dir_path: 'src' })],
    },
    { calls: [call('complete_task', { result: { response: `found ${mark}` } })] },
  ],

  late: (mark) => [{ held: true, text: `Late but here, ${mark}.` }],
};

function call(name: string, args: Readonly<Record<string, unknown>>): FunctionCall {
  return { name, args };
}

function shell(command: string, description: string): FunctionCall {
  return call('run_shell_command', { command, description });
}
