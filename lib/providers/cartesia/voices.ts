import { z } from 'zod';
import type { Clock } from '../../domain/clock';
import { requestJson } from '../kit/http/json-request';
import { createVoiceFinder } from '../kit/speech/voice-names';
import type { Upstream } from './upstream';
import { headersOf } from './upstream';

export const exampleVoice = 'Katie';

const page = z.object({
  data: z.array(z.object({ id: z.string(), name: z.string(), language: z.string().optional() })),
});
const PAGE_SIZE = '100';

export function createCartesiaVoices(upstream: Upstream, deps: { readonly clock: Clock }) {
  return createVoiceFinder(
    {
      idForm: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
      known: { katie: 'f786b574-daa5-4673-aa0c-cbe3e8534c02', jameson: 'a5136bf9-224c-4d76-b823-52bd5efcffcc' },
      example: exampleVoice,
      async lookUp(name, call) {
        const url = new URL(`${upstream.baseUrl}/voices`);
        url.searchParams.set('q', name);
        url.searchParams.set('limit', PAGE_SIZE);
        const answer = page.safeParse(
          await requestJson({ method: 'GET', url: url.href, headers: headersOf(upstream), signal: call.signal }, deps),
        );
        return answer.success ? answer.data.data : [];
      },
    },
    deps,
  );
}
