import { fieldsOf } from '../../domain/json';
import { addressOf } from '../kit/video/answer-fields';
import type { LumaWire } from '../kit/video/luma-generations';
import { failureOf, refusalRules } from './refusals';

/** Luma's Agents API. */
export const agentsWire: LumaWire = {
  provider: 'luma',
  kinds: ['t2v', 'i2v'],
  submitPath: () => '/generations',
  runningState: 'processing',
  rules: refusalRules,
  body: (modelName, { prompt, aspectRatio, resolution, seconds }, { frames: [image] }) => ({
    model: modelName,
    type: 'video',
    prompt,
    // Without a ratio, a video has that of its first frame.
    ...(aspectRatio !== undefined && aspectRatio !== 'adaptive' && { aspect_ratio: aspectRatio }),
    video: {
      resolution,
      duration: `${seconds}s`,
      // A keyframe and no `start_frame`, which videos of ten seconds do not take.
      ...(image !== undefined && { keyframes: [{ url: image }], keyframe_indexes: [0] }),
    },
  }),
  urlOf({ output }) {
    const outputs = Array.isArray(output) ? output.map(fieldsOf) : [];
    return addressOf(outputs.find(({ type }) => type === 'video')?.url);
  },
  failureOf: ({ failure_code: code }) => failureOf(code),
};
