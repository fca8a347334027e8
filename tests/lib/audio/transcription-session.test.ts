import { describe, expect, it } from 'vitest';
import { GatewayError, upstreamFailed } from '../../../lib/domain/errors';
import { makeTranscription, settle, silence } from './make-transcription';
import { ofKey } from '../../support/policy-levels';

const types = (sent: readonly { type: string }[]) => sent.map(({ type }) => type);

/** A session whose upstream is ready. */
async function live(options: Parameters<typeof makeTranscription>[0] = {}) {
  const made = makeTranscription(options);
  made.channel.say(made.configure);
  await settle();
  const upstream = made.stt.a.upstreams[0]!;
  return { ...made, upstream };
}

describe('configure', () => {
  it('is answered by session_started only when the upstream is ready', async () => {
    const { stt, channel, configure, session } = makeTranscription();
    stt.a.onOpen = () => {};
    channel.say(configure);
    await settle();
    expect(channel.sent).toEqual([]);
    stt.a.upstreams[0]!.ready();
    await settle();
    expect(channel.sent).toEqual([{ type: 'session_started', session_id: session.id }]);
    expect(stt.a.upstreams[0]!.request).toMatchObject({ format: { encoding: 'pcm_s16le', sampleRateHz: 16_000 } });
  });

  it.each([
    [{ model: undefined }, 'model is missing'],
    [{ model: 'no-such-model' }, 'There is no model'],
    [{ encoding: 'mp3' }, 'encoding mp3 is not supported by hears. Use pcm_s16le or pcm_mulaw.'],
    [{ sample_rate: 11_025 }, 'sample_rate 11025 is not supported by hears. Use 8000 or 16000.'],
    [{ sample_rate: '16000' }, 'sample_rate must be a number.'],
    [{ language: 'fr' }, 'language fr is not supported by hears. Use de or en.'],
    [{ language: 'en-US' }, 'language must be a two-letter ISO-639-1 code'],
    [{ language: 'EN' }, 'language must be a two-letter ISO-639-1 code'],
  ])('with %j is refused with 400 and the socket closes', async (change, sentence) => {
    const { channel, configure, session } = makeTranscription();
    channel.say({ ...configure, ...change });
    await settle();
    expect(channel.sent).toEqual([{ type: 'error', code: 400, message: expect.stringContaining(sentence) }]);
    expect(channel.closedWith?.code).toBe(1008);
    await session.ended;
  });

  it('with an unknown scenario is refused in test mode and ignored by the providers of live mode', async () => {
    for (const [mode, scenario, refused] of [
      ['test', 'nonsense', true],
      ['test', 'slow:abc', true],
      ['test', 'slow:1', false],
      ['live', 'nonsense', false],
    ] as const) {
      const { channel, configure, stt } = makeTranscription({ caller: { mode }, scenario });
      channel.say(configure);
      await settle();
      if (refused)
        expect([channel.sent, channel.closedWith?.code]).toEqual([
          [
            {
              type: 'error',
              code: 400,
              message: expect.stringContaining(`The test scenario "${scenario}" is not known. Use fail, `),
            },
          ],
          1008,
        ]);
      else
        expect([types(channel.sent), [...stt.a.upstreams, ...stt.b.upstreams][0]!.request.scenario]).toEqual([
          ['session_started'],
          mode === 'test' ? scenario : undefined,
        ]);
    }
  });

  it('a second time is refused with 400', async () => {
    const { channel, configure, upstream } = await live();
    channel.say(configure);
    await settle();
    expect(channel.sent.at(-1)).toMatchObject({ type: 'error', code: 400 });
    expect([channel.closedWith?.code, upstream.isClosed]).toEqual([1008, true]);
  });

  it('passes the language to the upstream', async () => {
    const { channel, configure, stt } = makeTranscription();
    channel.say({ ...configure, language: 'de', sample_rate: 8000, encoding: 'pcm_mulaw' });
    await settle();
    expect(stt.a.upstreams[0]!.request).toMatchObject({
      language: 'de',
      format: { encoding: 'pcm_mulaw', sampleRateHz: 8000 },
    });
  });

  it('of a model that the key may not use is refused with 403', async () => {
    const { channel, configure } = makeTranscription({
      caller: { policy: { scopes: ['inference'], ...ofKey({ allowedModels: ['other'] }) } },
    });
    channel.say(configure);
    await settle();
    expect([channel.sent[0], channel.closedWith?.code]).toEqual([expect.objectContaining({ code: 403 }), 4403]);
  });
});

