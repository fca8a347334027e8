import { anyOf, shown } from '../domain/phrases';
import { GatewayError } from '../domain/errors';
import type { Capability } from '../domain/model';
import type { MessagesBinding, MessagesProvider } from '../domain/messages';
import type { ProviderDefinition } from '../domain/provider';

// Test mode, in which the sandbox answers for every provider.
//
// Its scenarios are for callers who test how their app handles a slow, failing or refused request. The header
// `X-Test-Scenario` takes precedence over a marker such as `[[slow:45]]` in the prompt.

const EVERY: readonly Capability[] = ['video', 'messages', 'tts', 'stt'];

const MAX_DIGITS = 6;
const NUMBER = new RegExp(`:\\d{1,${MAX_DIGITS}}$`);

/** Where each scenario has an effect. `:N` stands for a colon and a number: seconds, or a count. */
const SCENARIOS: readonly (readonly [word: string, capabilities: readonly Capability[]])[] = [
  ['fail', EVERY],
  ['moderated-input', ['video', 'messages', 'tts']],
  ['moderated-output', ['video', 'messages']],
  ['hang', EVERY],
  ['nourl', ['video']],
  ['drop', EVERY],
  ['expired', ['video']],
  ['weird', ['video']],
  ['error-first', ['messages']],
  ['error-mid', ['messages']],
  ['cut', ['messages']],
  ['slow:N', EVERY],
  ['ratelimit:N', ['video', 'messages']],
  ['poll500:N', ['video']],
];

/** Returns the scenarios that have an effect on requests of this kind; `:N` stands for a number. */
export function scenariosOf(capability: Capability): readonly string[] {
  return SCENARIOS.filter(([, capabilities]) => capabilities.includes(capability)).map(([word]) => word);
}

/**
 * Reads the scenario of a request in test mode or on a sandbox model. Undefined if the request names none, or names one
 * for videos that has no effect on requests of this kind: an app may send one header with all of its requests. Throws
 * `unsupported_value` if the header has an unknown word, or one for messages on another kind of request. In the prompt
 * such a word is ignored, because `[[…]]` may be part of an ordinary text.
 */
export function readScenario(header: string | undefined, prompt: string, capability: Capability): string | undefined {
  const allowed = scenariosOf(capability);
  const named = header?.trim();
  if (!named) {
    const marker = /\[\[([^[\]]{1,40})\]\]/.exec(prompt)?.[1]?.trim();
    return marker !== undefined && allowed.includes(withoutNumber(marker)) ? marker : undefined;
  }
  const word = withoutNumber(named);
  if (allowed.includes(word)) return named;
  if (scenariosOf('video').includes(word)) return undefined;
  const isKnown = SCENARIOS.some(([known]) => known === word);
  throw new GatewayError(
    'unsupported_value',
    `The test scenario ${shown(named)} ${isKnown ? 'has no effect here' : 'is not known'}. Use ${anyOf(allowed)}, where N is a whole number of at most ${MAX_DIGITS} digits.`,
    { details: { allowed } },
  );
}

/**
 * Returns `slow:N` for `slow:45`. A word without the number that it needs, or of another form, is returned as it is.
 */
function withoutNumber(word: string): string {
  return word.endsWith(':N') ? '' : word.replace(NUMBER, ':N');
}

/**
 * Wraps the sandbox so that it refuses and ignores the same fields as the provider of the binding, whose rules are known
 * without its credentials.
 */
export function underRulesOf(definitions: readonly ProviderDefinition[], messages: MessagesProvider): MessagesProvider {
  const rulesOf = ({ providerId }: MessagesBinding) => definitions.find(({ id }) => id === providerId)?.messageRules;
  return {
    ...messages,
    async *stream(request, binding, call) {
      rulesOf(binding)?.check(request.body, binding);
      yield* messages.stream(request, binding, call);
    },
    ignoredParams: (body, binding) => [
      ...new Set([
        ...(rulesOf(binding)?.ignoredParams(body, binding) ?? []),
        ...(messages.ignoredParams?.(body, binding) ?? []),
      ]),
    ],
  };
}
