import assert from 'node:assert/strict';
import { assistant, eventRow, eventRows, parse, said, system, user, uuid } from './support.ts';

describe('parsers/qwen-code/system', () => {
  it('tells a compression by its summary, and repeats no turn that was kept', () => {
    const { rows } = parse([
      user(1, 'a'),
      system(2, 'chat_compression', {
        info: { originalTokenCount: 9000, newTokenCount: 40, triggerReason: 'auto' },
        compressedHistory: [
          { role: 'user', parts: [{ text: 'They talked.' }] },
          { role: 'model', parts: [{ text: 'Got it.' }] },
          { role: 'user', parts: [{ text: 'a' }] },
        ],
      }),
    ]);

    assert.deepEqual(said(rows), ['user: a', 'session.compressed: They talked.']);
    const { attributes } = eventRow(rows, 'session.compressed');
    assert.equal(attributes?.['tokens_before'], 9000);
    assert.equal(attributes['tokens_after'], 40);
    assert.equal(attributes['trigger'], 'auto');
  });

  it('tells a rewind; what was rewound keeps its rows', () => {
    const { rows } = parse([
      user(1, 'a'),
      user(2, 'b'),
      system(3, 'rewind', { truncatedCount: 2 }, { parentUuid: uuid(1) }),
      user(4, 'c'),
    ]);

    assert.deepEqual(said(rows), ['user: a', 'user: b', `session.rewound: rewound to ${uuid(1)}`, 'user: c']);
    assert.equal(eventRow(rows, 'session.rewound').attributes?.['removed_items'], 2);
  });

  it('tells each title once, also one that comes back', () => {
    const titles = ['one', 'one', 'two', 'one'];

    const { rows } = parse(titles.map((customTitle, i) => system(i + 1, 'custom_title', { customTitle })));

    assert.deepEqual(said(rows), [
      'session.title: session title: one',
      'session.title: session title: two',
      'session.title: session title: one',
    ]);
  });

  it('tells who began the session, and its model', () => {
    const source = { sourceType: 'vscode', sourceId: 'w1' };

    const { rows } = parse([
      system(1, 'parent_session', { parentSessionId: 'p1' }),
      system(2, 'session_source', source),
      system(3, 'session_source', source),
      system(4, 'session_model', { modelId: 'plus', authType: 'openai', baseUrl: 'https://u:p@host' }),
    ]);

    assert.deepEqual(said(rows), [
      'session.origin: session origin: session p1',
      'session.origin: session origin: vscode w1',
      'session.model: session model: plus',
    ]);
  });

  it('tells a failed request or turn, and no other telemetry', () => {
    const event = (name: string, more = {}) => ({ uiEvent: { 'event.name': `qwen-code.${name}`, ...more } });

    const { rows } = parse([
      system(1, 'ui_telemetry', event('api_response', { response_text: 'hello' })),
      system(2, 'ui_telemetry', event('api_error', { error_message: 'quota', status_code: 429 })),
      system(3, 'ui_telemetry', event('api_error', { error_message: 'quota', subagent_name: 'extractor' })),
      system(4, 'turn_result', { state: 'completed', resultText: 'hello' }),
      system(5, 'turn_result', { state: 'error', error: { message: 'out of time', code: '408' } }),
    ]);

    assert.deepEqual(said(rows), ['message.error: API error: quota', 'message.error: out of time']);
  });

  it('is silent about the bookkeeping of the program', () => {
    const { rows, context } = parse(
      [
        'attribution_snapshot',
        'file_history_snapshot',
        'branch_checkpoint',
        'agent_bootstrap',
        'goal_state',
      ].map((subtype, i) => system(i + 1, subtype, { history: [{ parts: [{ text: 'copied' }] }] })),
    );

    assert.deepEqual(said(rows), []);
    assert.equal(context.notes.size, 0);
  });

  it('survives payloads of any shape', () => {
    const payloads = [
      null,
      7,
      'text',
      [],
      {},
      { info: 1, compressedHistory: [null] },
      { outputHistoryItems: [1, null] },
    ];
    const subtypes = [
      'chat_compression',
      'rewind',
      'custom_title',
      'slash_command',
      'at_command',
      'turn_result',
    ];

    const { rows } = parse(
      subtypes.flatMap((subtype) => payloads.map((payload, i) => system(i + 1, subtype, payload))),
    );

    assert.deepEqual(eventRows(rows, 'parser.error'), []);
  });

  describe('slash commands', () => {
    const command = (n: number, rawCommand: string, more = {}) =>
      system(n, 'slash_command', { phase: 'invocation', rawCommand, ...more });
    const outcome = (n: number, rawCommand: string, ...outputHistoryItems: object[]) =>
      system(n, 'slash_command', { phase: 'result', rawCommand, outputHistoryItems });

    it('tells what was typed and what the program answered', () => {
      const { rows } = parse([
        command(1, '/model flash'),
        outcome(2, '/model flash', { type: 'info', text: 'Model: flash' }, { type: 'stats' }),
        command(3, '/review src', { sentToModel: true }),
        outcome(4, '/review src'),
      ]);

      assert.deepEqual(said(rows), [
        'command.slash: slash command: /model flash',
        'message.info: Model: flash',
        'command.slash: slash command: /review src',
      ]);
      assert.equal(rows.at(-1)?.attributes?.['sent_to_model'], true);
    });

    it('tells the approval mode that a command set, in any language', () => {
      const { rows } = parse([
        command(1, '/approval-mode YOLO'),
        outcome(2, '/approval-mode YOLO', { type: 'info', text: '批准模式' }),
        outcome(3, '/approval-mode plan', { type: 'info', text: 'plan' }),
        outcome(4, '/approval-mode nonsense', { type: 'error', text: 'no such mode' }),
        outcome(5, '/approval-mode', { type: 'info', text: 'cancelled' }),
      ]);

      const modes = eventRows(rows, 'permission.mode').map(({ text, attributes }) => [
        text,
        attributes?.['trust_all'],
      ]);
      assert.deepEqual(modes, [
        ['permission mode: yolo', true],
        ['permission mode: plan', undefined],
      ]);
    });
  });

  it('keeps the model rows of a session that goes on under another model', () => {
    const { rows } = parse([assistant(1, 'a'), assistant(2, 'b', { model: 'flash' })]);

    assert.equal(eventRow(rows, 'model.change').model, 'flash');
  });
});
