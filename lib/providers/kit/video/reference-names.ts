// The names by which a prompt for PixVerse cites its reference images, `@img1` for the first, also where fal serves it.

/** The name of a reference image by its place, without the `@`. */
export function referenceName(index: number): string {
  return `img${index + 1}`;
}

/** The prompt as PixVerse reads it: it knows a name only by the space after it. */
export function spaceAfterNames(prompt: string): string {
  return prompt.replace(/@img\d+(?![\s\d]|$)/g, '$& ');
}
