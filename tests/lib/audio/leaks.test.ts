import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import { createCartesiaTts } from '../../../lib/providers/cartesia/tts';
import { createDeepgramStt } from '../../../lib/providers/deepgram/stt';
import { gather, soundOf } from '../../providers/contract/stt';
import { listen } from '../../providers/contract/tts';
import { makeSpeechRequest } from '../../providers/make-speech-request';
import { makeSttRequest } from '../../providers/make-stt-request';
import { createTestClock } from '../../support/clock';
import { recordLog } from '../../support/log';
import { createCartesia } from '../../support/upstreams/cartesia';
import { createDeepgram } from '../../support/upstreams/deepgram';
import { goodKey } from '../../support/upstreams/upstream';
import { makeSpeech } from './make-speech';
import { makeTranscription, settle, silence } from './make-transcription';

// Objects that live as long as the process, or as a session of three hours, must not retain ended sessions and
// generations.

setFlagsFromString('--expose-gc');
// Safe: the flag above gives every new context this function.
const collect = runInNewContext('gc') as () => void;

/** How many of them are still in memory, after several tries: one collection does not free everything. */
async function left(references: readonly WeakRef<object>[]): Promise<number> {
  let alive = references.length;
  for (let round = 0; round < 10 && alive > 0; round++) {
    await settle();
    collect();
    alive = references.filter((reference) => reference.deref() !== undefined).length;
  }
  return alive;
}

describe('a session that is over', () => {
  it('is released by long-lived objects, with its timers: a thousand transcriptions, ended in every way', async () => {
    const clock = createTestClock();
    const references: WeakRef<object>[] = [];
    for (let count = 0; count < 1_000; count++) {
      const { channel, session, stt, configure } = makeTranscription({ clock });
      references.push(new WeakRef(session), new WeakRef(channel));
      channel.say(configure);
      await settle();
      channel.say(silence(0.1));
      stt.a.upstreams[0]?.interim('half');
      if (count % 4 === 0) channel.disconnect();
      else if (count % 4 === 1) stt.a.upstreams[0]?.fail(new Error('gone'));
      else {
        channel.say({ type: 'stop' });
        await settle();
        if (count % 4 === 2) stt.a.upstreams[0]?.end();
        else channel.cut();
      }
      await session.ended;
    }
    expect(await left(references)).toBeLessThan(10);
    expect(clock.pending()).toBeLessThan(10);
  }, 60_000);

  it('is released with its generations: a thousand of speech', async () => {
    const clock = createTestClock();
    const references: WeakRef<object>[] = [];
    for (let count = 0; count < 1_000; count++) {
      const { channel, session, generations, say } = makeSpeech({ clock });
      references.push(new WeakRef(session), new WeakRef(channel));
      say('one');
      await settle();
      generations[0]?.chunk();
      if (count % 2 === 0) say('two');
      channel.disconnect();
      await session.ended;
    }
    expect(await left(references)).toBeLessThan(10);
    expect(clock.pending()).toBeLessThan(10);
  }, 60_000);
});

describe('a session of three hours', () => {
  it('has no more timers and holds no more memory in its last minute than in its fifth', async () => {
    const { channel, clock, stt, meter, configure } = makeTranscription();
    channel.say(configure);
    await settle();
    const [upstream] = stt.a.upstreams;
    const held = async () => {
      for (let round = 0; round < 3; round++) {
        await settle();
        collect();
      }
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const second = silence(1);
    let early = { bytes: 0, timers: 0 };
    for (let at = 1; at <= 10_790; at++) {
      channel.say(second.slice());
      await settle();
      // A sentence of five seconds, then a silence of five.
      if (at % 10 < 5) upstream?.interim('as far as this', [at - 1, at]);
      if (at % 10 === 5) upstream?.final('a sentence', [at - 5, at]);
      await clock.advance(1_000);
      if (at === 300) early = { bytes: await held(), timers: clock.pending() };
    }
    expect(clock.pending()).toBeLessThanOrEqual(early.timers);
    // 336 MB of audio went through. The test itself keeps about one megabyte of transcripts.
    expect(((await held()) - early.bytes) / 1e6).toBeLessThan(4);
    expect(meter.usedMillis).toBe(10_790_000);
    channel.disconnect();
  }, 60_000);
});

describe('a long-lived signal', () => {
  it('collects no listeners from two hundred texts of one connection', async () => {
    const upstream = await createCartesia({ contexts: 1_000 });
    const session = new AbortController();
    const connection = createCartesiaTts({ baseUrl: upstream.baseUrl, key: goodKey }, { clock: systemClock }).open({
      signal: session.signal,
      log: recordLog(),
    });
    const lasting = new AbortController();
    await listen(connection.speak(makeSpeechRequest('cartesia', 'sonic-3.5', { contextId: 'first' }), lasting.signal));
    const before = [session, lasting].map(({ signal }) => getEventListeners(signal, 'abort').length);
    for (let text = 0; text < 200; text++)
      await listen(
        connection.speak(
          makeSpeechRequest('cartesia', 'sonic-3.5', { contextId: `ctx-${text}`, input: 'one' }),
          lasting.signal,
        ),
      );
    expect([session, lasting].map(({ signal }) => getEventListeners(signal, 'abort').length)).toEqual(before);
    connection.close();
    await upstream.close();
  }, 30_000);

  it('collects no listeners from fifty transcriptions', async () => {
    const upstream = await createDeepgram();
    const lasting = new AbortController();
    const provider = createDeepgramStt({ baseUrl: upstream.baseUrl, key: goodKey, clock: systemClock });
    for (let session = 0; session < 50; session++)
      await gather(
        provider.transcribe(soundOf(0.4).audio, makeSttRequest('deepgram', 'nova-3'), {
          signal: lasting.signal,
          log: recordLog(),
        }),
      );
    expect(getEventListeners(lasting.signal, 'abort')).toHaveLength(0);
    await upstream.close();
  }, 30_000);
});