describe('audio', () => {
  it('before configure is refused with 400', async () => {
    const { channel } = makeTranscription();
    channel.say(silence(0.02));
    await settle();
    expect([channel.sent[0], channel.closedWith?.code]).toEqual([
      expect.objectContaining({ code: 400, message: expect.stringContaining('configure') }),
      1008,
    ]);
  });

  it('that comes in one burst with configure and stop reaches an upstream that opens late, all of it', async () => {
    const { channel, configure, stt, meter } = makeTranscription();
    stt.a.onOpen = () => {};
    channel.say(configure);
    for (let frame = 0; frame < 100; frame++) channel.say(silence(0.02));
    channel.say({ type: 'stop' });
    await settle();
    const upstream = stt.a.upstreams[0]!;
    upstream.ready();
    await settle();
    expect([upstream.bytes, upstream.audioEnded, meter.usedMillis]).toEqual([64_000, true, 2000]);
    upstream.final('all of it');
    upstream.end();
    await settle();
    expect(types(channel.sent)).toEqual(['session_started', 'transcript', 'done']);
    expect(channel.sent.at(-1)).toEqual({ type: 'done', audio_duration_seconds: 2, session_duration_seconds: 0 });
    expect(channel.closedWith).toEqual({ code: 1000, reason: 'done' });
  });

  it('beyond the limit, while the upstream opens, ends the session with 502 and says why', async () => {
    const { channel, configure, stt } = makeTranscription();
    stt.a.onOpen = () => {};
    channel.say(configure);
    for (let frame = 0; frame < 60; frame++) channel.say(silence(0.1));
    await settle();
    expect(channel.sent).toEqual([{ type: 'error', code: 502, message: expect.stringContaining('session_started') }]);
    expect(channel.closedWith?.code).toBe(1011);
  });

  it('with a partial sample is refused: nothing is shifted', async () => {
    const { channel, upstream } = await live();
    channel.say(new Uint8Array(641));
    await settle();
    expect(upstream.bytes).toBe(0);
    expect(channel.sent.at(-1)).toMatchObject({ code: 400, message: expect.stringContaining('641') });
  });

  it.each([
    ['WAV', 'RIFF\u0024\u0000\u0000\u0000WAVEfmt '],
    ['Ogg', 'OggS\u0000\u0002\u0000\u0000'],
    ['MP3', 'ID3\u0004\u0000\u0000\u0000\u0000'],
    ['WebM', '\u001aE\u00df\u00a3\u0001\u0000\u0000\u0000'],
    ['MP4', '\u0000\u0000\u0000\u0020ftypM4A '],
  ])('in a container (%s) is refused with a message that names it, and nothing is forwarded', async (name, head) => {
    const { channel, upstream } = await live();
    channel.say(new Uint8Array(0));
    channel.say(new Uint8Array(Buffer.from(head, 'latin1')));
    await settle();
    expect(channel.sent.at(-1)).toMatchObject({
      type: 'error',
      code: 400,
      message: expect.stringContaining(`The audio is a ${name} file. Send raw mono PCM without a container.`),
    });
    expect([channel.closedWith?.code, upstream.bytes]).toEqual([1008, 0]);
  });

  it('that looks like a container later is audio', async () => {
    const { channel, upstream } = await live();
    channel.say(silence(0.02));
    channel.say(new Uint8Array(Buffer.from('RIFFRIFF', 'latin1')));
    await settle();
    expect([channel.closedWith, upstream.bytes]).toEqual([undefined, 648]);
  });

  it('of no length is not forwarded', async () => {
    const { channel, upstream, stt } = await live();
    let pieces = 0;
    channel.say(new Uint8Array(0));
    channel.say(silence(0.02));
    await settle();
    pieces = upstream.bytes;
    expect([pieces, channel.closedWith, stt.a.upstreams.length]).toEqual([640, undefined, 1]);
  });

  it('in a flood of tiny frames is read at the limited rate, and nothing is lost', async () => {
    const { channel, clock, upstream } = await live();
    for (let frame = 0; frame < 3_000; frame++) channel.say(new Uint8Array(2));
    await settle();
    expect([channel.isPaused, channel.closedWith]).toEqual([true, undefined]);
    await clock.advance(2_000);
    expect(channel.isPaused).toBe(false);
    channel.say(new Uint8Array(2));
    await settle();
    expect([channel.isPaused, upstream.bytes]).toEqual([false, 6_002]);
  });

  it('that the upstream does not take makes the client wait, and after ten seconds ends with 502', async () => {
    const made = makeTranscription();
    made.stt.a.takesNothing = true;
    made.channel.say(made.configure);
    await settle();
    for (let frame = 0; frame < 30; frame++) made.channel.say(silence(0.1));
    expect(made.channel.isPaused).toBe(true);
    await made.clock.advance(10_000);
    await settle();
    expect(made.channel.sent.at(-1)).toMatchObject({ type: 'error', code: 502 });
  });
});

