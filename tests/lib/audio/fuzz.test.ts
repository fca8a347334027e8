import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { upstreamFailed } from '../../../lib/domain/errors';
import type { ProviderDefinition } from '../../../lib/domain/provider';
import { sttModel, ttsModel } from '../../../lib/catalog/speech-entry';
import { createTestClock, type TestClock } from '../../support/clock';
import { makeGateway, type TestGateway } from '../../support/gateway';
import { proofRuns } from '../../support/proof-runs';
import { makeSpeech } from './make-speech';
import { makeSttModel, makeTranscription, settle } from './make-transcription';
import { createScriptedChannel } from './scripted-channel';

// Random clients against random upstreams. Whatever is sent in whatever order, only documented replies come, in a valid
// order; afterwards nothing is left: no upstream, no timer, no unsettled charge.

/** Repeatable randomness: a failure names its seed. */
function dice(seed: number) {
  let state = seed >>> 0 || 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (limit: number) => Math.floor(next() * limit),
    of: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!,
  };
}
type Dice = ReturnType<typeof dice>;

/** A clock that counts its unfired timers. */
function countingClock(): TestClock & { waiting(): number } {
  const clock = createTestClock();
  const waiting = new Set<object>();
  const after = (ms: number, run: () => void) => {
    const mark = {};
    waiting.add(mark);
    const cancel = clock.after(ms, () => {
      waiting.delete(mark);
      run();
    });
    return () => {
      waiting.delete(mark);
      cancel();
    };
  };
  return { ...clock, after, waiting: () => waiting.size };
}

const junk = [
  '',
  '{',
  '[]',
  'null',
  '7',
  '"stop"',
  '{"type":null}',
  '{"type":{}}',
  '{"type":"__proto__"}',
  '{"type":"configure"}',
  '{"type":"tts"}',
  '\u0000',
  '{"type":"stop","extra":{"deep":[1,2,3]}}',
  '{"type":"configure","model":"hears","sample_rate":1e9}',
  '{"type":"configure","model":"hears","language":"xx"}',
  '{"type":"tts","model":"speaks","input":"a","voice":"Ann","speed":-1}',
  '{"type":"tts","model":"hears","input":"a","voice":"Ann"}',
];

function mutated(text: string, { below, of }: Dice): string {
  const at = below(text.length + 1);
  return of([text.slice(0, at), text.slice(0, at) + of(['"', '}', '\\', 'é', '0']) + text.slice(at), text + text]);
}

const isText = (value: unknown) => typeof value === 'string' && value.length > 0;
/** 500 is for our own bugs; the upstreams below simulate one. */
const codes = new Set([400, 401, 402, 403, 429, 500, 502]);

function checkError(message: Record<string, unknown>): void {
  expect(Object.keys(message).toSorted()).toEqual(['code', 'message', 'type']);
  expect(isText(message['message']) && codes.has(Number(message['code']))).toBe(true);
}

const SESSIONS = proofRuns(10_000);

