import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import { GatewayError, upstreamFailed } from '../../../lib/domain/errors';
import { makeSpeech, types } from './make-speech';
import { settle } from './make-transcription';

describe('tts', () => {
  it('is answered by chunks with one context id, then done with the same', async () => {
    const { say, generations, channel, charged } = makeSpeech();
    say('Hello there.');
    await settle();
    generations[0]!.chunk('AQID');
    generations[0]!.chunk('BAUG');
    generations[0]!.end();
    await settle();
    const id = charged[0]!.id;
    expect(channel.sent).toEqual([
      { type: 'audio', data: 'AQID', context_id: id },
      { type: 'audio', data: 'BAUG', context_id: id },
      { type: 'done', context_id: id },
    ]);
    expect(charged).toEqual([{ id, characters: 12, heard: true, outcome: 'done' }]);
    expect(channel.closedWith).toBeUndefined();
  });

  it('passes the request to the upstream, with its defaults', async () => {
    const { say, generations } = makeSpeech();
    say('Hello.');
    say('Hallo.', { voice: 'BOB', output_format: 'pcm_mulaw_8000', speed: 1.5, language: 'de' });
    await settle();
    expect(
      generations.map(({ request: { input, voice, format, speed, language } }) => ({
        input,
        voice,
        format,
        speed,
        language,
      })),
    ).toEqual([
      {
        input: 'Hallo.',
        voice: 'BOB',
        format: { encoding: 'pcm_mulaw', sampleRateHz: 8000 },
        speed: 1.5,
        language: 'de',
      },
    ]);
  });

  it.each([
    [{ model: 'no-such' }, 'There is no model'],
    [{ model: 7 }, 'model must be a string'],
    [{ input: '   ' }, 'input is missing'],
    [{ input: 'Hello\0.' }, 'input contains a NUL character or half of a surrogate pair. Remove it.'],
    [{ input: 'Hello \ud83d.' }, 'input contains a NUL character or half of a surrogate pair. Remove it.'],
    [{ model: 'any-voice', voice: 'An\0n' }, 'voice contains a NUL character'],
    [{ input: 'x'.repeat(101) }, 'input has 101 characters; speaks takes at most 100'],
    [{ voice: undefined }, 'voice is missing'],
    [{ voice: 'Zoe' }, 'voice Zoe is not supported by speaks. Use Ann or Bob.'],
    [{ output_format: '' }, 'output_format "" is not supported by speaks'],
    [{ output_format: 'mp3' }, 'output_format mp3 is not supported by speaks'],
    [{ output_format: 'pcm_48000' }, 'output_format pcm_48000 is not supported by speaks'],
    [{ speed: 3 }, 'speed must be between 0.5 and 2 for speaks; got 3.'],
    [{ speed: 'fast' }, 'speed must be a number'],
    [{ language: 'fr' }, 'language fr is not supported by speaks. Use de or en.'],
    [{ language: 'eng' }, 'language must be a two-letter'],
    [{ model: 'extra' }, 'extra is not enabled here'],
  ])('with %j is refused with 400 and the socket stays open', async (change, sentence) => {
    const { say, channel, generations } = makeSpeech();
    say('Hello.', change);
    await settle();
    expect(channel.sent).toEqual([{ type: 'error', code: 400, message: expect.stringContaining(sentence) }]);
    expect([channel.closedWith, generations.length]).toEqual([undefined, 0]);
    say('Hello.');
    await settle();
    expect(generations).toHaveLength(1);
  });

  it('for a model without a confirmed price ends the session with 503, as no provider was called', async () => {
    const { say, channel, generations } = makeSpeech();
    say('Hello.', { model: 'unconfirmed' });
    await settle();
    expect(channel.sent).toEqual([
      { type: 'error', code: 503, message: expect.stringContaining('has not confirmed its price') },
    ]);
    expect([channel.closedWith, generations]).toEqual([{ code: 1013, reason: 'no_provider_available' }, []]);
  });

  it('takes a voice by its id, and any voice if the provider has more', async () => {
    const { say, generations } = makeSpeech();
    say('Hello.', { voice: 'ann-1' });
    await settle();
    say('Hello.', { voice: 'Somebody', model: 'any-voice' });
    await settle();
    expect(generations.map(({ request }) => request.voice)).toEqual(['ann-1', 'Somebody']);
  });

  it('for a voice that only the provider can check, and refuses, leaves the socket open', async () => {
    const { say, channel, generations, charged } = makeSpeech();
    say('Hello.', { voice: 'Nobody', model: 'any-voice' });
    await settle();
    generations[0]!.fail(new GatewayError('unsupported_value', 'There is no voice "Nobody".', { param: 'voice' }));
    await settle();
    expect([channel.sent, channel.closedWith, charged[0]?.heard]).toEqual([
      [expect.objectContaining({ code: 400 })],
      undefined,
      false,
    ]);
  });

  it('for a model of another provider is served when the operator has enabled it', async () => {
    const { say, generations } = makeSpeech({ extra: 'b' });
    say('Hello.', { model: 'extra' });
    await settle();
    expect(generations).toHaveLength(1);
  });

  it('begins during its hold when there is plenty, and is delivered only after it', async () => {
    let held = () => {};
    const { say, generations, channel, charged } = makeSpeech({
      isAmple: true,
      untilHeld: new Promise((resolve) => (held = resolve)),
    });
    say('Hello.');
    await settle();
    generations[0]!.chunk('AQID');
    await settle();
    expect([channel.sent, charged]).toEqual([[], []]);
    held();
    generations[0]!.end();
    await settle();
    expect(channel.sent).toEqual([
      { type: 'audio', data: 'AQID', context_id: charged[0]!.id },
      { type: 'done', context_id: charged[0]!.id },
    ]);
    expect(generations[0]!.request.contextId).toBe(charged[0]!.id);
  });

  it('that began is cancelled, undelivered, when there is no credit after all', async () => {
    const { say, generations, channel } = makeSpeech({
      isAmple: true,
      holdFails: () => new GatewayError('insufficient_credits', 'Add credits.'),
      untilHeld: settle(),
    });
    say('Hello.');
    await Promise.resolve();
    generations[0]!.chunk();
    await settle();
    await settle();
    expect([channel.sent, channel.closedWith?.code]).toEqual([
      [{ type: 'error', code: 402, message: 'Add credits.' }],
      4402,
    ]);
    expect([generations[0]!.signal.aborted, generations[0]!.isEnded]).toEqual([true, true]);
  });

  it('whose provider fails before it begins returns its hold, which comes later', async () => {
    let held = () => {};
    const { say, tts, channel, charged } = makeSpeech({
      extra: 'b',
      isAmple: true,
      untilHeld: new Promise((resolve) => (held = resolve)),
    });
    tts.open = () => ({
      speak() {
        throw upstreamFailed({ retry: 'later', started: 'no' }, 'out of order');
      },
      close() {},
    });
    say('Hello.', { model: 'extra' });
    await settle();
    held();
    await settle();
    await settle();
    expect(charged.map(({ outcome }) => outcome)).toEqual(['failed']);
    expect(types(channel.sent)).toContain('error');
  });

  it('that began is cancelled, undelivered, when another one comes before its hold', async () => {
    let held = () => {};
    const { say, generations, channel, charged } = makeSpeech({
      isAmple: true,
      untilHeld: new Promise((resolve) => (held = resolve)),
    });
    say('Hello.');
    await settle();
    generations[0]!.chunk();
    say('No, this.');
    held();
    await settle();
    await settle();
    expect([generations[0]!.isEnded, charged[0]?.outcome]).toEqual([true, 'cancelled']);
    generations[1]!.chunk('AQID');
    generations[1]!.end();
    await settle();
    expect(channel.sent).toEqual([
      { type: 'audio', data: 'AQID', context_id: charged[1]!.id },
      { type: 'done', context_id: charged[1]!.id },
    ]);
  });

  it('without credits for the whole text is 402, and closes', async () => {
    const { say, channel, generations } = makeSpeech({
      holdFails: () => new GatewayError('insufficient_credits', 'Add credits.'),
    });
    say('Hello.');
    await settle();
    expect([channel.sent, channel.closedWith?.code, generations.length]).toEqual([
      [{ type: 'error', code: 402, message: 'Add credits.' }],
      4402,
      0,
    ]);
  });
});

