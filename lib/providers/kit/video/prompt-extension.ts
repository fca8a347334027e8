import type { VideoOrder } from '../../../domain/video';

/** Returns whether the vendor may rewrite the prompt. Many vendors do so by default; we do not. */
export function expandsPrompt({ parameters }: Pick<VideoOrder, 'parameters'>): boolean {
  return parameters.prompt_extend === true;
}