describe('a random caller of a transcription', () => {
  it(`gets only documented replies, in order, and leaves nothing behind, ${SESSIONS} times`, async () => {
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= SESSIONS; seed++) {
      const chance = dice(seed * 7919);
      const clock = countingClock();
      const { channel, stt, session, meter } = makeTranscription({
        clock,
        meter: chance.of(['audio', 'session']),
        providers: chance.of([['a'], ['a', 'b']]),
      });
      for (const each of [stt.a, stt.b]) {
        each.onOpen = (upstream) => {
          const mood = chance.below(10);
          if (mood < 6) upstream.ready();
          else if (mood === 6) upstream.fail(upstreamFailed({ retry: 'elsewhere', started: 'no' }, 'refused'));
          else if (mood === 7) upstream.fail(new Error('a bug'));
          else if (mood === 8) upstream.end();
        };
      }
      if (chance.below(8) === 0) meter.allowedMillis = chance.below(3_000);
      const steps = 1 + chance.below(16);
      // Most sessions start correctly, otherwise hardly any would get far.
      if (chance.below(5) > 0) channel.say({ type: 'configure', model: 'hears' });
      for (let step = 0; step < steps; step++) {
        const upstream = stt.a.upstreams.at(-1) ?? stt.b.upstreams.at(-1);
        switch (chance.below(14)) {
          case 0:
            if (chance.below(3) === 0)
              channel.say({
                type: 'configure',
                model: 'hears',
                ...chance.of([{}, { language: 'en' }, { encoding: 'pcm_mulaw', sample_rate: 8000 }]),
              });
            break;
          case 1:
          case 2:
          case 3:
          case 4:
            channel.say(new Uint8Array(chance.below(20) === 0 ? 641 : chance.of([640, 3200, 0, 64_000])));
            break;
          case 5:
            channel.say({ type: 'stop' });
            break;
          case 6:
            if (chance.below(4) === 0) channel.say(chance.of(junk));
            break;
          case 7:
            if (chance.below(4) === 0)
              channel.say(mutated('{"type":"configure","model":"hears","language":"en"}', chance));
            break;
          case 8:
            upstream?.interim('so far');
            break;
          case 9:
            upstream?.final('for good');
            break;
          case 10:
            chance.of([
              () => upstream?.end(),
              () => upstream?.fail(upstreamFailed({ retry: 'later', started: 'maybe' }, 'gone')),
              () => upstream?.usage(1),
              () => upstream?.ready(),
            ])();
            break;
          case 11:
            await clock.advance(chance.of([10, 1_000, 6_000, 61_000]));
            break;
          case 12:
            if (chance.below(6) === 0)
              chance.of([
                () => session.drain(),
                () => channel.disconnect(),
                () => meter.exhaust(),
                () => (channel.answersPings = false),
              ])();
            break;
          default:
            await settle();
        }
      }
      await settle();
      const where = `seed ${seed}`;
      const isOpen = !channel.closedWith && !channel.isCut;
      if (isOpen) channel.disconnect();
      await session.ended;
      await settle();

      const sent = channel.sent as readonly Record<string, unknown>[];
      let started = 0;
      for (const [index, message] of sent.entries()) {
        const type = String(message['type']);
        seen.set(type, (seen.get(type) ?? 0) + 1);
        if (type === 'error') checkError(message);
        else if (type === 'session_started') {
          started += 1;
          expect(Object.keys(message), where).toEqual(['type', 'session_id']);
        } else if (type === 'transcript') {
          expect(isText(message['text']) && typeof message['is_final'] === 'boolean' && started === 1, where).toBe(
            true,
          );
        } else if (type === 'done') {
          expect(
            [index, typeof message['audio_duration_seconds'], typeof message['session_duration_seconds']],
            where,
          ).toEqual([sent.length - 1, 'number', 'number']);
        } else expect.fail(`${where}: an undocumented reply ${type}`);
      }
      expect(started, where).toBeLessThanOrEqual(1);
      if (channel.closedWith)
        expect([1000, 1001, 1008, 1011, 1013, 4401, 4402, 4403], where).toContain(channel.closedWith.code);
      expect(
        [...stt.a.upstreams, ...stt.b.upstreams].every(({ isClosed }) => isClosed),
        where,
      ).toBe(true);
      expect(meter.settled, where).toBeLessThanOrEqual(1);
      expect([...stt.a.upstreams, ...stt.b.upstreams].length > 0 ? meter.settled : 1, where).toBe(1);
      expect(clock.waiting(), where).toBe(0);
    }
    expect([...seen.keys()].toSorted()).toEqual(['done', 'error', 'session_started', 'transcript']);
    expect(seen.get('done')).toBeGreaterThan(SESSIONS / 100);
  }, 240_000);
});