describe('a message', () => {
  it('with an unknown scenario is refused in test mode, the socket stays open, and nothing is held', async () => {
    const { say, channel, charged, generations } = makeSpeech({ caller: { mode: 'test' }, scenario: 'nonsense' });
    say('Hello.');
    await settle();
    expect(channel.sent).toEqual([
      {
        type: 'error',
        code: 400,
        message: expect.stringContaining('The test scenario "nonsense" is not known. Use fail, '),
      },
    ]);
    expect([channel.closedWith, charged, generations]).toEqual([undefined, [], []]);
  });

  it.each(['nonsense', '[]', '"tts"', 'null', '{"type":7}', '{}', new Uint8Array(4)])(
    'that is %s is refused with 400, and closes with 1008',
    async (message) => {
      const { channel, session } = makeSpeech();
      channel.say(message);
      await settle();
      expect([channel.sent.map(({ code }) => code), channel.closedWith?.code]).toEqual([[400], 1008]);
      await session.ended;
    },
  );

  it.each([
    ['{}', 'The message has no "type".'],
    ['{"type":7}', 'The "type" of the message must be a string.'],
  ])('that is %s gets the sentence %s', async (message, sentence) => {
    const { channel, session } = makeSpeech();
    channel.say(message);
    await settle();
    expect(channel.sent.map((sent) => sent.message)).toEqual([sentence]);
    await session.ended;
  });

  it('of an unknown type is answered by an error and has no other effect', async () => {
    const { say, channel, generations } = makeSpeech();
    say('Hello.');
    channel.say({ type: 'dance' });
    await settle();
    generations[0]!.chunk();
    await settle();
    expect([types(channel.sent), channel.closedWith]).toEqual([['error', 'audio'], undefined]);
  });

  it('that is refused closes the session after twenty others', async () => {
    const { say, channel } = makeSpeech();
    for (let index = 0; index < 25; index++) say('Hello.', { model: 'no-such' });
    await settle();
    expect(channel.sent.map(({ code }) => code)).toEqual([...Array.from({ length: 20 }, () => 400), 429]);
    expect([channel.sent.at(-1)?.['message'], channel.closedWith]).toEqual([
      expect.stringContaining('More than 20 messages'),
      { code: 1008, reason: 'rate_limit_exceeded' },
    ]);
  });

  it('above the rate limit closes the session', async () => {
    const { channel } = makeSpeech();
    for (let index = 0; index < 250; index++) channel.say({ type: 'cancel' });
    await settle();
    expect([channel.sent, channel.closedWith]).toEqual([
      [{ type: 'error', code: 429, message: expect.stringContaining('50 text messages per second') }],
      { code: 1008, reason: 'rate_limit_exceeded' },
    ]);
  });
});

