import type { GalleryVideo } from './gallery-video';

/** Advice after a failure by its error code; undefined if the message is sufficient. */
export function failureAdvice({ error }: Pick<GalleryVideo, 'error'>, hasSound: boolean): string | undefined {
  switch (error?.code) {
    case 'content_policy_violation':
      return hasSound
        ? 'Reword the prompt, or try again without sound: some providers moderate the audio track separately.'
        : 'Reword the prompt or use other media: the provider rejects what it identifies as real people, brands or violence.';
    case 'media_unreachable':
      return 'Check that the URL opens without a sign-in, or upload the file instead.';
    case 'media_invalid':
    case 'media_too_large':
      return 'Use another file in a common format, within the size limit.';
    case 'input_seconds_mismatch':
      return 'Enter the real length of the source video. For an uploaded file it is read automatically.';
    case 'generation_failed':
      return 'Try again: the same request often succeeds the second time. Otherwise try another model.';
    case 'upstream_timeout':
    case 'upstream_invalid_response':
    case 'no_provider_available':
      return 'The provider had a problem; your request is fine. Try again in a moment.';
    default:
      return undefined;
  }
}
