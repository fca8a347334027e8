import { fieldsOf, type Fields } from '../../domain/json';
import type { VideoOrder } from '../../domain/video';
import { urlOf } from '../kit/video/answer-fields';
import { chosenRatio } from '../kit/video/chosen-ratio';
import type { LumaMedia, LumaWire } from '../kit/video/luma-generations';
import { failureOf, refusalRules } from './refusals';

/** The frame rate in which the positions of keyframes are stated. */
const FRAMES_PER_SECOND = 24;

/**
 * Luma's Agents API (https://docs.agents.lumalabs.ai/guides/videos/generation and /guides/videos/editing, copies read
 * 2026-11-28).
 */
export const agentsWire: LumaWire = {
  provider: 'luma',
  kinds: ['t2v', 'i2v', 'start-end', 'video-edit'],
  submitPath: () => '/generations',
  runningState: 'processing',
  rules: refusalRules,
  body: (modelName, order, media) => ({
    model: modelName,
    prompt: order.prompt,
    ...(order.kind === 'video-edit' ? editOf(order, media) : generationOf(order, media)),
  }),
  urlOf({ output }) {
    const outputs = Array.isArray(output) ? output.map(fieldsOf) : [];
    return urlOf(outputs.find(({ type }) => type === 'video')?.url);
  },
  failureOf: ({ failure_code: code }) => failureOf(code),
};

function generationOf(order: VideoOrder, { frames }: LumaMedia): Fields {
  const { resolution, seconds } = order;
  return {
    type: 'video',
    // Without a ratio, a video has that of its first frame.
    aspect_ratio: chosenRatio(order),
    video: {
      resolution,
      duration: `${seconds}s`,
      // Keyframes instead of `start_frame` and `end_frame`, which the API does not accept for videos of ten seconds.
      ...(frames.length > 0 && {
        keyframes: frames.map((url) => ({ url })),
        keyframe_indexes: frames.map((_url, at) => at * seconds * FRAMES_PER_SECOND),
      }),
    },
  };
}

/** Returns the fields of an edit, whose output has the shape and the length of the source. */
function editOf({ resolution }: VideoOrder, { source }: LumaMedia): Fields {
  return {
    type: 'video_edit',
    source: { url: source, media_type: 'video/mp4' },
    // Lets Luma choose how closely the edit follows the source.
    video: { resolution, edit: { auto_controls: true } },
  };
}