describe('cancel', () => {
  it('silences the generation: no audio and no done follow, and the upstream is cancelled', async () => {
    const { say, channel, generations, charged } = makeSpeech();
    say('Hello there.');
    await settle();
    generations[0]!.chunk();
    await settle();
    channel.say({ type: 'cancel' });
    generations[0]!.chunk();
    generations[0]!.end();
    await settle();
    expect([types(channel.sent), generations[0]!.signal.aborted, charged[0]]).toEqual([
      ['audio'],
      true,
      expect.objectContaining({ outcome: 'cancelled', heard: true, characters: 12 }),
    ]);
  });

  it('without a running generation is ignored', async () => {
    const { channel } = makeSpeech();
    channel.say({ type: 'cancel' });
    await settle();
    expect([channel.sent, channel.closedWith]).toEqual([[], undefined]);
  });

  it('before the first audio costs nothing', async () => {
    const { say, channel, charged } = makeSpeech();
    say('Hello.');
    await settle();
    channel.say({ type: 'cancel' });
    await settle();
    expect(charged).toEqual([expect.objectContaining({ heard: false, outcome: 'cancelled' })]);
  });
});

describe('a second tts', () => {
  it('that is refused cancels the first too: only the error follows', async () => {
    const { say, channel, generations, charged } = makeSpeech();
    say('The first text.');
    await settle();
    generations[0]!.chunk();
    await settle();
    say('   ');
    generations[0]!.chunk();
    generations[0]!.end();
    await settle();
    expect(types(channel.sent)).toEqual(['audio', 'error']);
    expect([generations[0]!.signal.aborted, charged[0]?.outcome, channel.closedWith]).toEqual([
      true,
      'cancelled',
      undefined,
    ]);
  });

  it('silences the first: no chunk of the old context follows, and one done', async () => {
    const { say, channel, generations, charged } = makeSpeech();
    say('The first text.');
    await settle();
    generations[0]!.chunk();
    generations[0]!.chunk();
    await settle();
    say('The second text.');
    generations[0]!.chunk();
    await settle();
    generations[0]!.chunk();
    generations[0]!.end();
    generations[1]!.chunk();
    generations[1]!.end();
    await settle();
    const [first, second] = charged.map(({ id }) => id);
    expect(channel.sent.map(({ type, context_id }) => [type, context_id])).toEqual([
      ['audio', first],
      ['audio', first],
      ['audio', second],
      ['done', second],
    ]);
  });

  it('in a flood of five: only the last one speaks, and those between the first and it hold no credits', async () => {
    const { say, channel, generations, charged } = makeSpeech();
    for (let index = 0; index < 5; index++) {
      say(`Text ${index}.`);
      if (index < 4) channel.say({ type: 'cancel' });
    }
    await settle();
    for (const generation of generations) {
      generation.chunk();
      generation.end();
    }
    await settle();
    expect([generations.at(-1)!.request.input, types(channel.sent), charged.length]).toEqual([
      'Text 4.',
      ['audio', 'done'],
      2,
    ]);
    expect(new Set(channel.sent.map(({ context_id }) => context_id)).size).toBe(1);
  });

  it('in a flood waits once, for any length: one timer, one text that is kept, one that speaks', async () => {
    let held = () => {};
    const { say, clock, generations, channel, charged } = makeSpeech({
      untilHeld: new Promise((resolve) => (held = resolve)),
    });
    say('The first text.');
    await settle();
    const timers = clock.pending();
    for (let index = 1; index < 200; index++) say(`Text ${index}.`);
    await settle();
    expect(clock.pending() - timers).toBe(1);
    held();
    await settle();
    generations[0]!.chunk();
    generations[0]!.end();
    await settle();
    expect([generations.map(({ request }) => request.input), types(channel.sent), charged.length]).toEqual([
      ['Text 199.'],
      ['audio', 'done'],
      2,
    ]);
  });

  it('waits at most a second for an earlier one that does not end', async () => {
    const { say, clock, generations } = makeSpeech({ untilHeld: new Promise(() => {}), isAmple: true });
    say('The first text.');
    say('The second text.');
    await settle();
    expect(generations).toHaveLength(1);
    await clock.advance(1_000);
    await settle();
    expect(generations.map(({ request }) => request.input)).toEqual(['The first text.', 'The second text.']);
  });

  it('that is cancelled while it waits never begins', async () => {
    let held = () => {};
    const { say, channel, generations, charged } = makeSpeech({
      untilHeld: new Promise((resolve) => (held = resolve)),
    });
    say('The first text.');
    say('The second text.');
    channel.say({ type: 'cancel' });
    held();
    await settle();
    expect([generations.length, charged.length, channel.sent]).toEqual([0, 1, []]);
  });

  it('is not affected by a late failure of the first', async () => {
    const { say, channel, generations } = makeSpeech();
    say('The first text.');
    await settle();
    say('The second text.');
    generations[0]!.fail(upstreamFailed({ retry: 'later', started: 'maybe' }, 'too late'));
    await settle();
    generations[1]!.chunk();
    await settle();
    expect([types(channel.sent), channel.closedWith]).toEqual([['audio'], undefined]);
  });
});

