import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../lib/domain/clock';
import { createAssemblyAiStt } from '../../../lib/providers/assemblyai/stt';
import { recordLog } from '../../support/log';
import { createAssemblyAi } from '../../support/upstreams/assemblyai';
import type { Upstream } from '../../support/upstreams/upstream';
import { goodKey } from '../../support/upstreams/upstream';
import { gather, soundOf, sttContract, transcriptsOf } from '../contract/stt';
import { makeSttRequest } from '../make-stt-request';

const request = makeSttRequest('assemblyai', 'universal-streaming-english');

sttContract('assemblyai', {
  makeSubject: async ({ key, clock }) => {
    const upstream = await createAssemblyAi();
    return { upstream, provider: createAssemblyAiStt({ baseUrl: upstream.baseUrl, key, clock }) };
  },
  makeRequest: () => request,
  wordTimes: true,
  reportsUsage: true,
  farewell: '{"type":"Terminate"}',
});

describe('assemblyai', () => {
  let upstream: Upstream;
  afterEach(() => upstream.close());
  const run = async (audio: AsyncIterable<Uint8Array>) => {
    upstream = await createAssemblyAi();
    return gather(
      createAssemblyAiStt({ baseUrl: upstream.baseUrl, key: goodKey, clock: systemClock }).transcribe(audio, request, {
        signal: new AbortController().signal,
        log: recordLog(),
      }),
    );
  };

  it('gets frames of 20 ms as chunks of 50 ms, the last one padded with silence', async () => {
    await run(soundOf(0.73).audio);
    expect(upstream.sockets[0]?.binary).toEqual(Array.from({ length: 15 }, () => 1_600));
  });

  it('gets a backlog no faster than it accepts one', async () => {
    const started = performance.now();
    await run(soundOf(3, { pieceBytes: 96_000 }).audio);
    // Three seconds, one of them at once and the others at double speed.
    expect(performance.now() - started).toBeGreaterThan(900);
    await upstream.drained();
    expect(upstream.sockets[0]?.closeCode).toBe(1000);
  });

  it('reports the end of a turn once, with its capitals, although it comes twice', async () => {
    const finals = transcriptsOf(await run(soundOf(1.6).audio)).filter(({ isFinal }) => isFinal);
    expect(finals.map(({ text }) => text)).toEqual(['The ship left the harbour']);
  });

  it('shows the words that may still change in its interims', async () => {
    const interims = transcriptsOf(await run(soundOf(0.95).audio)).filter(({ isFinal }) => !isFinal);
    expect(interims[0]?.text).toBe('the');
  });
});
