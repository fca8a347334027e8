// How prompts for Kling cite references, also where others serve its models.

/**
 * A prompt with the words for references of one generation. It may cite the first image as `@img1`, as `@image_1`, which
 * the documentation of the new generation has in its examples, or as `<<<image_1>>>`, the words of the legacy one.
 */
export function cite(prompt: string, words: Readonly<Record<'image' | 'video', (number: string) => string>>): string {
  return prompt
    .replace(/@(?:img|image_)(\d+)\b|<<<image_(\d+)>>>/g, (_cited, one = '', other = '') => words.image(one || other))
    .replace(/@(?:vid|video_)(\d+)\b|<<<video_(\d+)>>>/g, (_cited, one = '', other = '') => words.video(one || other));
}

/** A prompt in the words of the legacy generation. */
export function citeInLegacyWords(prompt: string): string {
  return cite(prompt, { image: (number) => `<<<image_${number}>>>`, video: (number) => `<<<video_${number}>>>` });
}
