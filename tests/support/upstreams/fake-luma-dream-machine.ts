import { z } from 'zod';
import { fieldsOf } from '../../../lib/domain/json';
import { publicUrl, startFakeLumaGenerations } from './fake-luma-generations';
import type { FakeVideoVendor } from './fake-video-vendor';

// Luma's Dream Machine API, as far as it makes videos of Ray 2.

export const DREAM_MACHINE_KEY = 'luma-imitated-0123456789abcdef';

const keyframe = z.union([
  z.strictObject({ type: z.literal('image'), url: publicUrl }),
  z.strictObject({ type: z.literal('generation'), id: z.uuid() }),
]);
const body = z.strictObject({
  model: z.enum(['ray-2', 'ray-flash-2']),
  prompt: z.string().min(1),
  aspect_ratio: z.enum(['1:1', '16:9', '9:16', '4:3', '3:4', '21:9', '9:21']).optional(),
  duration: z.enum(['5s', '9s']).optional(),
  resolution: z.enum(['540p', '720p', '1080p', '4k']).optional(),
  generation_type: z.literal('video').optional(),
  loop: z.boolean().optional(),
  callback_url: publicUrl.optional(),
  concepts: z.array(z.strictObject({ key: z.string() })).optional(),
  keyframes: z.strictObject({ frame0: keyframe.optional(), frame1: keyframe.optional() }).optional(),
});
const edit = z.strictObject({
  generation_type: z.literal('modify_video'),
  model: z.enum(['ray-2', 'ray-flash-2']),
  prompt: z.string().min(1),
  media: z.strictObject({ url: publicUrl }),
  mode: z.templateLiteral([z.enum(['adhere', 'flex', 'reimagine']), '_', z.literal([1, 2, 3])]),
  first_frame: z.strictObject({ url: publicUrl }).optional(),
  callback_url: publicUrl.optional(),
});

export function startFakeLumaDreamMachine(): Promise<FakeVideoVendor> {
  return startFakeLumaGenerations({
    key: DREAM_MACHINE_KEY,
    base: '/dream-machine/v1',
    bodies: { '/generations/video': body, '/generations/video/modify': edit },
    moderation: 'The prompt is not allowed because advanced moderation failed.',
    generation(job, state, url) {
      const common = {
        generation_type: fieldsOf(job.body).generation_type ?? 'video',
        model: fieldsOf(job.body).model,
        failure_reason: null,
        assets: null,
        request: job.body,
      };
      switch (state) {
        case 'queued':
          return { ...common, state };
        case 'running':
          return { ...common, state: 'dreaming' };
        case 'weird':
          return { ...common, state: 'processing' };
        case 'failed':
          return { ...common, state, failure_reason: 'Internal error in the renderer of node 7' };
        case 'moderated':
          return { ...common, state: 'failed', failure_reason: 'The generation was stopped by frame moderation.' };
        case 'no-url':
          return { ...common, state: 'completed', assets: { video: null } };
        case 'completed':
          return { ...common, state, assets: { image: null, progress_video: null, video: url } };
      }
    },
  });
}