describe('a thousand races', () => {
  it('of cancel and tts against chunks let no stale chunk through', async () => {
    let stale = 0;
    let heard = 0;
    for (let race = 0; race < 1_000; race++) {
      const { say, channel, generations, session, charged } = makeSpeech({ clock: systemClock });
      let allowed = new Set<string>();
      say('The first text.');
      for (let turn = 0; turn < race % 4; turn++) await Promise.resolve();
      await settleBriefly();
      for (const generation of generations) for (let chunk = 0; chunk < 3; chunk++) generation.chunk();
      // From before the first chunk is delivered to after the last one.
      for (let turn = 0; turn < race % 31; turn++) await Promise.resolve();
      const before = channel.sent.length;
      if (race % 2 === 0) channel.say({ type: 'cancel' });
      else say('The second text.');
      const known = charged.length;
      for (const generation of generations) {
        generation.chunk();
        generation.end();
      }
      await settleBriefly();
      for (const generation of generations.slice(known)) {
        generation.chunk();
        generation.end();
      }
      await settleBriefly();
      allowed = new Set(charged.slice(1).map(({ id }) => id));
      stale += channel.sent.slice(before).filter(({ context_id }) => !allowed.has(String(context_id))).length;
      heard += channel.sent.length;
      channel.disconnect();
      await session.ended;
    }
    expect(stale).toBe(0);
    expect(heard).toBeGreaterThan(1_000);
  });
});

