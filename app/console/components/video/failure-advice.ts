import type { VideoFailureCode } from '../../../../lib/domain/video';

/** What to do about a failed video, by its error code; undefined if its message is sufficient. */
export function failureAdvice(code: string | undefined): string | undefined {
  return code === undefined ? undefined : ADVICE[code];
}

const ADVICE: Readonly<Record<string, string | undefined>> = {
  content_policy_violation:
    'Reword the prompt or use other media, without real people, brands and violence. If audio is optional, try without it: some providers moderate it separately.',
  generation_failed:
    'Try again: the same request often succeeds the second time. Otherwise use a shorter prompt or another model.',
  media_invalid: 'Check that the file opens and has a type that the model supports.',
  media_unreachable: 'Check that the URL is public and needs no sign-in, or upload the file instead.',
  media_too_large: 'Use a smaller file, or the URL of the file instead of an upload.',
  input_seconds_mismatch:
    'Enter the real length of the source video (input_seconds). The playground reads it from an uploaded file.',
  request_too_large: 'Use a shorter prompt, or URLs instead of uploaded files.',
  upstream_rejected: 'Check the settings against what the model supports, or pin another provider.',
  upstream_timeout: 'The provider took too long; your request is valid. Try again, or pin another provider.',
  upstream_auth_failed: 'Your request is valid. Ask the operator to check the account at the provider.',
  upstream_unconfirmed: 'It is unknown whether the provider started the video. Try again.',
  no_provider_available:
    'Every provider of this model rejected the request or could not be reached. Try again later, or use another model.',
  internal_error: 'Your request is valid. Try again; if it fails again, ask the operator.',
  cancelled: undefined,
} satisfies Readonly<Record<VideoFailureCode, string | undefined>>;