describe('a random caller of speech', () => {
  it(`gets only documented replies, of the right context, and leaves nothing behind, ${SESSIONS} times`, async () => {
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= SESSIONS; seed++) {
      const chance = dice(seed * 104_729);
      const clock = countingClock();
      const { channel, session, generations, connections, charged, tts, say } = makeSpeech({ clock });
      tts.onSpeak = (generation) => {
        if (chance.below(3) > 0) generation.chunk();
        if (chance.below(3) === 0) generation.end();
      };
      const steps = 1 + chance.below(12);
      for (let step = 0; step < steps; step++) {
        const generation = generations[chance.below(generations.length + 1)] ?? generations.at(-1);
        switch (chance.below(12)) {
          case 0:
          case 1:
          case 2:
            say(
              chance.of(['Hello.', 'A longer text, with more to say.', '', 'ä'.repeat(101)]),
              chance.of([{}, { speed: 2 }, { voice: 'Zoe' }, { model: 'any-voice', voice: 'Zoe' }]),
            );
            break;
          case 3:
            channel.say({ type: 'cancel' });
            break;
          case 4:
            if (chance.below(4) === 0) channel.say(chance.of(junk));
            break;
          case 5:
            if (chance.below(4) === 0)
              channel.say(mutated('{"type":"tts","model":"speaks","input":"Hello.","voice":"Ann"}', chance));
            break;
          case 6:
          case 7:
            generation?.chunk();
            break;
          case 8:
            chance.of([
              () => generation?.end(),
              () => generation?.fail(upstreamFailed({ retry: 'later', started: 'maybe' }, 'gone')),
              () => generation?.chunk('not base64!'),
            ])();
            break;
          case 9:
            await clock.advance(chance.of([10, 1_000, 6_000, 61_000]));
            break;
          case 10:
            if (chance.below(6) === 0)
              chance.of([() => session.drain(), () => channel.disconnect(), () => channel.say(new Uint8Array(3))])();
            break;
          default:
            await settle();
        }
      }
      await settle();
      const where = `seed ${seed}`;
      if (!channel.closedWith && !channel.isCut) channel.disconnect();
      await session.ended;
      await settle();

      const done = new Set<string>();
      for (const message of channel.sent as readonly Record<string, unknown>[]) {
        const type = String(message['type']);
        seen.set(type, (seen.get(type) ?? 0) + 1);
        if (type === 'error') checkError(message);
        else if (type === 'audio' || type === 'done') {
          const id = String(message['context_id']);
          expect(
            charged.some((meter) => meter.id === id),
            where,
          ).toBe(true);
          expect(done.has(id), where).toBe(false);
          if (type === 'done') done.add(id);
        } else expect.fail(`${where}: an undocumented reply ${type}`);
      }
      expect(
        charged.every(({ outcome }) => outcome !== undefined),
        where,
      ).toBe(true);
      expect(
        generations.every(({ isEnded }) => isEnded),
        where,
      ).toBe(true);
      expect(
        connections.every(({ closed }) => closed),
        where,
      ).toBe(true);
      expect(clock.waiting(), where).toBe(0);
    }
    expect([...seen.keys()].toSorted()).toEqual(['audio', 'done', 'error']);
  }, 240_000);
});