describe('the upstream', () => {
  it('that is silent for five seconds ends the session with 502, and the text costs nothing', async () => {
    const { say, channel, clock, charged } = makeSpeech();
    say('Hello.');
    await settle();
    await clock.advance(5_000);
    await settle();
    expect([channel.sent, channel.closedWith?.code, charged[0]]).toEqual([
      [expect.objectContaining({ code: 502 })],
      1011,
      expect.objectContaining({ heard: false, outcome: 'failed' }),
    ]);
  });

  it('that fails in the middle ends the session with 502', async () => {
    const { say, channel, generations, charged } = makeSpeech();
    say('Hello.');
    await settle();
    generations[0]!.chunk();
    generations[0]!.fail(upstreamFailed({ retry: 'later', started: 'maybe' }, 'closed'));
    await settle();
    expect([types(channel.sent), channel.sent.at(-1), charged[0]?.outcome]).toEqual([
      ['audio', 'error'],
      expect.objectContaining({ code: 502 }),
      'failed',
    ]);
  });

  it('that ends a text without audio has failed: the session ends with 502, and the text costs nothing', async () => {
    const { say, channel, tts, generations, charged } = makeSpeech();
    tts.onSpeak = (generation) => generation.end();
    say('Hello.');
    await settle();
    expect([generations.length, channel.sent, channel.closedWith?.code, charged[0]]).toEqual([
      2,
      [expect.objectContaining({ code: 502 })],
      1011,
      expect.objectContaining({ heard: false, outcome: 'failed' }),
    ]);
  });

  it('may end a text without words silently', async () => {
    const { say, channel, tts, charged } = makeSpeech();
    tts.onSpeak = (generation) => generation.end();
    say('… !');
    await settle();
    expect([types(channel.sent), charged[0]]).toEqual([
      ['done'],
      expect.objectContaining({ heard: false, outcome: 'done' }),
    ]);
  });

  it('is also opened with a session of test mode', () => {
    expect(makeSpeech({ caller: { mode: 'test' } }).connections).toHaveLength(1);
  });

  it('is opened with the session, before the first text, and closed with it', async () => {
    const { say, channel, connections, session } = makeSpeech();
    expect(connections).toHaveLength(1);
    say('One.');
    await settle();
    say('Two.');
    await settle();
    channel.disconnect();
    await session.ended;
    expect(connections).toEqual([{ closed: true }]);
  });
});

