import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../lib/domain/clock';
import { systemClock } from '../../../lib/domain/clock';
import { isGatewayError } from '../../../lib/domain/errors';
import type { SttEvent, SttProvider, SttRequest, Transcript } from '../../../lib/domain/transcription';
import { hurriedClock } from '../../support/hurried-clock';
import { recordLog } from '../../support/log';
import type { RecordedLog } from '../../support/log';
import { makeSound, scriptWords } from '../../support/upstreams/script';
import type { Upstream } from '../../support/upstreams/upstream';
import { goodKey } from '../../support/upstreams/upstream';

// The contract of every speech-to-text provider, whatever its upstream. A provider's own test calls `sttContract` with
// a function that creates the provider in front of its fake upstream.

export interface SttSubject {
  readonly provider: SttProvider;
  readonly upstream: Upstream;
}

export interface SttContractOptions {
  makeSubject(make: { readonly key: string; readonly clock: Clock }): Promise<SttSubject>;
  makeRequest(): SttRequest;
  readonly wordTimes: boolean;
  /** The upstream reports how much audio it received. */
  readonly reportsUsage: boolean;
  /** What the upstream receives if a session is aborted; absent if it has no message for that. */
  readonly farewell?: string | RegExp;
}

/**
 * An end that must be prompt comes this soon, even on a busy machine. Otherwise the session would wait for audio that
 * never comes.
 */
const promptlyMs = 10_000;

/** Audio as a client sends it: chunks of 20 ms, then the stop. Counts the pulled chunks. */
export function soundOf(
  seconds: number,
  options: { readonly pieceBytes?: number; readonly hold?: Promise<unknown>; readonly gapMs?: number } = {},
) {
  const bytes = makeSound(seconds);
  const size = options.pieceBytes ?? 640;
  const sound = { pulled: 0, isEnded: false };
  async function* pieces() {
    for (let from = 0; from < bytes.byteLength; from += size) {
      sound.pulled++;
      if (options.gapMs) await systemClock.sleep(options.gapMs);
      yield bytes.subarray(from, Math.min(from + size, bytes.byteLength));
    }
    await options.hold;
    sound.isEnded = true;
  }
  return Object.assign(sound, { audio: pieces() });
}

