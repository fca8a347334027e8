import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../lib/domain/clock';
import { systemClock } from '../../../lib/domain/clock';
import { isGatewayError } from '../../../lib/domain/errors';
import type { SpeechChunk, SpeechRequest, TtsProvider } from '../../../lib/domain/speech';
import { hurriedClock } from '../../support/hurried-clock';
import { recordLog } from '../../support/log';
import { sampleOf, wordsOf } from '../../support/upstreams/speaking';
import type { Upstream } from '../../support/upstreams/upstream';
import { goodKey } from '../../support/upstreams/upstream';

// The contract of every text-to-speech provider, whatever its upstream.

export interface TtsContractOptions {
  makeSubject(make: {
    readonly key: string;
    readonly clock: Clock;
  }): Promise<{ readonly provider: TtsProvider; readonly upstream: Upstream }>;
  makeRequest(change?: Partial<Omit<SpeechRequest, 'binding'>>): SpeechRequest;
  /** One URL serves every request, so the connection is opened before the first text. */
  readonly connectsFirst: boolean;
  /** A value that only the upstream can reject; every upstream has one. */
  readonly unknownVoice: string;
}

export const long =
  'this text goes on and on and on and on and on and on and on and on and on and on until somebody says that it is enough';

export async function listen(chunks: AsyncIterable<SpeechChunk>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const { base64 } of chunks) pieces.push(Buffer.from(base64, 'base64'));
  return Buffer.concat(pieces);
}

/** The texts that the audio contains, recognised by their samples. */
export function samplesIn(sound: Buffer): number[] {
  const samples = new Set<number>();
  for (let at = 0; at + 1 < sound.length; at += 2) samples.add(sound.readInt16LE(at));
  return [...samples];
}

