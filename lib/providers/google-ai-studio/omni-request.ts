import type { MediaInForm } from '../../domain/provider';
import type { VideoKind, VideoOrder } from '../../domain/video';
import { wideOrTall } from '../kit/video/image-shape';
import type { MediaByRole } from '../kit/video/order-media';

// The body of a submit to Gemini Omni. Everything that changes the result is stated, because the API has its own
// defaults. Reference: ai.google.dev/gemini-api/docs/omni, November 2026, and the types of @google/genai 2.32.0.

type Inline = Extract<MediaInForm, { form: 'base64' }>;

type InputPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'video'; readonly mime_type: string; readonly data: string };

export interface OmniRequest {
  readonly model: string;
  readonly input: readonly InputPart[];
  readonly generation_config: { readonly video_config: { readonly task: string } };
  readonly response_format: {
    readonly type: 'video';
    readonly resolution: string;
    readonly aspect_ratio?: string;
    readonly duration?: string;
    readonly delivery: 'uri';
  };
  readonly background: true;
}

/** The API's task for each kind. It has no separate task for a last frame, which is sent as the second image. */
const tasks: Readonly<Record<VideoKind, string>> = {
  t2v: 'text_to_video',
  i2v: 'image_to_video',
  'start-end': 'image_to_video',
  r2v: 'reference_to_video',
  'video-edit': 'edit',
};

/** Returns the body of a submit. `write` returns the text that represents an image or a video in it. */
export function omniRequest(
  order: VideoOrder,
  model: string,
  media: MediaByRole<'base64'>,
  write: (media: Inline) => string,
): OmniRequest {
  const { kind, prompt, seconds, resolution } = order;
  const part = (type: 'image' | 'video') => (one: Inline) => ({
    type,
    mime_type: one.contentType,
    data: write(one),
  });
  return {
    model,
    input: [
      ...media.source_video.map(part('video')),
      ...[...media.first_frame, ...media.last_frame, ...media.reference_image].map(part('image')),
      { type: 'text', text: prompt },
    ],
    generation_config: { video_config: { task: tasks[kind] } },
    response_format: {
      type: 'video',
      resolution,
      // An edit has the shape and the length of its source.
      ...(kind !== 'video-edit' && {
        aspect_ratio: wideOrTall(order),
        duration: `${seconds}s`,
      }),
      // Not inline, because the API allows only 4 MB inline.
      delivery: 'uri',
    },
    background: true,
  };
}
