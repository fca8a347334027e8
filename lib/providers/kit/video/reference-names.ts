// The names by which prompts for PixVerse cite reference images, such as `@img1`, at PixVerse and at fal.

/** Returns the name of the reference image at this index, without the `@`. */
export function referenceName(index: number): string {
  return `img${index + 1}`;
}

/** Adds a space after each name in the prompt: without it, PixVerse does not recognise the name. */
export function spaceAfterNames(prompt: string): string {
  return prompt.replace(/@img\d+(?![\s\d]|$)/g, '$& ');
}