describe('transcripts', () => {
  it('are interim until final, with words in seconds of at most three decimals', async () => {
    const { channel, upstream } = await live();
    upstream.interim('hel');
    upstream.final('hello');
    await settle();
    expect(channel.sent.slice(1)).toEqual([
      { type: 'transcript', text: 'hel', is_final: false },
      { type: 'transcript', text: 'hello', is_final: true, words: [{ word: 'hello', start: 0.123, end: 0.5 }] },
    ]);
  });

  it('that are interim are skipped for a client that reads too slowly, finals never', async () => {
    const { channel, upstream } = await live();
    channel.unread = 100_000;
    upstream.interim('hel');
    upstream.final('hello');
    await settle();
    expect(channel.sent.slice(1)).toEqual([expect.objectContaining({ text: 'hello', is_final: true })]);
  });
});

describe('stop', () => {
  it('waits for text that is not final yet, and nothing follows done', async () => {
    const { channel, upstream, clock, meter } = await live();
    channel.say(silence(1));
    channel.say({ type: 'stop' });
    await settle();
    await clock.advance(2_000);
    upstream.final('late but here');
    upstream.usage(0.99);
    upstream.end();
    await settle();
    upstream.final('too late');
    await settle();
    expect(channel.sent.slice(1)).toEqual([
      expect.objectContaining({ text: 'late but here', is_final: true }),
      { type: 'done', audio_duration_seconds: 0.99, session_duration_seconds: 2 },
    ]);
    expect([meter.outcome, meter.usedMillis, meter.settled]).toEqual(['done', 1000, 1]);
  });

  it('that the upstream never answers ends within the grace period: the interim text becomes final, then done', async () => {
    const { channel, upstream, clock } = await live();
    upstream.interim('almost ther');
    await settle();
    channel.say({ type: 'stop' });
    await settle();
    await clock.advance(5_000);
    await settle();
    expect(channel.sent.slice(2)).toEqual([
      { type: 'transcript', text: 'almost ther', is_final: true },
      expect.objectContaining({ type: 'done' }),
    ]);
    expect(upstream.isClosed).toBe(true);
  });

  it('that the upstream answers with ever more words ends after ten seconds all the same', async () => {
    const { channel, upstream, clock } = await live();
    channel.say({ type: 'stop' });
    await settle();
    for (let second = 0; second < 12; second++) {
      upstream.interim(`and ${second}`);
      await settle();
      await clock.advance(1_000);
    }
    await settle();
    expect(channel.sent.at(-1)).toMatchObject({ type: 'done', session_duration_seconds: 10 });
  });

  it('that the upstream processes for nine seconds still ends with its last words', async () => {
    const { channel, upstream, clock } = await live();
    channel.say(silence(1));
    channel.say({ type: 'stop' });
    await settle();
    for (let second = 0; second < 9; second++) {
      await clock.advance(1_000);
      upstream.working();
      await settle();
    }
    upstream.final('late but here');
    upstream.end();
    await settle();
    expect(channel.sent.slice(1)).toEqual([
      expect.objectContaining({ text: 'late but here', is_final: true }),
      expect.objectContaining({ type: 'done', session_duration_seconds: 9 }),
    ]);
  });

  it('before any audio ends with done and 0 seconds', async () => {
    const { channel, upstream } = await live();
    channel.say({ type: 'stop' });
    await settle();
    upstream.end();
    await settle();
    expect(channel.sent.at(-1)).toEqual({ type: 'done', audio_duration_seconds: 0, session_duration_seconds: 0 });
  });

  it('before configure is refused with 400', async () => {
    const { channel } = makeTranscription();
    channel.say({ type: 'stop' });
    await settle();
    expect(channel.sent).toEqual([expect.objectContaining({ type: 'error', code: 400 })]);
  });

  it('ignores audio that comes after it, and a second stop', async () => {
    const { channel, upstream } = await live();
    channel.say({ type: 'stop' });
    channel.say(silence(0.02));
    channel.say({ type: 'stop' });
    await settle();
    expect([upstream.bytes, channel.closedWith]).toEqual([0, undefined]);
  });
});

