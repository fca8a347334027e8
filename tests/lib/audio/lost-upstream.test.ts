import { describe, expect, it } from 'vitest';
import { upstreamFailed } from '../../../lib/domain/errors';
import { makeTranscription, settle, silence } from './make-transcription';

// What a client notices of an upstream that is lost in the middle of a transcription: nothing, wherever possible.

const broken = () => upstreamFailed({ retry: 'later', started: 'maybe' }, 'closed with 1006');
const refused = () => upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'refused');

/** A session with a ready upstream, which has received this many seconds of audio. */
async function live({
  heardSeconds = 2,
  ...options
}: Parameters<typeof makeTranscription>[0] & { readonly heardSeconds?: number } = {}) {
  const made = makeTranscription(options);
  made.channel.say(made.configure);
  await settle();
  if (heardSeconds > 0) made.channel.say(silence(heardSeconds));
  await settle();
  return { ...made, upstream: made.stt.a.upstreams[0]! };
}

describe('an upstream that is lost', () => {
  it('is replaced silently: audio without a final text is sent again, once, and times continue', async () => {
    const { channel, upstream, stt, meter } = await live();
    upstream.final('One.', [0.1, 0.5]);
    upstream.interim('two thr', [0.6, 1.4]);
    await settle();
    upstream.fail(broken());
    await settle();
    channel.say(silence(0.5));
    await settle();
    const [, next] = stt.a.upstreams;
    expect(next!.bytes).toBe((1.5 + 0.5) * 32_000);
    next!.final('Two three.', [0.1, 0.9]);
    channel.say({ type: 'stop' });
    await settle();
    next!.usage(2);
    next!.end();
    await settle();
    expect(channel.sent.slice(1)).toEqual([
      { type: 'transcript', text: 'One.', is_final: true, words: [{ word: 'One.', start: 0.1, end: 0.5 }] },
      { type: 'transcript', text: 'two thr', is_final: false, words: [{ word: 'two thr', start: 0.6, end: 1.4 }] },
      { type: 'transcript', text: 'Two three.', is_final: true, words: [{ word: 'Two three.', start: 0.6, end: 1.4 }] },
      { type: 'done', audio_duration_seconds: 2.5, session_duration_seconds: 0 },
    ]);
    // Sent twice, charged once.
    expect([meter.usedMillis, meter.outcome]).toEqual([2_500, 'done']);
  });

  it('is replaced by the next provider when it cannot be reached any more, and the record names the provider that served', async () => {
    const { upstream, stt, meter, channel } = await live({ providers: ['a', 'b'] });
    stt.a.onOpen = (next) => next.fail(refused());
    upstream.fail(broken());
    await settle();
    expect([stt.a.upstreams.length, stt.b.upstreams[0]?.bytes]).toEqual([2, 64_000]);
    expect([meter.providers, channel.closedWith]).toEqual([['a', 'b'], undefined]);
    channel.say({ type: 'stop' });
    await settle();
    stt.b.upstreams[0]!.end();
    await settle();
    expect(meter.attempts).toEqual(['a lost', 'a refused', 'b served']);
  });

  it('is not tried again after it refused our credentials', async () => {
    const { upstream, stt, channel } = await live();
    upstream.fail(upstreamFailed({ retry: 'elsewhere', started: 'maybe' }, 'closed with 1008', 'upstream_auth_failed'));
    await settle();
    expect([stt.a.upstreams.length, channel.closedWith?.code]).toEqual([1, 1011]);
  });

  it('before its first text or its first five seconds, twice, is reported with 502', async () => {
    const { upstream, stt, channel } = await live();
    upstream.interim('hello', [0.1, 0.4]);
    await settle();
    upstream.fail(broken());
    await settle();
    stt.a.upstreams[1]!.fail(broken());
    await settle();
    expect([stt.a.upstreams.length, channel.sent.at(-1)]).toEqual([
      2,
      expect.objectContaining({ type: 'error', code: 502 }),
    ]);
  });

  it('for the fourth time is reported with 502', async () => {
    const { stt, channel, clock } = await live();
    for (let loss = 0; loss < 4; loss++) {
      expect(channel.closedWith).toBeUndefined();
      await clock.advance(6_000);
      stt.a.upstreams.at(-1)!.fail(broken());
      await settle();
    }
    expect([stt.a.upstreams.length, channel.closedWith?.code]).toEqual([4, 1011]);
  });

  it('in an utterance that began before the kept audio is reported with 502, with the interim text as final', async () => {
    const { upstream, channel } = await live();
    upstream.interim('a very', [0.2, 2]);
    for (let second = 0; second < 15; second++) {
      channel.say(silence(1));
      await settle();
    }
    upstream.fail(broken());
    await settle();
    expect(channel.sent.slice(-2)).toEqual([
      expect.objectContaining({ text: 'a very', is_final: true }),
      expect.objectContaining({ code: 502 }),
    ]);
  });

  it('after a long silence gets only the last second again', async () => {
    const { upstream, stt, channel, clock } = await live({ heardSeconds: 0 });
    for (let piece = 0; piece < 200; piece++) {
      channel.say(silence(0.1));
      await clock.advance(100);
    }
    upstream.fail(broken());
    await settle();
    const againSeconds = stt.a.upstreams[1]!.bytes / 32_000;
    expect(againSeconds).toBeGreaterThanOrEqual(0.9);
    expect(againSeconds).toBeLessThanOrEqual(1.3);
    expect(channel.closedWith).toBeUndefined();
  });

  it('of a model without word times gets everything since the last final text again, or the loss is reported', async () => {
    const { upstream, stt, channel } = await live({ wordTimes: 'none' });
    upstream.final('One.', null);
    await settle();
    channel.say(silence(3));
    await settle();
    upstream.fail(broken());
    await settle();
    expect(stt.a.upstreams[1]!.bytes).toBe(3 * 32_000);
    stt.a.upstreams[1]!.interim('two');
    for (let second = 0; second < 15; second++) {
      channel.say(silence(1));
      await settle();
    }
    stt.a.upstreams[1]!.fail(broken());
    await settle();
    expect([stt.a.upstreams.length, channel.closedWith?.code]).toEqual([2, 1011]);
  });

  it('makes the caller wait, without loss, while another one opens, and accepts a stop meanwhile', async () => {
    const { upstream, stt, channel, meter } = await live({ heardSeconds: 0.5 });
    stt.a.onOpen = () => {};
    upstream.fail(broken());
    await settle();
    for (let piece = 0; piece < 30; piece++) channel.say(silence(0.1));
    expect(channel.isPaused).toBe(true);
    channel.say({ type: 'stop' });
    await settle();
    const next = stt.a.upstreams[1]!;
    next.ready();
    await settle();
    expect([next.bytes, next.audioEnded]).toEqual([3.5 * 32_000, true]);
    next.end();
    await settle();
    expect([channel.sent.at(-1)?.type, channel.closedWith?.code, meter.usedMillis]).toEqual(['done', 1000, 3_500]);
  });

  it('and not replaced within five seconds is reported with 502', async () => {
    const { upstream, stt, channel, clock } = await live();
    stt.a.onOpen = () => {};
    upstream.fail(broken());
    await settle();
    await clock.advance(5_000);
    await settle();
    expect([channel.sent.at(-1), channel.closedWith?.code]).toEqual([expect.objectContaining({ code: 502 }), 1011]);
    expect(stt.a.upstreams.every((each) => each.isClosed)).toBe(true);
  });

  it('between stop and its last text is replaced too, within the grace period', async () => {
    const { upstream, stt, channel } = await live();
    upstream.interim('the tail', [0.1, 1.9]);
    channel.say({ type: 'stop' });
    await settle();
    upstream.fail(broken());
    await settle();
    const next = stt.a.upstreams[1]!;
    expect([next.bytes, next.audioEnded]).toEqual([64_000, true]);
    next.final('The tail.', [0.1, 1.9]);
    next.end();
    await settle();
    expect(channel.sent.slice(-2)).toEqual([
      expect.objectContaining({ text: 'The tail.', is_final: true }),
      expect.objectContaining({ type: 'done' }),
    ]);
  });
});
