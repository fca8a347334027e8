import type { VideoOrder } from '../../../domain/video';

/** May the vendor rewrite the prompt? The default of many vendors is to do so; ours is not. */
export function expandsPrompt({ parameters }: Pick<VideoOrder, 'parameters'>): boolean {
  return parameters.prompt_extend === true;
}
