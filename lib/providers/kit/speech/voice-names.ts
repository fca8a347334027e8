import type { Clock } from '../../../domain/clock';
import { GatewayError } from '../../../domain/errors';
import type { Call } from '../../../domain/call';
import type { SpeechRequest } from '../../../domain/speech';

// Resolves voice names. A client names a voice or sends its id; upstreams accept only ids. The names in our
// documentation are built in; any other is looked up and cached for an hour.

export interface NamedVoice {
  readonly id: string;
  readonly name: string;
  readonly language?: string | undefined;
}

interface VoiceNames {
  /** The form of an id; ids are passed on and validated by the upstream. */
  readonly idForm: RegExp;
  /** Ids by lower-case name. */
  readonly known: Readonly<Record<string, string>>;
  /** Queries the upstream; may return more voices than requested. */
  lookUp(name: string, call: Call): Promise<readonly NamedVoice[]>;
  /** A valid voice, for the error about an unknown one. */
  readonly example: string;
}

const REMEMBER_MS = 3_600_000;
const MAX_REMEMBERED = 1_000;

/** Resolves to the id of a request's voice. Rejects with `unsupported_value` for `voice` if no voice has that name. */
export function createVoiceFinder(
  names: VoiceNames,
  deps: { readonly clock: Clock },
): (request: SpeechRequest, call: Call) => Promise<string> | string {
  const remembered = new Map<string, { readonly until: number; readonly voices: readonly NamedVoice[] }>();

  async function find(name: string, call: Call): Promise<readonly NamedVoice[]> {
    const now = deps.clock.nowMs();
    const earlier = remembered.get(name);
    if (earlier && earlier.until > now) return earlier.voices;
    // The upstream's search also matches descriptions and substrings; only an exact name counts.
    const voices = (await names.lookUp(name, call)).filter((voice) => voice.name.toLowerCase() === name);
    remembered.delete(name);
    remembered.set(name, { until: now + REMEMBER_MS, voices });
    const oldest = remembered.keys().next();
    if (remembered.size > MAX_REMEMBERED && !oldest.done) remembered.delete(oldest.value);
    return voices;
  }

  async function findId(name: string, request: SpeechRequest, call: Call): Promise<string> {
    const voices = await find(name, call);
    const id = (voices.find(({ language }) => language !== undefined && language === request.language) ?? voices[0])
      ?.id;
    if (id === undefined) throw unknownVoice(names.example);
    return id;
  }

  return (request, call) => {
    const voice = request.voice.trim();
    const name = voice.toLowerCase();
    return names.idForm.test(voice) ? voice : (names.known[name] ?? findId(name, request, call));
  };
}

/** Returns the error for an unknown voice; `example` is a valid one. */
export function unknownVoice(example: string): GatewayError {
  return new GatewayError(
    'unsupported_value',
    `voice is not one of the provider's voices. Use the name or the id of one, such as ${example}.`,
    { param: 'voice' },
  );
}
