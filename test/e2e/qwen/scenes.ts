/** What the scripted model says: a scene is played by the tag in a prompt, one turn per request. */
import { join } from 'node:path';
import type { Scenes } from '../shared/scene.ts';
import type { FunctionCall } from '../shared/wire.ts';

/** Project-relative file that holds the mark of the step that plays. */
export const SEEN_FILE = 'src/seen.ts';
/** Where the slow command says its process id. */
export const PID_FILE = 'slow.pid';

/** Scenes for the project that each mark belongs to: the program wants absolute paths. */
export function createScenes(projectOf: (mark: string) => string): Scenes {
  const file = (mark: string, name: string) => join(projectOf(mark), name);
  return {
    ...SPOKEN,
    ...SHELL,

    read: (mark) => [
      {
        thoughts: [['Looking around', `The file first, ${mark}.`]],
        text: `Let me look, ${mark}.`,
        calls: [call('read_file', { file_path: file(mark, SEEN_FILE) })],
      },
      { text: `The file names ${mark}.` },
    ],

    write: (mark) => [
      {
        text: `A note first, ${mark}.`,
        calls: [call('write_file', { file_path: file(mark, 'note.md'), content: `# ${mark}\nalpha\n` })],
      },
      {
        calls: [
          call('edit', {
            file_path: file(mark, 'note.md'),
            old_string: 'alpha',
            new_string: `alpha ${mark}\nbeta`,
          }),
        ],
      },
      { text: `The note has two lines now, ${mark}.` },
    ],

    multi: (mark) => [
      {
        thoughts: [['Several at once', `Three calls, ${mark}.`]],
        text: `Three things together, ${mark}.`,
        calls: [
          call('read_file', { file_path: file(mark, SEEN_FILE) }),
          call('read_file', { file_path: file(mark, `absent-${mark}.txt`) }),
          shell(`printf 'third %s' ${mark}`, `Print a word, ${mark}`),
        ],
      },
      { calls: [call('read_file', { file_path: file(mark, 'README.md') })] },
      { text: `Most of it went well, ${mark}.` },
    ],

    denymixed: (mark) => [
      {
        calls: [
          call('read_file', { file_path: file(mark, SEEN_FILE) }),
          shell(`git push --force origin ${mark}`, `Push by force, ${mark}`),
        ],
      },
      { text: `One of two was allowed, ${mark}.` },
    ],

    image: (mark) => [
      { calls: [call('read_file', { file_path: file(mark, 'dot.png') })] },
      { text: `A single dot, ${mark}.` },
    ],

    helper: (mark) => [
      {
        thoughts: [['A small errand', `One file, ${mark}.`]],
        text: `On my way, ${mark}.`,
        calls: [call('read_file', { file_path: file(mark, SEEN_FILE) })],
      },
      { text: `The errand is done, ${mark}.` },
    ],
  };
}

const SPOKEN: Scenes = {
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

  agent: (mark) => [
    {
      text: `Handing over, ${mark}.`,
      calls: [
        call('agent', {
          description: `errand ${mark}`,
          subagent_type: 'general-purpose',
          prompt: `[scene:helper ${mark}] look into src and report`,
        }),
      ],
    },
    { text: `The helper is on its way, ${mark}.` },
  ],

  unknown: (mark) => [
    { calls: [call('open_pod_bay', { door: mark })] },
    { text: `Nothing goes by that name, ${mark}.` },
  ],

  error400: (mark) => [
    { failure: { code: 400, status: 'INVALID_ARGUMENT', message: `scripted refusal ${mark}` } },
  ],
};

const SHELL: Scenes = {
  shell: (mark) => [
    { calls: [shell(`printf 'out %s' ${mark}; exit 3`, `Fail on purpose, ${mark}`)] },
    { text: `It ended with 3, ${mark}.` },
  ],

  deny: (mark) => [
    { text: `Sending the branch, ${mark}.`, calls: [shell(`git push origin ${mark}`, `Push, ${mark}`)] },
    { text: `The push was not allowed, ${mark}.` },
  ],

  ask: (mark) => [
    { text: `May I, ${mark}?`, calls: [shell(`touch asked-${mark}.txt`, `Make a file, ${mark}`)] },
    { text: `That was that, ${mark}.` },
  ],

  /** Says where it runs, so that a step can wait for it and end it. */
  slow: (mark) => [
    {
      text: `This takes a while, ${mark}.`,
      calls: [shell(`echo $$ > ${PID_FILE}; exec sleep 40`, `Sleep, ${mark}`)],
    },
    { text: `Slept well, ${mark}.` },
  ],
};

function call(name: string, args: Readonly<Record<string, unknown>>): FunctionCall {
  return { name, args };
}

function shell(command: string, description: string): FunctionCall {
  return call('run_shell_command', { command, description, is_background: false });
}