export async function gather(events: AsyncIterable<SttEvent>): Promise<SttEvent[]> {
  const all: SttEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export const transcriptsOf = (events: readonly SttEvent[]): Transcript[] =>
  events.flatMap((event) => (event.kind === 'transcript' ? [event.transcript] : []));
export const finalText = (events: readonly SttEvent[]) =>
  plain(
    transcriptsOf(events)
      .filter(({ isFinal }) => isFinal)
      .map(({ text }) => text)
      .join(' '),
  );
/** Without punctuation and capitals, which depend on the vendor. */
export const plain = (text: string) => text.toLowerCase().replace(/[.,]/g, '').replace(/\s+/g, ' ').trim();
export const scriptText = (count: number = scriptWords.length) => plain(scriptWords.slice(0, count).join(' '));

export function sttContract(name: string, options: SttContractOptions): void {
  describe(`${name} meets the contract of stt providers`, () => {
    let declared = 0;
    const ran = new Set<string>();
    const fact = (title: string, test: () => Promise<void>) => {
      declared++;
      it(title, async () => {
        await test();
        ran.add(title);
      });
    };
    const made: SttSubject[] = [];
    const never = new Promise<never>(() => {});

    async function makeSubject({
      key = goodKey,
      clock = systemClock,
    }: { readonly key?: string; readonly clock?: Clock } = {}) {
      const subject = await options.makeSubject({ key, clock });
      made.push(subject);
      const log: RecordedLog = recordLog();
      const stop = new AbortController();
      const run = (audio: AsyncIterable<Uint8Array>, request = options.makeRequest()) =>
        subject.provider.transcribe(audio, request, { signal: stop.signal, log });
      return { ...subject, log, stop, run };
    }
    afterEach(async () => {
      for (const { upstream } of made.splice(0)) await upstream.close();
    });

    fact('is ready first and once, and pulls no audio before', async () => {
      const { run } = await makeSubject();
      const sound = soundOf(1);
      const events: SttEvent[] = [];
      for await (const event of run(sound.audio)) {
        if (events.length === 0) expect(sound.pulled).toBe(0);
        events.push(event);
      }
      expect(events[0]).toEqual({ kind: 'ready' });
      expect(events.filter(({ kind }) => kind === 'ready')).toHaveLength(1);
    });

    fact('returns every word of the audio exactly once in its finals, with interims before them', async () => {
      const { run } = await makeSubject();
      const events = await gather(run(soundOf(4.3).audio));
      expect(finalText(events)).toBe(scriptText());
      const first = transcriptsOf(events)[0];
      expect(first?.isFinal).toBe(false);
      expect(scriptText().startsWith(plain(first?.text ?? 'nothing'))).toBe(true);
    });

    fact('loses no word when the audio is stopped in the middle of a sentence', async () => {
      const { run } = await makeSubject();
      expect(finalText(await gather(run(soundOf(2.11).audio)))).toBe(scriptText(7));
    });

    fact('returns the same for every chunk length', async () => {
      for (const pieceBytes of [2, 1_234, 60_000]) {
        const { run } = await makeSubject();
        expect(finalText(await gather(run(soundOf(pieceBytes === 2 ? 0.65 : 2.11, { pieceBytes }).audio)))).toBe(
          scriptText(pieceBytes === 2 ? 2 : 7),
        );
      }
    });

    fact('ends without text and without an error when the audio is empty', async () => {
      const { run, upstream } = await makeSubject({ clock: hurriedClock(5) });
      const events = await gather(run(soundOf(0).audio));
      expect(transcriptsOf(events)).toEqual([]);
      await upstream.drained();
    });

    if (options.wordTimes) {
      fact('gives the times of words in seconds, within the audio, never decreasing', async () => {
        const { run } = await makeSubject();
        const words = transcriptsOf(await gather(run(soundOf(4.3).audio)))
          .filter(({ isFinal }) => isFinal)
          .flatMap(({ words }) => words ?? []);
        expect(words.map(({ word }) => plain(word)).join(' ')).toBe(scriptText());
        for (const [index, { startSeconds, endSeconds }] of words.entries()) {
          expect(startSeconds).toBeCloseTo(index * 0.3 + 0.02, 2);
          expect(endSeconds).toBeCloseTo(index * 0.3 + 0.28, 2);
        }
      });
    } else {
      fact('gives no times, because its upstream has none', async () => {
        const { run } = await makeSubject();
        expect(
          transcriptsOf(await gather(run(soundOf(2.11).audio))).every((transcript) => !('words' in transcript)),
        ).toBe(true);
      });
    }

    if (options.reportsUsage) {
      fact('passes on how much audio the upstream has counted', async () => {
        const { run } = await makeSubject();
        const usage = (await gather(run(soundOf(2.1).audio))).flatMap((event) =>
          event.kind === 'usage' ? [event.audioSeconds] : [],
        );
        expect(Math.abs((usage.at(-1) ?? 0) - 2.1)).toBeLessThanOrEqual(0.5);
      });
    }

    fact('delivers a last final that comes late', async () => {
      const { run, upstream } = await makeSubject();
      upstream.errors.stopDelayMs = 400;
      expect(finalText(await gather(run(soundOf(1.31).audio)))).toBe(scriptText(4));
    });

    fact('ends without an error when the upstream never answers the stop', async () => {
      const { run, upstream } = await makeSubject({ clock: hurriedClock(8) });
      upstream.errors.hangOnStop = true;
      const events = await gather(run(soundOf(1.31).audio));
      expect(events[0]).toEqual({ kind: 'ready' });
      await upstream.drained();
    });

    fact('transcribes all of a burst that waited while the upstream was slow to open', async () => {
      const { run, upstream } = await makeSubject();
      upstream.errors.upgradeDelayMs = 300;
      expect(finalText(await gather(run(soundOf(2.11).audio)))).toBe(scriptText(7));
    });

    fact('ignores unknown messages and invalid JSON', async () => {
      const { run, upstream, log } = await makeSubject();
      upstream.errors.noise = true;
      expect(finalText(await gather(run(soundOf(2.11).audio)))).toBe(scriptText(7));
      expect(log.lines.some(({ message }) => message === 'upstream message is not JSON')).toBe(true);
    });

    fact('leaves no socket open after an ordinary end', async () => {
      const { run, upstream } = await makeSubject();
      await gather(run(soundOf(0.7).audio));
      await upstream.drained();
      expect(upstream.sockets).toHaveLength(1);
    });

    fact(
      'notifies the upstream and closes it at once when the session is aborted, and ends without an error',
      async () => {
        const { run, upstream, stop } = await makeSubject();
        const started = performance.now();
        const events: SttEvent[] = [];
        for await (const event of run(soundOf(1.71, { hold: never }).audio)) {
          events.push(event);
          if (event.kind === 'transcript') stop.abort();
        }
        await upstream.drained();
        expect(performance.now() - started).toBeLessThan(promptlyMs);
        if (options.farewell !== undefined)
          expect(
            upstream.sockets[0]?.texts.some((text) =>
              typeof options.farewell === 'string' ? text === options.farewell : options.farewell?.test(text),
            ),
          ).toBe(true);
      },
    );

    fact('closes the upstream when its iterator returns', async () => {
      const { run, upstream } = await makeSubject();
      for await (const event of run(soundOf(1.71, { hold: never }).audio)) if (event.kind === 'transcript') break;
      await upstream.drained();
    });

    fact('ends without an error and without a socket when it is aborted while connecting', async () => {
      const { run, upstream, stop } = await makeSubject();
      upstream.errors.upgradeDelayMs = 150;
      const events = gather(run(soundOf(1).audio));
      setTimeout(() => stop.abort(), 40);
      expect(await events).toEqual([]);
      await systemClock.sleep(200);
      await upstream.drained();
    });

    fact('opens nothing when it is aborted before it begins', async () => {
      const { run, upstream, stop } = await makeSubject();
      stop.abort();
      expect(await gather(run(soundOf(1).audio))).toEqual([]);
      expect(upstream.sockets).toEqual([]);
    });

    fact("reports a refused key as the operator's matter, and that nothing has begun", async () => {
      const { run } = await makeSubject({ key: 'wrong-key' });
      expect(await rejection(run(soundOf(1).audio))).toMatchObject({
        code: 'upstream_auth_failed',
        extra: { upstream: { started: 'no', retry: 'elsewhere' } },
      });
    });

    fact('reports an upstream that never opens as late, and that nothing has begun', async () => {
      const { run, upstream } = await makeSubject({ clock: hurriedClock(20) });
      upstream.errors.neverUpgrade = true;
      expect(await rejection(run(soundOf(1).audio))).toMatchObject({
        code: 'upstream_timeout',
        extra: { upstream: { started: 'no' } },
      });
    });

    fact('reports a refused upgrade as not begun', async () => {
      const { run, upstream } = await makeSubject();
      upstream.errors.refuse = 503;
      expect(await rejection(run(soundOf(1).audio))).toMatchObject({
        code: 'upstream_invalid_response',
        extra: { upstream: { started: 'no', retry: 'elsewhere' } },
      });
    });

    fact('reports an unreachable upstream, and that nothing has begun', async () => {
      const { run, upstream } = await makeSubject();
      await upstream.close();
      expect(await rejection(run(soundOf(1).audio))).toMatchObject({
        code: 'upstream_invalid_response',
        extra: { upstream: { started: 'no', retry: 'elsewhere' } },
      });
    });

    fact('rejects when the socket is closed as soon as it is open', async () => {
      const { run, upstream } = await makeSubject();
      upstream.errors.closeAtOnce = true;
      expect(await rejection(run(soundOf(1, { hold: never }).audio))).toMatchObject({
        code: expect.stringMatching(/^upstream_/),
        extra: { upstream: { retry: 'elsewhere' } },
      });
    });

    fact('does not hang when the upstream sends no message', async () => {
      const { run, upstream } = await makeSubject({ clock: hurriedClock(20) });
      upstream.errors.mute = true;
      const outcome = await rejection(run(soundOf(0.5).audio));
      // A provider that waits for a `ready` message times out; one that does not wait has received nothing, and ends.
      if (!(typeof outcome === 'object' && outcome !== null && 'resolvedWith' in outcome))
        expect(outcome).toMatchObject({ code: 'upstream_timeout', extra: { upstream: { started: 'no' } } });
      else expect(outcome).toEqual({ resolvedWith: [{ kind: 'ready' }] });
      await upstream.drained();
    });

    fact('rejects when the connection breaks while audio still comes', async () => {
      const { run, upstream } = await makeSubject();
      upstream.errors.dropAfterSeconds = 1;
      const started = performance.now();
      expect(await rejection(run(soundOf(2, { hold: never }).audio))).toMatchObject({
        code: 'upstream_invalid_response',
        extra: { upstream: { started: 'maybe' } },
      });
      expect(performance.now() - started).toBeLessThan(promptlyMs);
    });

    fact('rejects when the upstream closes, even properly, while audio still comes', async () => {
      const { run, upstream } = await makeSubject();
      upstream.errors.closeAfterSeconds = 1;
      expect(await rejection(run(soundOf(2, { hold: never }).audio))).toMatchObject({
        code: 'upstream_invalid_response',
        extra: { upstream: { started: 'maybe' } },
      });
    });

    fact('passes on an error of the audio source', async () => {
      const { run, upstream } = await makeSubject();
      async function* broken() {
        yield makeSound(0.1);
        throw new Error('the caller is gone');
      }
      await expect(gather(run(broken()))).rejects.toThrow('the caller is gone');
      await upstream.drained();
    });

    fact('writes neither the key nor a word of the text to the log', async () => {
      const key = goodKey;
      const { run, log, upstream } = await makeSubject({ key });
      upstream.errors.noise = true;
      await gather(run(soundOf(4.3).audio));
      const written = JSON.stringify(log.lines);
      expect(written).not.toContain(key);
      expect(written).not.toContain('harbour');
    });

    it('ran every case of this contract', () => {
      expect(declared).toBeGreaterThanOrEqual(20);
      expect(ran.size).toBe(declared);
    });
  });
}

async function rejection(events: AsyncIterable<SttEvent>): Promise<unknown> {
  try {
    const all = await gather(events);
    return { resolvedWith: all };
  } catch (error) {
    return isGatewayError(error) ? { code: error.code, extra: error.extra } : { unexpected: String(error) };
  }
}
