import { describe, expect, it } from 'vitest';
import { GatewayError, upstreamFailed } from '../../../lib/domain/errors';
import { makeSpeech, types, type ScriptedGeneration } from './make-speech';
import { settle } from './make-transcription';

describe('failover before the first audio', () => {
  const refused = () => upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'refused');
  /** A session in which the providers answer a text as the script says, with audio by default. */
  function makeTwin(script: Record<string, (generation: ScriptedGeneration) => void>) {
    const made = makeSpeech();
    made.tts.onSpeak = (generation) => {
      const { providerId } = generation.request.binding;
      if (script[providerId]) return script[providerId](generation);
      generation.chunk(providerId === 'a' ? 'AAAA' : 'BBBB');
      generation.end();
    };
    return {
      ...made,
      asked: () => made.generations.map(({ request }) => request.binding.providerId),
      speak: () => made.say('Hello there.', { model: 'twin' }),
    };
  }

  it.each([
    ['cannot be reached', refused()],
    ['ends without audio', undefined],
    ['breaks off', upstreamFailed({ retry: 'later', started: 'maybe' }, 'closed')],
    [
      'answers with a rate limit',
      upstreamFailed({ retry: 'elsewhere', started: 'no', retryAfterMs: 60_000 }, 'limited'),
    ],
  ])('of a provider that %s lets the next one speak, without notice to the client', async (_what, error) => {
    const { speak, asked, channel, charged, metered } = makeTwin({
      a: (generation) => (error ? generation.fail(error) : generation.end()),
    });
    speak();
    await settle();
    const id = charged[0]!.id;
    expect(asked()).toEqual(['a', 'b']);
    expect(channel.sent).toEqual([
      { type: 'audio', data: 'BBBB', context_id: id },
      { type: 'done', context_id: id },
    ]);
    // One meter, at the price of the first provider, for the characters of the one that spoke.
    expect(charged).toEqual([{ id, characters: 12, heard: true, outcome: 'done' }]);
    expect(metered).toEqual({ prices: [10n ** 13n], served: ['b'], attempts: ['a refused', 'b served'] });
  });

  it('of a provider that is silent for five seconds lets the next one speak, and drops late audio', async () => {
    const { speak, asked, generations, channel, clock } = makeTwin({ a: () => {} });
    speak();
    await settle();
    await clock.advance(5_000);
    await settle();
    generations[0]!.chunk('LATE');
    await settle();
    expect([asked(), types(channel.sent), generations[0]!.isEnded]).toEqual([['a', 'b'], ['audio', 'done'], true]);
  });

  it('of all providers ends with 502, and the text costs nothing', async () => {
    const fail = (generation: ScriptedGeneration) => generation.fail(refused());
    const { speak, asked, channel, charged, metered } = makeTwin({ a: fail, b: fail });
    speak();
    await settle();
    expect([asked(), channel.sent, channel.closedWith?.code]).toEqual([
      ['a', 'b'],
      [expect.objectContaining({ code: 502 })],
      1011,
    ]);
    expect([charged, metered.attempts]).toEqual([
      [expect.objectContaining({ heard: false, outcome: 'failed' })],
      ['a refused', 'b refused'],
    ]);
  });

  it('of the only provider connects to it a second time, with a context of its own', async () => {
    const { say, tts, generations, channel, charged } = makeSpeech();
    tts.onSpeak = (generation) => {
      if (generations.length === 1) return generation.fail(refused());
      generation.chunk();
      generation.end();
    };
    say('Hello.');
    await settle();
    const id = charged[0]!.id;
    expect(generations.map(({ request }) => request.contextId)).toEqual([id, `${id}_2`]);
    expect(channel.sent).toEqual([
      { type: 'audio', data: 'AAAA', context_id: id },
      { type: 'done', context_id: id },
    ]);
  });

  it('does not follow an error that the client must correct', async () => {
    const { speak, asked, channel } = makeTwin({
      a: (generation) => generation.fail(new GatewayError('unsupported_value', 'There is no voice "Ann".')),
    });
    speak();
    await settle();
    expect([asked(), channel.sent, channel.closedWith]).toEqual([
      ['a'],
      [expect.objectContaining({ code: 400 })],
      undefined,
    ]);
  });

  it('ends with a cancellation: the next provider is not called', async () => {
    const { speak, asked, channel, generations, charged } = makeTwin({ a: () => {} });
    speak();
    await settle();
    channel.say({ type: 'cancel' });
    await settle();
    expect([asked(), generations[0]!.isEnded, channel.sent, charged[0]?.outcome]).toEqual([
      ['a'],
      true,
      [],
      'cancelled',
    ]);
  });

  it('ends with the first audio: a later failure ends the session with 502, and counts against the provider', async () => {
    const { speak, asked, channel, health, metered } = makeTwin({
      a(generation) {
        generation.chunk();
        generation.fail(upstreamFailed({ retry: 'later', started: 'maybe' }, 'closed'));
      },
    });
    for (let n = 0; n < 4; n += 1) health.failed('a twin-1');
    speak();
    await settle();
    expect([asked(), types(channel.sent), channel.closedWith?.code, metered.attempts]).toEqual([
      ['a'],
      ['audio', 'error'],
      1011,
      ['a lost'],
    ]);
    expect(health.admit('a twin-1')).toBe('no');
  });

  it('is remembered: after five failures the next text goes to the healthy provider at once', async () => {
    const { speak, asked } = makeTwin({ a: (generation) => generation.fail(refused()) });
    for (let text = 0; text < 6; text += 1) {
      speak();
      await settle();
    }
    expect(asked().slice(-3)).toEqual(['a', 'b', 'b']);
  });
});
