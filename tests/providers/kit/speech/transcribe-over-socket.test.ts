import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../../lib/domain/clock';
import type { Clock } from '../../../../lib/domain/clock';
import type { SttWire } from '../../../../lib/providers/kit/speech/transcribe-over-socket';
import { transcribeOverSocket } from '../../../../lib/providers/kit/speech/transcribe-over-socket';
import { gather } from '../../contract/stt';
import { makeSttRequest } from '../../make-stt-request';
import { hurriedClock } from '../../../support/hurried-clock';
import { recordLog } from '../../../support/log';
import { createUpstream } from '../../../support/upstreams/upstream';
import type { RecordedSocket, Upstream } from '../../../support/upstreams/upstream';

// Cases that no vendor's fake covers, with the smallest possible wire.

describe('transcribeOverSocket', () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());

  async function run(
    on: (recorded: RecordedSocket) => void,
    audio: AsyncIterable<Uint8Array>,
    change: Partial<SttWire> = {},
    clock: Clock = systemClock,
  ) {
    upstream = await createUpstream({ sockets: { '/': on } });
    const wire: SttWire = {
      readyAfterMs: 0,
      audio: { format: { encoding: 'pcm_s16le', sampleRateHz: 16_000 } },
      stop: () => ['stop'],
      read: (message) => (message === 'end' ? [{ kind: 'ended' }] : []),
      ...change,
    };
    const provider = transcribeOverSocket(
      () => Promise.resolve({ target: { url: upstream.baseUrl.replace('http', 'ws') }, wire }),
      { clock, provider: 'test' },
    );
    return gather(
      provider.transcribe(audio, makeSttRequest('test', 'test'), {
        signal: new AbortController().signal,
        log: recordLog(),
      }),
    );
  }
  async function* pieces(count: number, bytes: number, hold?: Promise<unknown>) {
    for (let piece = 0; piece < count; piece++) yield new Uint8Array(bytes);
    await hold;
  }
  const never = new Promise<never>(() => {});

  it('rejects when the upstream reports the end although the caller has not stopped', async () => {
    await expect(
      run(({ socket }) => setTimeout(() => socket.send('"end"'), 30), pieces(3, 640, never)),
    ).rejects.toMatchObject({
      code: 'upstream_invalid_response',
      extra: { upstream: { started: 'maybe' }, detail: 'test: It ended by itself.' },
    });
  });

  it('closes a connection that accepts nothing any more', async () => {
    await expect(
      run(({ socket }) => socket.pause(), pieces(400, 100_000, never), {}, hurriedClock(50)),
    ).rejects.toMatchObject({ code: 'upstream_timeout' });
  });

  it('pulls no more audio than the connection accepts', async () => {
    let pulled = 0;
    async function* counted() {
      for (; pulled < 1_000; pulled++) yield new Uint8Array(100_000);
    }
    const sound = run(({ socket }) => socket.pause(), counted(), {}, hurriedClock(20));
    await systemClock.sleep(250);
    // What fits into the kernel on both sides, of a hundred megabytes.
    expect(pulled).toBeLessThan(200);
    await expect(sound).rejects.toMatchObject({ code: 'upstream_timeout' });
  });

  it('divides chunks that are longer than upstreams accept, without losing a byte', async () => {
    await run(
      ({ socket }) => socket.on('message', (data: Buffer) => data.toString() === 'stop' && socket.close(1000)),
      pieces(1, 70_002),
    );
    expect(upstream.sockets[0]?.binary).toEqual([32_000, 32_000, 6_002]);
  });

  it('waits a little for messages after an end that is only likely', async () => {
    const texts = ['likely', 'more'];
    const events = await run(
      ({ socket }) =>
        socket.on('message', (data: Buffer) => {
          if (data.toString() === 'stop')
            for (const [index, text] of texts.entries())
              setTimeout(() => socket.send(JSON.stringify(text)), 60 * index);
        }),
      pieces(1, 640),
      {
        read: (text) => [
          { kind: 'transcript', transcript: { text: String(text), isFinal: true } },
          ...(text === 'likely' ? [{ kind: 'ending', withinMs: 200 } as const] : []),
        ],
        quietMs: 300,
      },
    );
    expect(events.flatMap((event) => (event.kind === 'transcript' ? [event.transcript.text] : []))).toEqual(texts);
  });

  it('sends nothing after the stop: no keep-alive for a finished session', async () => {
    await run(
      ({ socket }) =>
        socket.on(
          'message',
          (data: Buffer) => data.toString() === 'stop' && setTimeout(() => socket.send('"end"'), 120),
        ),
      pieces(1, 640),
      {
        keepAlive: { everyMs: 20, make: () => 'awake' },
      },
    );
    const { texts } = upstream.sockets[0]!;
    expect(texts.slice(texts.indexOf('stop'))).toEqual(['stop']);
  });
});
