import { z } from 'zod';
import type { Clock } from '../../domain/clock';
import { GatewayError } from '../../domain/errors';
import type { Call } from '../../domain/provider';
import type { SpeechRequest } from '../../domain/speech';
import { requestJson } from '../kit/json-request';
import type { Upstream } from './upstream';
import { headersOf } from './upstream';

// A caller names a voice as people do, or by its id; the provider's socket takes ids alone. Names that we document are known
// here, so that they cost no question; any other is looked up and remembered for an hour.

const known: Readonly<Record<string, string>> = {
  katie: 'f786b574-daa5-4673-aa0c-cbe3e8534c02',
  jameson: 'a5136bf9-224c-4d76-b823-52bd5efcffcc',
};

const idForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const pageSize = 100;
const rememberMs = 3_600_000;
const mostRemembered = 1_000;

const page = z.object({ data: z.array(z.object({ id: z.string(), name: z.string(), language: z.string().optional() })) });

interface Remembered {
  readonly until: number;
  readonly found: readonly { readonly id: string; readonly language?: string | undefined }[];
}

/** Resolves to the id of the voice; rejects with `unsupported_value` for `voice` when there is none of that name. */
export type FindVoice = (request: SpeechRequest, call: Call) => Promise<string> | string;

export function createVoiceFinder(upstream: Upstream, deps: { readonly clock: Clock }): FindVoice {
  const remembered = new Map<string, Remembered>();

  async function lookUp(name: string, call: Call): Promise<Remembered> {
    const now = deps.clock.now().getTime();
    const earlier = remembered.get(name);
    if (earlier && earlier.until > now) return earlier;
    const url = new URL(`${upstream.baseUrl}/voices`);
    url.searchParams.set('q', name);
    url.searchParams.set('limit', String(pageSize));
    const answer = page.safeParse(await requestJson({ method: 'GET', url: url.href, headers: headersOf(upstream), signal: call.signal }, deps));
    // The search also finds descriptions; only a name is a name.
    const found = answer.success ? answer.data.data.filter((voice) => voice.name.toLowerCase() === name) : [];
    const fresh = { until: now + rememberMs, found };
    remembered.delete(name);
    remembered.set(name, fresh);
    const oldest = remembered.keys().next();
    if (remembered.size > mostRemembered && !oldest.done) remembered.delete(oldest.value);
    return fresh;
  }

  return (request, call) => {
    const voice = request.voice.trim();
    if (idForm.test(voice)) return voice.toLowerCase();
    const name = voice.toLowerCase();
    const id = known[name];
    return id ?? lookUp(name, call).then(({ found }) => (found.find(({ language }) => language === request.language) ?? found[0])?.id ?? throwUnknownVoice());
  };
}

function throwUnknownVoice(): never {
  throw unknownVoice();
}

export function unknownVoice(): GatewayError {
  return new GatewayError('unsupported_value', 'voice is not one of the provider\'s voices. Use the name or the id of one, such as Katie.', { param: 'voice' });
}
