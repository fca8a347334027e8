import { z } from 'zod';
import { publicUrl, startFakeLumaGenerations } from './fake-luma-generations';
import type { FakeVideoVendor } from './fake-video-vendor';

// Luma's Agents API, as far as it makes videos. The failure codes of a generation are scenarios (`budget_exhausted` and so
// on, written with a hyphen: `budget-exhausted`).

export const LUMA_KEY = 'luma-api-imitated-0123456789abcdef';

const shared = { model: z.literal('ray-3.2'), prompt: z.string().min(1).max(6_000) };
const edit = z.strictObject({
  ...shared,
  type: z.literal('video_edit'),
  source: z.strictObject({ url: publicUrl, media_type: z.literal('video/mp4') }),
  video: z.strictObject({
    resolution: z.enum(['360p', '540p', '720p', '1080p']).optional(),
    edit: z.strictObject({ auto_controls: z.boolean() }),
  }),
});
const generation = z.strictObject({
  ...shared,
  type: z.literal('video'),
  aspect_ratio: z.enum(['9:16', '3:4', '1:1', '4:3', '16:9', '21:9']).optional(),
  video: z
    .strictObject({
      resolution: z.enum(['360p', '540p', '720p', '1080p']).optional(),
      duration: z.enum(['5s', '10s']).optional(),
      keyframes: z
        .array(z.strictObject({ url: publicUrl }))
        .min(1)
        .max(64)
        .optional(),
      keyframe_indexes: z.array(z.int().min(0).max(240)).optional(),
    })
    .refine(
      ({ keyframes = [], keyframe_indexes: indexes = [] }) => keyframes.length === indexes.length,
      'keyframes and keyframe_indexes must have the same length.',
    )
    .refine(
      ({ duration = '5s', keyframe_indexes: indexes = [] }) =>
        indexes.every((index) => index <= 24 * Number.parseInt(duration, 10)),
      'keyframe_indexes must be within the video.',
    ),
});

/** The codes of a failed generation. */
const failureCodes = [
  'content_moderated',
  'generation_failed',
  'output_not_found',
  'rate_limited',
  'budget_exhausted',
  'image_too_large',
  'unsupported_format',
  'corrupt_input',
  'invalid_request',
  'something_new',
];

export function startFakeLuma(): Promise<FakeVideoVendor> {
  return startFakeLumaGenerations({
    key: LUMA_KEY,
    base: '/v1',
    bodies: { '/generations': z.discriminatedUnion('type', [generation, edit]) },
    moderation: 'The prompt was rejected by content moderation.',
    generation({ scenario }, state, url) {
      const common = { model: 'ray-3.2', type: 'video', output: null, failure_code: null, failure_reason: null };
      const failed = (code: string) => ({
        ...common,
        state: 'failed',
        failure_code: code,
        failure_reason: 'The generation failed.',
      });
      const code = scenario?.name.replaceAll('-', '_') ?? '';
      switch (state) {
        case 'queued':
          return { ...common, state };
        case 'running':
          return { ...common, state: 'processing' };
        case 'weird':
          return { ...common, state: 'dreaming' };
        case 'failed':
          return failed('generation_failed');
        case 'moderated':
          return failed('content_moderated');
        case 'no-url':
          return { ...common, state: 'completed', output: [] };
        case 'completed':
          return failureCodes.includes(code) ? failed(code) : { ...common, state, output: [{ type: 'video', url }] };
      }
    },
  });
}
