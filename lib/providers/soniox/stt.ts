import { z } from 'zod';
import type { Clock } from '../../domain/clock';
import type { PcmEncoding } from '../../domain/pcm';
import type { SttProvider, SttRequest } from '../../domain/transcription';
import { socketUrl } from '../kit/http/base-url';
import { failureOfStatus } from '../kit/http/socket';
import { transcribeOverSocket } from '../kit/speech/transcribe-over-socket';
import type { SttWire, WireEvent } from '../kit/speech/transcribe-over-socket';
import { createUtterance } from './utterance';

const token = z.object({
  text: z.string(),
  start_ms: z.number().optional(),
  end_ms: z.number().optional(),
  is_final: z.boolean(),
});
const results = z.object({
  tokens: z.array(token),
  total_audio_proc_ms: z.number().optional(),
  finished: z.boolean().optional(),
});
const refusal = z.object({ error_code: z.number() });

const encodingNames: Readonly<Record<PcmEncoding, string>> = {
  pcm_s16le: 'pcm_s16le',
  pcm_f32le: 'pcm_f32le',
  pcm_mulaw: 'mulaw',
  pcm_alaw: 'alaw',
};

export function createSonioxStt(deps: {
  readonly baseUrl: string;
  readonly key: string;
  readonly clock: Clock;
}): SttProvider {
  const { baseUrl, key, clock } = deps;
  // From 2027-01-15 on the upstream rejects a key in the first message; it already accepts the header.
  const target = { url: socketUrl(baseUrl, '/transcribe-websocket'), headers: { authorization: `Bearer ${key}` } };
  return transcribeOverSocket((request) => Promise.resolve({ target, wire: makeWire(request) }), {
    clock,
    provider: 'soniox',
  });
}

function makeWire({ binding, format, language }: SttRequest): SttWire {
  const utterance = createUtterance();
  const configuration = {
    model: binding.modelName,
    audio_format: encodingNames[format.encoding],
    sample_rate: format.sampleRateHz,
    num_channels: 1,
    ...(language !== undefined && { language_hints: [language] }),
    enable_endpoint_detection: true,
  };
  return {
    opening: [JSON.stringify(configuration)],
    // The upstream does not acknowledge a valid configuration, and rejects an invalid one within a round trip.
    readyAfterMs: 150,
    audio: { format, pace: 2 },
    stop: () => [''],
    // The session ends after twenty seconds without a message.
    keepAlive: { everyMs: 8_000, make: () => '{"type":"keepalive"}' },
    read(raw): readonly WireEvent[] {
      const refused = refusal.safeParse(raw);
      if (refused.success)
        return [
          {
            kind: 'failed',
            code: failureOfStatus(refused.data.error_code),
            detail: `It reported ${refused.data.error_code}.`,
          },
        ];
      const parsed = results.safeParse(raw);
      if (!parsed.success) return [];
      const { tokens, total_audio_proc_ms, finished } = parsed.data;
      const said: WireEvent[] = utterance.add(tokens).map((transcript) => ({ kind: 'transcript', transcript }));
      if (!finished) return said;
      const rest = utterance.finish();
      if (rest) said.push({ kind: 'transcript', transcript: rest });
      if (total_audio_proc_ms !== undefined) said.push({ kind: 'usage', audioSeconds: total_audio_proc_ms / 1000 });
      return [...said, { kind: 'ended' }];
    },
  };
}