describe('the upstream', () => {
  it('that never opens ends with 502 after five seconds, and this counts against the provider', async () => {
    const { channel, configure, stt, clock, session, failed, meter } = makeTranscription();
    stt.a.onOpen = () => {};
    channel.say(configure);
    await settle();
    await clock.advance(5_000);
    await settle();
    expect([channel.sent, channel.closedWith?.code]).toEqual([[expect.objectContaining({ code: 502 })], 1011]);
    await session.ended;
    expect(stt.a.upstreams.map(({ isClosed }) => isClosed)).toEqual([true]);
    expect([failed, meter.attempts]).toEqual([['a hears-1'], ['a refused']]);
  });

  it('that never opens is not replaced after the five seconds', async () => {
    const { channel, configure, stt, clock } = makeTranscription({ providers: ['a', 'b'] });
    stt.a.onOpen = () => {};
    channel.say(configure);
    await settle();
    await clock.advance(5_000);
    await settle();
    expect([channel.closedWith?.code, stt.b.upstreams.length]).toEqual([1011, 0]);
  });

  it('that ends by itself while audio still comes, and cannot be replaced, ends with the interim text as final and 502', async () => {
    const { channel, upstream, meter, stt } = await live();
    channel.say(silence(0.5));
    upstream.interim('half a sen');
    await settle();
    stt.a.onOpen = (next) => next.fail(upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'refused'));
    upstream.end();
    await settle();
    expect(channel.sent.slice(2)).toEqual([
      expect.objectContaining({ text: 'half a sen', is_final: true }),
      expect.objectContaining({ type: 'error', code: 502 }),
    ]);
    expect([meter.outcome, meter.usedMillis, meter.settled, stt.a.upstreams.length]).toEqual(['failed', 500, 1, 3]);
  });

  it('that cannot be reached is retried once, silently', async () => {
    const { channel, configure, stt } = makeTranscription();
    stt.a.onOpen = (upstream) =>
      stt.a.upstreams.length === 1
        ? upstream.fail(upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'refused'))
        : upstream.ready();
    channel.say(configure);
    await settle();
    expect([types(channel.sent), stt.a.upstreams.length]).toEqual([['session_started'], 2]);
  });

  it('that cannot be reached is replaced by the next provider, with the audio that came meanwhile', async () => {
    const { channel, configure, stt } = makeTranscription({ providers: ['a', 'b'] });
    stt.a.onOpen = (upstream) => upstream.fail(upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'refused'));
    channel.say(configure);
    channel.say(silence(0.1));
    await settle();
    expect([types(channel.sent), stt.b.upstreams[0]?.bytes]).toEqual([['session_started'], 3200]);
  });

  it('that fails before it takes audio is replaced by the next provider, even if it may have begun', async () => {
    const { channel, configure, stt, failed } = makeTranscription({ providers: ['a', 'b'] });
    stt.a.onOpen = (upstream) => upstream.fail(upstreamFailed({ retry: 'elsewhere', started: 'maybe' }, 'no pong'));
    channel.say(configure);
    await settle();
    expect([types(channel.sent), stt.b.upstreams.length, failed]).toEqual([['session_started'], 1, ['a hears-1']]);
  });

  it('that refuses our credentials is not retried', async () => {
    const { channel, configure, stt } = makeTranscription();
    stt.a.onOpen = (upstream) =>
      upstream.fail(upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'refused', 'upstream_auth_failed'));
    channel.say(configure);
    await settle();
    expect([stt.a.upstreams.length, channel.sent[0]]).toEqual([1, expect.objectContaining({ code: 502 })]);
  });

  it('that refuses permanently is not retried', async () => {
    const { channel, configure, stt } = makeTranscription();
    stt.a.onOpen = (upstream) => upstream.fail(upstreamFailed({ retry: 'never', started: 'no' }, 'bad request'));
    channel.say(configure);
    await settle();
    expect([stt.a.upstreams.length, channel.sent[0]?.type]).toEqual([1, 'error']);
  });

  it('is aborted when the client disconnects while it opens, and this does not count against it', async () => {
    const { channel, configure, stt, session, meter, failed } = makeTranscription();
    stt.a.onOpen = () => {};
    channel.say(configure);
    await settle();
    channel.disconnect();
    await session.ended;
    await settle();
    expect([stt.a.upstreams[0]!.signal.aborted, stt.a.upstreams[0]!.isClosed, meter.outcome, meter.usedMillis]).toEqual(
      [true, true, 'cancelled', 0],
    );
    expect(failed).toEqual([]);
  });

  it('is not quoted: its own messages stay in the log', async () => {
    const { channel, upstream, log } = await live();
    upstream.fail(upstreamFailed({ retry: 'later', started: 'maybe' }, 'close 1011 NET-0001'));
    await settle();
    expect(JSON.stringify(channel.sent)).not.toContain('NET-0001');
    expect(JSON.stringify(log.lines)).toContain('NET-0001');
  });
});

