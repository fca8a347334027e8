// How prompts for Kling's models cite references, at Kling and at other vendors that serve them.

/**
 * Returns a prompt with the words for references of one generation. The prompt may cite the first image as `@img1`, as
 * `@image_1`, which is in examples of the new generation's documentation, or as `<<<image_1>>>`, as in the legacy one.
 */
export function cite(prompt: string, words: Readonly<Record<'image' | 'video', (number: string) => string>>): string {
  return prompt
    .replace(/@(?:img|image_)(\d+)\b|<<<image_(\d+)>>>/g, (_cited, one = '', other = '') => words.image(one || other))
    .replace(/@(?:vid|video_)(\d+)\b|<<<video_(\d+)>>>/g, (_cited, one = '', other = '') => words.video(one || other));
}

/** Returns a prompt with the words for references of the legacy generation. */
export function citeInLegacyWords(prompt: string): string {
  return cite(prompt, { image: (number) => `<<<image_${number}>>>`, video: (number) => `<<<video_${number}>>>` });
}