export function ttsContract(name: string, options: TtsContractOptions): void {
  describe(`${name} meets the contract of tts providers`, () => {
    let declared = 0;
    const ran = new Set<string>();
    const fact = (title: string, test: () => Promise<void>) => {
      declared++;
      it(title, async () => {
        await test();
        ran.add(title);
      });
    };
    const leftovers: (() => Promise<void> | void)[] = [];
    afterEach(async () => {
      for (const end of leftovers.splice(0).reverse()) await end();
    });

    async function open({
      key = goodKey,
      clock = systemClock,
      errors = {},
    }: { key?: string; clock?: Clock; errors?: Upstream['errors'] } = {}) {
      const { provider, upstream } = await options.makeSubject({ key, clock });
      Object.assign(upstream.errors, errors);
      const log = recordLog();
      const over = new AbortController();
      const connection = provider.open({ signal: over.signal, log });
      leftovers.push(
        () => upstream.close(),
        () => connection.close(),
      );
      const speak = (request: SpeechRequest, signal = new AbortController().signal) =>
        connection.speak(request, signal);
      return { provider, upstream, connection, speak, log, over };
    }
    const bytesOf = (request: SpeechRequest) => wordsOf(request.input) * 4_800;

    fact('speaks the whole text, and ends after its last audio', async () => {
      const { speak } = await open();
      const request = options.makeRequest();
      const sound = await listen(speak(request));
      expect(sound.length).toBe(bytesOf(request));
      expect(samplesIn(sound)).toEqual([sampleOf(request.input)]);
    });

    fact('speaks text after text through one socket', async () => {
      const { speak, upstream } = await open();
      for (const input of ['One two', 'three four five', 'six'])
        expect(samplesIn(await listen(speak(options.makeRequest({ input }))))).toEqual([sampleOf(input)]);
      expect(upstream.sockets).toHaveLength(1);
    });

    if (options.connectsFirst) {
      fact('connects before the first text', async () => {
        const { upstream } = await open();
        for (let tries = 0; tries < 100 && upstream.sockets.length === 0; tries++) await systemClock.sleep(10);
        expect(upstream.sockets).toHaveLength(1);
      });
    }

    fact('delivers nothing of an abandoned text in the next text', async () => {
      const { speak } = await open({ errors: { pieceMs: 1 } });
      for (let round = 0; round < 25; round++) {
        let pieces = 0;
        for await (const _chunk of speak(options.makeRequest({ input: long }))) if (++pieces > round % 4) break;
        const next = options.makeRequest({ input: `and then round ${round}` });
        const sound = await listen(speak(next));
        expect(samplesIn(sound)).toEqual([sampleOf(next.input)]);
        expect(sound.length).toBe(bytesOf(next));
      }
    });

    fact('ends a text that is cancelled by its signal, without an error, and notifies the upstream', async () => {
      const { speak, upstream } = await open();
      const stop = new AbortController();
      let pieces = 0;
      for await (const _chunk of speak(options.makeRequest({ input: long }), stop.signal))
        if (++pieces === 2) stop.abort();
      expect(pieces).toBe(2);
      const socket = upstream.sockets[0]!;
      for (let tries = 0; tries < 100 && socket.texts.length < 2 && socket.closeCode === undefined; tries++)
        await systemClock.sleep(5);
      expect(socket.texts.length > 1 || socket.closeCode !== undefined).toBe(true);
    });

    fact('speaks only the last of texts that follow each other while it is still connecting', async () => {
      const { speak } = await open({ errors: { upgradeDelayMs: 80 } });
      const inputs = ['first one', 'second one', 'third one'];
      const sounds = await Promise.all(
        inputs.map((input, index) => {
          const stop = new AbortController();
          if (index < 2) setTimeout(() => stop.abort(), 10 * (index + 1));
          return listen(speak(options.makeRequest({ input }), stop.signal));
        }),
      );
      expect(sounds.map(samplesIn)).toEqual([[], [], [sampleOf('third one')]]);
    });

    fact('reports an unknown voice, and stays usable', async () => {
      const { speak } = await open();
      expect(await rejection(speak(options.makeRequest({ voice: options.unknownVoice })))).toMatchObject({
        code: 'unsupported_value',
        extra: { param: 'voice' },
      });
      const request = options.makeRequest();
      expect((await listen(speak(request))).length).toBe(bytesOf(request));
    });

    fact("reports a refused key as the operator's matter, and that nothing has begun", async () => {
      const { speak } = await open({ key: 'wrong-key' });
      expect(await rejection(speak(options.makeRequest()))).toMatchObject({
        code: 'upstream_auth_failed',
        extra: { upstream: { started: 'no', retry: 'elsewhere' } },
      });
    });

    fact('reports an unreachable upstream, and that nothing has begun', async () => {
      const { speak, upstream } = await open();
      await upstream.close();
      expect(await rejection(speak(options.makeRequest()))).toMatchObject({
        code: 'upstream_invalid_response',
        extra: { upstream: { retry: 'elsewhere' } },
      });
    });

    fact('rejects when the socket is closed as soon as it is open, and speaks again afterwards', async () => {
      const { speak, upstream } = await open({ errors: { closeAtOnce: true } });
      expect(await rejection(speak(options.makeRequest()))).toMatchObject({
        code: expect.stringMatching(/^upstream_/),
        extra: { upstream: { retry: 'elsewhere' } },
      });
      upstream.errors.closeAtOnce = false;
      const request = options.makeRequest();
      expect((await listen(speak(request))).length).toBe(bytesOf(request));
    });

    fact('reports an upstream that never opens as late', async () => {
      const { speak } = await open({ clock: hurriedClock(20), errors: { neverUpgrade: true } });
      expect(await rejection(speak(options.makeRequest()))).toMatchObject({ code: 'upstream_timeout' });
    });

    fact('reports an upstream without audio as late, and speaks on a new socket afterwards', async () => {
      const { speak, upstream } = await open({ clock: hurriedClock(8), errors: { mute: true } });
      expect(await rejection(speak(options.makeRequest()))).toMatchObject({ code: 'upstream_timeout' });
      upstream.errors.mute = false;
      const request = options.makeRequest();
      expect((await listen(speak(request))).length).toBe(bytesOf(request));
    });

    fact('reports an upstream that falls silent in the middle as late', async () => {
      const { speak } = await open({ clock: hurriedClock(8), errors: { hangOnStop: true } });
      expect(await rejection(speak(options.makeRequest()))).toMatchObject({ code: 'upstream_timeout' });
    });

    fact('speaks on a new socket when the old one was closed between two texts', async () => {
      const { speak, upstream } = await open();
      await listen(speak(options.makeRequest()));
      for (const end of ['close', 'terminate'] as const) {
        for (const { socket } of upstream.open) socket[end]();
        const request = options.makeRequest();
        expect((await listen(speak(request))).length).toBe(bytesOf(request));
        if (end === 'close') await systemClock.sleep(20);
      }
      expect(upstream.sockets).toHaveLength(3);
    });

    fact('rejects when the connection breaks in the middle of a text, and the next text is spoken', async () => {
      const { speak, upstream } = await open({ errors: { dropAfterSeconds: 0.2 } });
      expect(await rejection(speak(options.makeRequest({ input: long })))).toMatchObject({
        code: 'upstream_invalid_response',
        extra: { upstream: { started: 'maybe' } },
      });
      delete upstream.errors.dropAfterSeconds;
      const request = options.makeRequest();
      expect((await listen(speak(request))).length).toBe(bytesOf(request));
    });

    fact('ends a running text without an error when it is closed, and leaves no socket', async () => {
      for (const how of ['close', 'abort'] as const) {
        const { speak, upstream, connection, over } = await open();
        let pieces = 0;
        for await (const _chunk of speak(options.makeRequest({ input: long }))) {
          if (++pieces === 2) {
            if (how === 'close') connection.close();
            else over.abort();
          }
        }
        await upstream.drained();
        connection.close();
      }
    });

    fact('leaves no socket when it is closed while it connects', async () => {
      const { speak, upstream, connection } = await open({ errors: { upgradeDelayMs: 60 } });
      const sound = listen(speak(options.makeRequest()));
      await systemClock.sleep(15);
      connection.close();
      expect((await sound).length).toBe(0);
      await systemClock.sleep(100);
      await upstream.drained();
    });

    fact('ignores unknown messages and invalid JSON', async () => {
      const { speak, log } = await open({ errors: { noise: true } });
      const request = options.makeRequest();
      expect((await listen(speak(request))).length).toBe(bytesOf(request));
      expect(log.lines.some(({ message }) => message === 'upstream message is not JSON')).toBe(true);
    });

    fact('passes on chunks that end in the middle of a sample, byte for byte', async () => {
      const { speak } = await open({ errors: { oddPieces: true } });
      const request = options.makeRequest();
      expect(samplesIn(await listen(speak(request)))).toEqual([sampleOf(request.input)]);
    });

    fact('keeps two sessions apart', async () => {
      const { provider, speak } = await open();
      const other = provider.open({ signal: new AbortController().signal, log: recordLog() });
      leftovers.push(() => other.close());
      const texts = ['mine is this one', 'yours is that other one'] as const;
      const [mine, yours] = await Promise.all([
        listen(speak(options.makeRequest({ input: texts[0] }))),
        listen(other.speak(options.makeRequest({ input: texts[1] }), new AbortController().signal)),
      ]);
      expect([samplesIn(mine), samplesIn(yours)]).toEqual([[sampleOf(texts[0])], [sampleOf(texts[1])]]);
    });

    fact('slows the upstream down for a slow reader, and loses nothing', async () => {
      // 24 MB: far more than the system buffers between the two.
      const words = 5_000;
      const { speak, upstream } = await open({ errors: { pieceMs: 0 } });
      const request = options.makeRequest({ input: Array.from({ length: words }, () => 'w').join(' ') });
      let bytes = 0;
      let backlog = 0;
      for await (const { base64 } of speak(request)) {
        if (bytes === 0) {
          // The upstream writes as fast as it can, which takes a while on a busy machine.
          for (let waitedMs = 0; waitedMs < 600 || (backlog <= 100_000 && waitedMs < 15_000); waitedMs += 100) {
            await systemClock.sleep(100);
            backlog = upstream.open[0]?.socket.bufferedAmount ?? 0;
          }
        }
        bytes += Buffer.byteLength(base64, 'base64');
      }
      expect(bytes).toBe(bytesOf(request));
      // Unsent audio is buffered in the upstream, not in the gateway.
      expect(backlog).toBeGreaterThan(100_000);
    });

    fact('writes neither the key nor a word of the text to the log', async () => {
      const { speak, log } = await open({ errors: { noise: true } });
      await listen(speak(options.makeRequest({ input: 'a most confidential sentence' })));
      expect(JSON.stringify(log.lines)).not.toMatch(new RegExp(`${goodKey}|confidential`));
    });

    it('ran every case of this contract', () => {
      expect(declared).toBeGreaterThanOrEqual(20);
      expect(ran.size).toBe(declared);
    });
  });
}

export async function rejection(events: AsyncIterable<SpeechChunk>): Promise<unknown> {
  try {
    return { resolvedWith: (await listen(events)).length };
  } catch (error) {
    return isGatewayError(error) ? { code: error.code, extra: error.extra } : { unexpected: String(error) };
  }
}
