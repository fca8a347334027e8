import type { VideoOrder } from '../../../domain/video';
import { chosenRatio } from '../../kit/video/chosen-ratio';

// The common parts of the inputs of all endpoints.

/** The URLs of the media of an order: https or data URLs. */
export interface FalMedia {
  readonly firstFrame?: string;
  readonly lastFrame?: string;
  readonly sourceVideo?: string;
  /** Width divided by height; only for endpoints of `needsShape`, and only if it is known. */
  readonly firstFrameShape?: number;
  readonly referenceImages: readonly string[];
  readonly referenceVideos: readonly string[];
}

/** A field that is undefined is not sent. */
export type Input = Readonly<
  Record<
    string,
    string | number | boolean | readonly string[] | readonly Readonly<Record<string, string>>[] | undefined
  >
>;
export type MakeInput = (order: VideoOrder, media: FalMedia) => Input;
/** The inputs by the name of the endpoint, such as `fal-ai/veo3.1/fast`. */
export type Endpoints = Readonly<Record<string, MakeInput>>;

/** Returns the ratio, or `auto`, with which fal follows the image, for an order without a ratio or with `adaptive`. */
export function ratioOrAuto(order: VideoOrder): string {
  return chosenRatio(order) ?? 'auto';
}

/** Returns the reference voice as a list, which is the form that most endpoints take. */
export function voicesOf({ parameters: { reference_voice: voice } }: VideoOrder): readonly string[] | undefined {
  return voice === undefined ? undefined : [String(voice)];
}

export function unlessEmpty(urls: readonly string[]): readonly string[] | undefined {
  return urls.length === 0 ? undefined : urls;
}