describe('time', () => {
  it('of sixty seconds without a message closes the socket, although pongs flow', async () => {
    const { channel, clock, session, upstream } = await live();
    await clock.advance(59_000);
    expect(channel.closedWith).toBeUndefined();
    await clock.advance(1_500);
    await settle();
    expect([channel.closedWith, channel.pings]).toEqual([{ code: 1000, reason: 'idle_timeout' }, 1]);
    await session.ended;
    expect(upstream.isClosed).toBe(true);
  });

  it('counts from the last message of the client', async () => {
    const { channel, clock } = await live();
    for (let round = 0; round < 5; round++) {
      await clock.advance(50_000);
      channel.say(silence(0.02));
    }
    expect(channel.closedWith).toBeUndefined();
  });

  it('without an answer to a ping cuts the connection within sixty seconds, and closes the upstream', async () => {
    const { channel, clock, session, upstream } = await live();
    channel.answersPings = false;
    await clock.advance(59_000);
    channel.say(silence(0.02));
    await clock.advance(2_000);
    expect(channel.isCut).toBe(true);
    await session.ended;
    await settle();
    expect(upstream.isClosed).toBe(true);
  });

  it('of three hours ends a session with its finals and done', async () => {
    const { channel, clock, upstream, meter } = await live();
    for (let half = 0; half < 360; half++) {
      channel.say(silence(0.1));
      await clock.advance(30_000 - (half === 359 ? 1 : 0));
    }
    expect(channel.closedWith).toBeUndefined();
    await clock.advance(1);
    upstream.final('the last words');
    upstream.end();
    await settle();
    expect(channel.sent.slice(-2)).toEqual([
      expect.objectContaining({ text: 'the last words' }),
      { type: 'done', audio_duration_seconds: 36, session_duration_seconds: 10_800 },
    ]);
    expect([channel.closedWith, meter.settled]).toEqual([{ code: 1000, reason: 'max_duration' }, 1]);
  });

  it('counts for an upstream that charges open sessions, even in silence', async () => {
    const { channel, clock, meter, upstream } = await live({ meter: 'session' });
    channel.say(silence(1));
    await settle();
    await clock.advance(20_000);
    channel.say({ type: 'stop' });
    await settle();
    upstream.end();
    await settle();
    expect(meter.usedMillis).toBe(20_000);
  });
});

