import type { MediaInForm } from '../../../domain/provider';
import type { VideoOrder } from '../../../domain/video';
import { wideOrTall } from '../../kit/video/image-shape';
import type { MediaByRole } from '../../kit/video/order-media';

// The body of `:predictLongRunning`. Everything that changes the result is stated, because the APIs have their own
// defaults. `enhancePrompt` and `fps` are not, because Veo 3 has one value of each: an operation with `false` fails
// with "Veo 3 prompt enhancement cannot be disabled." (Vertex AI, 2026), and videos have 24 frames a second.

export type Base64Image = Extract<MediaInForm, { form: 'base64' }>;

interface VeoImage {
  readonly bytesBase64Encoded: string;
  readonly mimeType: string;
}

interface VeoInstance {
  readonly prompt: string;
  readonly image?: VeoImage;
  readonly lastFrame?: VeoImage;
  readonly referenceImages?: readonly { readonly image: VeoImage; readonly referenceType: 'asset' }[];
}

/** Parameters that only one of the APIs takes, or that have other values in each. */
export interface OwnParameters {
  /** Which people the video may show. */
  readonly personGeneration: 'allow_all' | 'allow_adult';
  readonly [name: string]: string | number | boolean;
}

export interface VeoRequest {
  readonly instances: readonly [VeoInstance];
  readonly parameters: {
    readonly aspectRatio: string;
    readonly resolution: string;
    readonly durationSeconds: number;
    readonly sampleCount: 1;
    readonly negativePrompt?: string;
  } & OwnParameters;
}

/** Returns the body. `write` returns the value that represents an image in it. */
export function makeRequest(
  order: VideoOrder,
  { first_frame: [first], last_frame: [last], reference_image: references }: MediaByRole<'base64'>,
  own: OwnParameters,
  write: (image: Base64Image) => string,
): VeoRequest {
  const imageOf = (image: Base64Image): VeoImage => ({
    bytesBase64Encoded: write(image),
    mimeType: image.contentType,
  });
  const { negative_prompt: negativePrompt } = order.parameters;
  return {
    instances: [
      {
        prompt: order.prompt,
        ...(first && { image: imageOf(first) }),
        ...(last && { lastFrame: imageOf(last) }),
        ...(references.length > 0 && {
          referenceImages: references.map((image) => ({ image: imageOf(image), referenceType: 'asset' as const })),
        }),
      },
    ],
    parameters: {
      aspectRatio: wideOrTall(order),
      resolution: order.resolution,
      durationSeconds: order.seconds,
      sampleCount: 1,
      ...(negativePrompt !== undefined && { negativePrompt: String(negativePrompt) }),
      ...own,
    },
  };
}
