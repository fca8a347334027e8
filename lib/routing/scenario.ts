import { anyOf, shown } from '../domain/phrases';
import { GatewayError } from '../domain/errors';

// The test scenarios of the sandbox, for callers who test how their app handles a slow, failing or refused request. The
// header `X-Test-Scenario` takes precedence over a marker such as `[[slow:45]]` in the prompt.

const WORDS = ['fail', 'moderated-input', 'moderated-output', 'hang', 'nourl', 'drop', 'expired', 'weird'];
/** Followed by a colon and a number: seconds, or a count. */
const COUNTED_WORDS = ['slow', 'ratelimit', 'poll500'];
/** Only for the messages endpoint. */
export const MESSAGES_WORDS = ['error-first', 'error-mid', 'cut'];

/**
 * The scenario of a request in test mode or on a sandbox model; undefined when it names none. An unknown word in the header
 * rejects with `unsupported_value`; in the prompt it is ignored, because `[[…]]` may be part of an ordinary text.
 */
export function readScenario(
  header: string | undefined,
  prompt: string,
  moreWords: readonly string[] = [],
): string | undefined {
  const isKnown = (word: string) => {
    const [, counted] = /^([a-z0-9]+):\d{1,6}$/.exec(word) ?? [];
    return counted === undefined ? WORDS.includes(word) || moreWords.includes(word) : COUNTED_WORDS.includes(counted);
  };
  const named = header?.trim();
  if (!named) {
    const marker = /\[\[([^[\]]{1,40})\]\]/.exec(prompt)?.[1]?.trim();
    return marker !== undefined && isKnown(marker) ? marker : undefined;
  }
  if (isKnown(named)) return named;
  const allowed = [...WORDS, ...moreWords, ...COUNTED_WORDS.map((word) => `${word}:N`)];
  throw new GatewayError(
    'unsupported_value',
    `The test scenario ${shown(named)} is not known. Use ${anyOf(allowed)}, where N is a whole number.`,
    { details: { allowed } },
  );
}
