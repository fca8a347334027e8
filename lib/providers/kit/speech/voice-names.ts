import type { Clock } from '../../../domain/clock';
import { GatewayError } from '../../../domain/errors';
import type { Call } from '../../../domain/call';
import type { SpeechRequest } from '../../../domain/speech';

// A caller names a voice as people do, or by its id; upstreams take ids alone. Names that we document are known, so that they
// cost no question; any other is looked up and remembered for an hour.

export interface NamedVoice {
  readonly id: string;
  readonly name: string;
  readonly language?: string | undefined;
}

interface VoiceNames {
  /** What an id looks like; it is passed on, and the upstream judges it. */
  readonly idForm: RegExp;
  /** Ids by name in small letters. */
  readonly known: Readonly<Record<string, string>>;
  /** Asks the upstream; may find more than was asked. */
  lookUp(name: string, call: Call): Promise<readonly NamedVoice[]>;
  /** For the sentence to a caller whose voice does not exist. */
  readonly example: string;
}

const REMEMBER_MS = 3_600_000;
const MAX_REMEMBERED = 1_000;

/** Resolves to the id of a request's voice; rejects with `unsupported_value` for `voice` when there is none of that name. */
export function createVoiceFinder(
  names: VoiceNames,
  deps: { readonly clock: Clock },
): (request: SpeechRequest, call: Call) => Promise<string> | string {
  const remembered = new Map<string, { readonly until: number; readonly voices: readonly NamedVoice[] }>();

  async function find(name: string, call: Call): Promise<readonly NamedVoice[]> {
    const now = deps.clock.nowMs();
    const earlier = remembered.get(name);
    if (earlier && earlier.until > now) return earlier.voices;
    // A search also finds descriptions and parts; only a whole name is a name.
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

/** The caller's voice does not exist; `example` is one that does. */
export function unknownVoice(example: string): GatewayError {
  return new GatewayError(
    'unsupported_value',
    `voice is not one of the provider's voices. Use the name or the id of one, such as ${example}.`,
    { param: 'voice' },
  );
}
