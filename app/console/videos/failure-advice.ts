/** What a person can do about a video that failed for this reason; undefined when the message says it all. */
export function failureAdvice(code: string | undefined): string | undefined {
  return code === undefined ? undefined : ADVICE[code];
}

const ADVICE: Readonly<Record<string, string>> = {
  content_policy_violation:
    'Say it in other words, or leave out names, brands and violence. Sound of its own can also be the reason: try without audio where the model allows it.',
  generation_failed: 'Ask for it once more; if it fails again, try a shorter prompt or another model.',
  media_invalid: 'Check that the file opens and has the type that the model takes.',
  media_unreachable: 'Check that the address opens without a sign-in from anywhere, or send the file as a data URL.',
  media_too_large: 'Make the file smaller, or name an address instead of sending the file.',
  input_seconds_mismatch: 'Send input_seconds as the length that the file really has.',
  upstream_timeout: 'The provider was slower than it may be. Ask again, or pin another provider.',
  upstream_unconfirmed: 'Nobody could say whether it was begun. Ask again.',
  no_provider_available:
    'Every provider of this model refused or could not be reached. Try later, or take another model.',
};
