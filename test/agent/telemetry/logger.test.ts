import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { createLogger, type LoggerOptions } from '../../../agent/telemetry/logger.ts';
import { createRedactor } from '../../../agent/telemetry/redactor.ts';
import { FakeClock } from '../../support/fake-clock.ts';

function setUp(options: Partial<LoggerOptions> = {}) {
  const clock = new FakeClock();
  const stream = new PassThrough();
  const logger = createLogger({ level: 'debug', clock, stream, ...options });
  const lines = async () => {
    await logger.close();
    return String(stream.read() ?? '')
      .split('\n')
      .slice(0, -1);
  };
  return { clock, stream, logger, lines };
}

describe('agent/telemetry/logger', () => {
  it('writes one line of text: time, level, component, message, fields', async () => {
    const { logger, lines } = setUp();

    logger.child('delivery').child('http').warn('sink is away', {
      event: 'sink.retrying',
      sink: 'siem',
      ms: 12,
      ok: false,
      gone: undefined,
      none: null,
    });
    logger.info('started');

    assert.deepEqual(await lines(), [
      '2026-11-30T12:00:00.000Z warn  delivery.http sink is away event=sink.retrying sink=siem ms=12 ok=false none=null',
      '2026-11-30T12:00:00.000Z info  holdfast started',
    ]);
  });

  it('writes one JSON object a line, own names first and never overwritten', async () => {
    const { logger, lines } = setUp({ json: true });

    logger.child('store').error('damaged', { event: 'store.damaged', level: 3, time: 'never' });

    const [line = ''] = await lines();
    assert.equal(
      line,
      '{"time":"2026-11-30T12:00:00.000Z","level":"error","component":"store","message":"damaged","event":"store.damaged","level_":3,"time_":"never"}',
    );
  });

  for (const json of [false, true]) {
    it(`keeps a hostile value on its line (${json ? 'json' : 'text'})`, async () => {
      const { logger, lines } = setUp({ json });
      const hostile =
        'a\n2026-11-30T12:00:00.000Z error store forged\r\t\u001b[2J\u0085\u2028\u2029\u202e\u0000\ud800"=\\ z';

      logger.info(hostile, { path: hostile, [`na\nme`]: 1 });

      const found = await lines();
      assert.equal(found.length, 1);
      assert.doesNotMatch(found[0] ?? '', /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      assert.match(found[0] ?? '', /a\\n2026.*\\u001b\[2J\\u0085\\u2028\\u2029\\u202e\\u0000\\ud800/);
      if (json) assert.equal(JSON.parse(found[0] ?? '').path, hostile);
    });
  }

  it('quotes values that would read as several', async () => {
    const { logger, lines } = setUp();

    logger.info('x', { a: 'two words', b: '', c: 'k=v', d: 'say "hi"', e: '/home/alice/.gemini' });

    assert.match(
      (await lines())[0] ?? '',
      / a="two words" b="" c="k=v" d="say \\"hi\\"" e=\/home\/alice\/\.gemini$/,
    );
  });

  it('cuts long values and says how much', async () => {
    const { logger, lines } = setUp();

    logger.info('x', { text: 'y'.repeat(5000) });

    const [line = ''] = await lines();
    assert.match(line, /text="y{2000}…\(3000 more\)"$/);
  });

  for (const json of [false, true]) {
    it(`lets no registered secret through, in any field, message, component or encoding (${json ? 'json' : 'text'})`, async () => {
      const redactor = createRedactor();
      const secret = 's3cr3t/"token"\n+more';
      redactor.add(secret);
      const { logger, lines } = setUp({ redactor, json });
      const forms = [
        secret,
        Buffer.from(`alice:${secret}`).toString('base64'),
        encodeURIComponent(secret),
        JSON.stringify({ secret }),
      ];

      logger
        .child(secret)
        .info(`message ${secret}`, Object.fromEntries(forms.map((form, i) => [`f${i}`, `x ${form} y`])));
      logger.info('name', { [secret]: 1, long: `${'z'.repeat(1995)}${secret}` });

      const shown = (await lines()).join('\n');
      assert.doesNotMatch(shown, /s3cr3t|%22token|czNjcjN0|M2NyM3Q|zY3IzdC/);
      assert.ok((shown.match(/\[secret\]/g) ?? []).length >= 7, shown);
    });
  }

  it('learns secrets while it runs', async () => {
    const redactor = createRedactor();
    const { logger, lines } = setUp({ redactor });

    redactor.add('first-secret');
    logger.info('first-secret');
    redactor.add('second-secret');
    logger.info('second-secret');

    assert.deepEqual(
      (await lines()).map((line) => line.slice(-8)),
      ['[secret]', '[secret]'],
    );
  });

  it('logs from its level up, which can change', async () => {
    const { logger, lines } = setUp({ level: 'warn' });

    logger.info('one');
    logger.setLevel('debug');
    logger.debug('two');
    logger.setLevel('error');
    logger.warn('three', { event: 'x' });

    assert.deepEqual(
      (await lines()).map((line) => line.split(' ').at(-1)),
      ['two'],
    );
  });

  it('lets an event through five times a minute, then says how often it came', async () => {
    const { clock, logger, lines } = setUp();
    const delivery = logger.child('delivery');

    for (let i = 0; i < 40; i++) delivery.warn('away', { event: 'sink.retrying', sink: 'siem', attempt: i });
    delivery.warn('away', { event: 'sink.retrying', sink: 'other' });
    await clock.advance(60_000);
    delivery.warn('away', { event: 'sink.retrying', sink: 'siem', attempt: 40 });

    assert.equal(logger.counts().suppressed, 35);
    assert.deepEqual(
      (await lines()).map((line) => line.replace(/^\S+ +/, '')),
      [
        ...[0, 1, 2, 3, 4].map((i) => `warn  delivery away event=sink.retrying sink=siem attempt=${i}`),
        'warn  delivery away event=sink.retrying sink=other',
        'warn  delivery away (repeated) event=sink.retrying sink=siem suppressed=35',
        'warn  delivery away event=sink.retrying sink=siem attempt=40',
      ],
    );
  });

  it('does not hold back infos, and says what is due when it closes', async () => {
    const { logger, lines } = setUp();

    for (let i = 0; i < 8; i++) logger.info('tick', { event: 'tick' });
    for (let i = 0; i < 8; i++) logger.error('broken', { event: 'b' });

    const found = await lines();
    assert.equal(found.filter((line) => line.includes('tick')).length, 8);
    assert.equal(found.at(-1)?.includes('(repeated) event=b suppressed=3'), true);
  });

  it('survives a stream that fails, and counts what is lost', async () => {
    const stream = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('broken pipe'), { code: 'EPIPE' })),
    });
    const { logger } = setUp({ stream });

    for (let i = 0; i < 3; i++) {
      logger.info('into the void');
      await new Promise(setImmediate);
    }
    await logger.close();

    assert.equal(logger.counts().lost, 3);
  });

  it('neither waits for a stream that nobody reads nor piles lines up without bound', async () => {
    const stream = new Writable({ highWaterMark: 1, write: () => undefined });
    const { logger } = setUp({ stream });

    for (let i = 0; i < 3000; i++) logger.info('x', { text: 'y'.repeat(1000) });

    assert.ok(stream.writableLength < 1_200_000);
    assert.ok(logger.counts().lost > 1500);
  });

  it('takes lines after closing for what they are: too late', async () => {
    const { logger, lines } = setUp();
    const found = await lines();

    logger.info('late');
    logger.error('late', { event: 'x' });

    assert.deepEqual(found, []);
  });
});
