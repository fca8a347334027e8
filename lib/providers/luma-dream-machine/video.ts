import { fieldsOf } from '../../domain/json';
import { urlOf } from '../kit/video/answer-fields';
import type { LumaWire } from '../kit/video/luma-generations';
import { failureOf, refusalRules } from './refusals';

const models: ReadonlySet<string> = new Set(['ray-2', 'ray-flash-2']);

/**
 * How closely an edit follows its source: one of nine modes from `adhere_1` to `reimagine_3`. The mode of Luma's own
 * example (docs.lumalabs.ai/docs/modify-video).
 */
const EDIT_MODE = 'flex_1';

export const isDreamMachineModel = (modelName: string): boolean => models.has(modelName);

/**
 * Luma's Dream Machine API. A generation can be deleted, but it is not documented that this stops its work or its
 * charge, so videos cannot be cancelled.
 */
export const dreamMachineWire: LumaWire = {
  provider: 'luma-dream-machine',
  kinds: ['t2v', 'i2v', 'start-end', 'video-edit'],
  submitPath: (kind) => (kind === 'video-edit' ? '/generations/video/modify' : '/generations/video'),
  callbackField: 'callback_url',
  runningState: 'dreaming',
  rules: refusalRules,
  body(modelName, { kind, prompt, aspectRatio, resolution, seconds }, { frames, source }) {
    // The output has the shape and the length of the source.
    if (kind === 'video-edit')
      return { generation_type: 'modify_video', model: modelName, prompt, media: { url: source }, mode: EDIT_MODE };
    return {
      model: modelName,
      prompt,
      // By default 16:9, also for portrait images.
      ...(aspectRatio !== undefined && { aspect_ratio: aspectRatio }),
      duration: `${seconds}s`,
      resolution,
      ...(frames.length > 0 && {
        keyframes: Object.fromEntries(frames.map((url, at) => [`frame${at}`, { type: 'image', url }])),
      }),
    };
  },
  urlOf: ({ assets }) => urlOf(fieldsOf(assets).video),
  failureOf: ({ failure_reason: reason }) => failureOf(reason),
};