describe('random callers with real books', () => {
  let test: TestGateway;
  const quick: ProviderDefinition = {
    id: 'quick',
    name: 'Quick',
    capabilities: ['stt', 'tts'],
    settings: [],
    create: () => ({
      id: 'quick',
      stt: {
        async *transcribe(audio) {
          yield { kind: 'ready' };
          let pieces = 0;
          for await (const piece of audio) {
            pieces += piece.byteLength > 0 ? 1 : 0;
            if (pieces % 3 === 0)
              yield { kind: 'transcript', transcript: { text: `${pieces} pieces`, isFinal: pieces % 6 === 0 } };
            if (pieces === 40) throw upstreamFailed({ retry: 'later', started: 'maybe' }, 'gone');
          }
        },
      },
      tts: {
        open: () => ({
          async *speak({ input }, signal) {
            for (let chunk = 0; chunk < input.length && !signal.aborted; chunk++) {
              await new Promise((resolve) => setImmediate(resolve));
              yield { base64: 'AAAA' };
            }
          },
          close: () => {},
        }),
      },
      video: {
        start: () => Promise.reject(new Error('no')),
        check: () => Promise.reject(new Error('no')),
        open: () => Promise.reject(new Error('no')),
      },
    }),
  };

  beforeAll(async () => {
    const model = makeSttModel('audio', ['quick']);
    const speaks = ttsModel({
      id: 'speaks',
      name: 'Speaks',
      description: 'A model of the tests.',
      family: 'tests',
      created: 1_795_219_200,
      facts: {
        voices: [{ name: 'Ann' }],
        otherVoices: false,
        languages: ['en'],
        formats: ['pcm_24000'],
        maxInputCharacters: 100,
        maxSessionSeconds: 3_600,
      },
      bindings: [
        {
          providerId: 'quick',
          modelName: 'speaks-1',
          price: { perMillionCharacters: '10', source: 'tests', verified: true },
        },
      ],
    });
    const dear = sttModel({
      id: 'dear',
      name: 'Dear',
      description: 'A model of the tests.',
      family: 'tests',
      created: 1_795_219_200,
      facts: model.stt,
      bindings: [
        {
          providerId: 'quick',
          modelName: 'dear-1',
          price: { perMinute: '1', meter: 'audio', source: 'tests', verified: true },
        },
      ],
    });
    test = await makeGateway({ providers: [quick], testProvider: quick, models: [model, dear, speaks] });
  });
  afterAll(() => test.close());

  /** The database answers in order, so all earlier queries are answered. */
  async function databaseTurns(): Promise<void> {
    for (let turn = 0; turn < 4; turn++) {
      await test.db.query('select 1');
      await settle();
    }
  }

  it('leave the books right and no session behind', async () => {
    const caller = await test.caller('live');
    const chance = dice(20_261_121);
    const { gateway } = test;
    const by = await gateway.providers.servedBy(caller);
    let billed = 0;
    for (let round = 0; round < 40; round++) {
      const running = Array.from({ length: 10 }, () => {
        const channel = createScriptedChannel();
        const isSpeech = chance.below(2) === 0;
        const session = isSpeech
          ? gateway.audio.speak({ channel, caller, by })
          : gateway.audio.transcribe({ channel, caller, by });
        return { channel, session, isSpeech };
      });
      for (let step = 0; step < 60; step++) {
        const { channel, isSpeech, session } = chance.of(running);
        const act = chance.below(10);
        if (isSpeech) {
          if (act < 5)
            channel.say({ type: 'tts', model: 'speaks', input: 'x'.repeat(1 + chance.below(20)), voice: 'Ann' });
          else if (act < 7) channel.say({ type: 'cancel' });
        } else if (act < 2) channel.say({ type: 'configure', model: chance.of(['hears', 'dear']) });
        else if (act < 6) channel.say(new Uint8Array(32_000));
        else if (act < 7) channel.say({ type: 'stop' });
        if (act === 8 && chance.below(10) === 0) channel.disconnect();
        if (act === 9 && chance.below(20) === 0) session.drain();
        if (step % 5 === 0) await databaseTurns();
      }
      for (const { channel } of running) if (!channel.closedWith && !channel.isCut) channel.disconnect();
      await Promise.all(running.map(({ session }) => session.ended));
    }
    const { rows } = await test.db.query(`select count(*)::int as n from meters where cost_nano_usd > 0`);
    billed = Number(rows[0]?.n);
    expect(billed).toBeGreaterThan(50);
    expect(gateway.audio.count()).toBe(0);
    const { rows: left } = await test.db.query(`select held_nano_usd::text as held from accounts where mode = 'live'`);
    expect(left.map(({ held }) => held)).toEqual(['0']);
  }, 120_000);
});