describe('a client', () => {
  it('that reads too slowly pauses the upstream, and after ten seconds is disconnected', async () => {
    const { say, channel, generations, clock, session } = makeSpeech();
    say('Hello.');
    await settle();
    channel.unread = 2_000_000;
    for (let chunk = 0; chunk < 50; chunk++) generations[0]!.chunk();
    await settle();
    expect(channel.sent).toHaveLength(1);
    await clock.advance(12_000);
    await settle();
    expect(channel.closedWith).toEqual({ code: 1013, reason: 'slow_reader' });
    await session.ended;
  });

  it('that reads no faster than it plays telephone audio gets all of a long text', async () => {
    const { say, channel, generations, clock } = makeSpeech();
    const READ_PER_SECOND = 10_700;
    say('A long story.');
    await settle();
    generations[0]!.chunk();
    await settle();
    // The rest comes at once. Pings wait behind it.
    channel.unread = 1_100_000;
    channel.answersPings = false;
    for (let chunk = 0; chunk < 5; chunk++) generations[0]!.chunk();
    await settle();
    while (channel.sent.length < 6 && !channel.closedWith && !channel.isCut) {
      channel.unread = Math.max(0, channel.unread - READ_PER_SECOND);
      await clock.advance(1_000);
      await settle();
    }
    expect([channel.closedWith, channel.isCut, channel.sent.length]).toEqual([undefined, false, 6]);
  });

  it('that stops reading while less is unsent is idle', async () => {
    const { say, channel, generations, clock, session } = makeSpeech();
    channel.unread = 500_000;
    channel.answersPings = false;
    say('Hello.');
    await settle();
    generations[0]!.chunk();
    generations[0]!.end();
    await settle();
    await clock.advance(120_000);
    await settle();
    expect(channel.closedWith).toEqual({ code: 1000, reason: 'idle_timeout' });
    await session.ended;
  });

  it('that catches up gets the rest', async () => {
    const { say, channel, generations, clock } = makeSpeech();
    say('Hello.');
    await settle();
    channel.unread = 2_000_000;
    for (let chunk = 0; chunk < 5; chunk++) generations[0]!.chunk();
    await settle();
    channel.unread = 0;
    await clock.advance(20);
    await settle();
    expect(channel.sent).toHaveLength(5);
  });
});

describe('time', () => {
  it('of sixty seconds without a message, in either direction, closes the socket', async () => {
    const { channel, clock, session } = makeSpeech();
    await clock.advance(60_000);
    await settle();
    expect(channel.closedWith).toEqual({ code: 1000, reason: 'idle_timeout' });
    await session.ended;
  });

  it('in which the client only listens is not idle', async () => {
    const { say, channel, generations, clock } = makeSpeech();
    say('A long story.');
    await settle();
    for (let second = 0; second < 100; second++) {
      generations[0]!.chunk();
      await settle();
      await clock.advance(1_000);
    }
    expect(channel.closedWith).toBeUndefined();
  });

  it('of an hour ends the session: the running generation finishes, then the socket closes', async () => {
    const { say, channel, generations, clock } = makeSpeech();
    say('Hello.');
    await settle();
    generations[0]!.chunk();
    generations[0]!.end();
    await settle();
    for (let round = 0; round < 71; round++) {
      await clock.advance(50_000);
      channel.say({ type: 'cancel' });
    }
    await clock.advance(48_000);
    say('The last text.');
    await settle();
    generations[1]!.chunk();
    await settle();
    await clock.advance(2_000);
    say('Too late.');
    await settle();
    generations[1]!.end();
    await settle();
    expect([types(channel.sent).slice(-2), channel.closedWith, generations.length]).toEqual([
      ['audio', 'done'],
      { code: 1000, reason: 'max_duration' },
      2,
    ]);
  });
});

describe('an external end', () => {
  it('when the instance stops lets the running text end with done', async () => {
    const { say, channel, generations, session } = makeSpeech();
    say('Hello.');
    await settle();
    session.drain();
    generations[0]!.chunk();
    generations[0]!.end();
    await session.ended;
    await settle();
    expect([types(channel.sent), channel.closedWith]).toEqual([
      ['audio', 'done'],
      { code: 1001, reason: 'shutting_down' },
    ]);
  });

  it('without a running generation closes at once', async () => {
    const { channel, session } = makeSpeech();
    session.drain();
    await session.ended;
    await settle();
    expect(channel.closedWith?.code).toBe(1001);
  });

  it('when the key is revoked is 401 at once', async () => {
    const { say, channel, session, generations } = makeSpeech();
    say('Hello.');
    await settle();
    session.refuse(new GatewayError('revoked_api_key', 'The key was revoked.'));
    await session.ended;
    await settle();
    expect([channel.sent, channel.closedWith?.code, generations[0]!.isEnded]).toEqual([
      [expect.objectContaining({ code: 401 })],
      4401,
      true,
    ]);
  });
});

async function settleBriefly(): Promise<void> {
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
}
