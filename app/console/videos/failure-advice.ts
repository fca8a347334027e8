/** Advice for a failed video by its error code; undefined if the message is sufficient. */
export function failureAdvice(code: string | undefined): string | undefined {
  return code === undefined ? undefined : ADVICE[code];
}

const ADVICE: Readonly<Record<string, string>> = {
  content_policy_violation:
    'Reword the prompt, or remove names, brands and violence. Generated audio can also be the reason: try without audio if the model allows it.',
  generation_failed: 'Try again. If it fails again, use a shorter prompt or another model.',
  media_invalid: 'Check that the file opens and has a type that the model supports.',
  media_unreachable: 'Check that the URL is public and needs no sign-in, or send the file as a data URL.',
  media_too_large: 'Use a smaller file, or send a URL instead of the file.',
  input_seconds_mismatch: 'Set input_seconds to the real length of the file.',
  upstream_timeout: 'The provider took too long. Try again, or pin another provider.',
  upstream_unconfirmed: 'It is unknown whether the provider started the video. Try again.',
  no_provider_available:
    'Every provider of this model rejected the request or could not be reached. Try later, or use another model.',
};
