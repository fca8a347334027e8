import type { Clock } from '../../domain/clock';
import type { SttProvider } from '../../domain/transcription';
import { transcribeOverSocket } from '../kit/speech/transcribe-over-socket';
import { listenV1Target, makeListenV1Wire } from './listen-v1';
import { listenV2Target, makeListenV2Wire } from './listen-v2';

export function createDeepgramStt(deps: {
  readonly baseUrl: string;
  readonly key: string;
  readonly clock: Clock;
}): SttProvider {
  const { baseUrl, key, clock } = deps;
  return transcribeOverSocket(
    (request) =>
      Promise.resolve(
        request.binding.modelName.startsWith('flux-')
          ? { target: listenV2Target(baseUrl, key, request), wire: makeListenV2Wire(request) }
          : { target: listenV1Target(baseUrl, key, request), wire: makeListenV1Wire(request) },
      ),
    { clock, provider: 'deepgram' },
  );
}
