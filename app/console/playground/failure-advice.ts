import type { GalleryVideo } from './gallery-video';

/** What to try after a failure, by its public code; undefined where the message says it all. */
export function failureAdvice({ error }: Pick<GalleryVideo, 'error'>, hasSound: boolean): string | undefined {
  switch (error?.code) {
    case 'content_policy_violation':
      return hasSound
        ? 'Reword the prompt, or try again without sound: some providers judge the audio track apart from the picture.'
        : 'Reword the prompt or use other media: the provider refuses what it takes for real people, brands or violence.';
    case 'media_unreachable':
      return 'Check that the address opens without a sign-in, or drop the file itself into the form.';
    case 'media_invalid':
    case 'media_too_large':
      return 'Use another file: a common format, within the size that the form names.';
    case 'input_seconds_mismatch':
      return 'Give the true length of the source video; from a dropped file it is read by itself.';
    case 'generation_failed':
      return 'Try again; the same request often works the second time. Another model is the next thing to try.';
    case 'upstream_timeout':
    case 'upstream_invalid_response':
    case 'no_provider_available':
      return 'The provider had trouble, not your request. Try again in a moment.';
    default:
      return undefined;
  }
}