describe('credits', () => {
  it('at the cut-off end the session: the interim text becomes final, then 402 with the sentence, and only forwarded audio is charged', async () => {
    const { channel, upstream, meter } = await live();
    meter.allowedMillis = 1_000;
    for (let frame = 0; frame < 10; frame++) channel.say(silence(0.1));
    await settle();
    upstream.interim('this far');
    await settle();
    channel.say(silence(0.1));
    await settle();
    expect(channel.sent.slice(2)).toEqual([
      { type: 'transcript', text: 'this far', is_final: true },
      { type: 'error', code: 402, message: expect.stringMatching(/^Credit budget exhausted/) },
    ]);
    expect([channel.closedWith?.code, meter.outcome, meter.usedMillis, upstream.bytes]).toEqual([
      4402,
      'budget',
      1000,
      32_000,
    ]);
  });

  it("of a key's own limit end the session with that cause, in the message and in the close", async () => {
    const { channel, meter } = await live();
    meter.refusal = new GatewayError('key_limit_exceeded', 'Key limit reached: raise it.');
    meter.exhaust();
    await settle();
    expect(channel.sent.slice(1)).toEqual([{ type: 'error', code: 402, message: 'Key limit reached: raise it.' }]);
    expect(channel.closedWith).toEqual({ code: 4402, reason: 'key_limit_exceeded' });
  });

  it('that cannot be held because our database is away end the session with 500, and are no failure of the provider', async () => {
    const { channel, meter, failed } = await live();
    meter.error = new Error('the database is away');
    channel.say(silence(0.1));
    await settle();
    expect(channel.sent.slice(1)).toMatchObject([{ type: 'error', code: 500 }]);
    expect(failed).toEqual([]);
  });
});

describe('credits that our database holds late', () => {
  it('are not a stuck provider: the session waits for them, and ends with 500 if they cannot be held', async () => {
    const { channel, clock, meter, failed } = await live();
    let reject: (error: Error) => void = () => {};
    meter.waiting = new Promise((_resolve, refuse) => (reject = refuse));
    for (let seconds = 0; seconds < 4; seconds += 1) channel.say(silence(1));
    await clock.advance(14_000);
    expect(channel.closedWith).toBeUndefined();
    reject(new Error('the database is away'));
    await settle();
    expect(channel.sent.slice(1)).toMatchObject([{ type: 'error', code: 500 }]);
    expect(failed).toEqual([]);
  });

  it('are no failure of a provider that closes meanwhile, because it gets no audio', async () => {
    const { channel, meter, upstream, failed } = await live();
    meter.waiting = new Promise(() => {});
    channel.say(silence(1));
    upstream.fail(upstreamFailed({ retry: 'later', started: 'maybe' }, 'closed with 1011'));
    await settle();
    expect(failed).toEqual([]);
  });
});

describe('an external end', () => {
  it('when the instance stops gives finals and done, then closes', async () => {
    const { channel, session, upstream } = await live();
    session.drain();
    await settle();
    upstream.final('in time');
    upstream.end();
    await session.ended;
    await settle();
    expect([types(channel.sent), channel.closedWith]).toEqual([
      ['session_started', 'transcript', 'done'],
      { code: 1001, reason: 'shutting_down' },
    ]);
  });

  it('when the key is revoked is 401 at once', async () => {
    const { channel, session, upstream } = await live();
    session.refuse(new GatewayError('revoked_api_key', 'The key was revoked.'));
    await session.ended;
    await settle();
    expect([channel.sent.at(-1), channel.closedWith?.code, upstream.isClosed]).toEqual([
      expect.objectContaining({ code: 401 }),
      4401,
      true,
    ]);
  });
});

describe('an unknown message', () => {
  it('is answered by an error and has no other effect', async () => {
    const { channel, upstream } = await live();
    channel.say({ type: 'dance' });
    channel.say(silence(0.02));
    await settle();
    expect(channel.sent.at(-1)).toMatchObject({ type: 'error', code: 400 });
    expect([channel.closedWith, upstream.bytes]).toEqual([undefined, 640]);
  });

  it('closes the session after twenty others', async () => {
    const { channel } = await live();
    for (let index = 0; index < 25; index++) channel.say({ type: 'dance' });
    await settle();
    expect(channel.sent.map(({ code }) => code)).toEqual([undefined, ...Array.from({ length: 20 }, () => 400), 429]);
    expect(channel.closedWith).toEqual({ code: 1008, reason: 'rate_limit_exceeded' });
  });

  it.each(['nonsense', '[]', '"stop"', 'null', '{"type":7}', '{}'])('that is %s is refused with 400', async (text) => {
    const { channel } = await live();
    channel.say(text);
    await settle();
    expect([channel.sent.at(-1), channel.closedWith?.code]).toEqual([expect.objectContaining({ code: 400 }), 1008]);
  });
});
