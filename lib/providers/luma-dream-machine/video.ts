import { fieldsOf } from '../../domain/json';
import { addressOf } from '../kit/video/answer-fields';
import type { LumaWire } from '../kit/video/luma-generations';
import { failureOf, refusalRules } from './refusals';

const models: ReadonlySet<string> = new Set(['ray-2', 'ray-flash-2']);

export const isDreamMachineModel = (modelName: string): boolean => models.has(modelName);

/**
 * Luma's Dream Machine API. A generation can be deleted, but nothing says that this stops its work or its charge, so no
 * video is cancelled.
 */
export const dreamMachineWire: LumaWire = {
  provider: 'luma-dream-machine',
  kinds: ['t2v', 'i2v', 'start-end'],
  submitPath: '/generations/video',
  runningState: 'dreaming',
  rules: refusalRules,
  body: (modelName, { prompt, aspectRatio, resolution, seconds }, images) => ({
    model: modelName,
    prompt,
    // By default 16:9, also for portrait images.
    ...(aspectRatio !== undefined && { aspect_ratio: aspectRatio }),
    duration: `${seconds}s`,
    resolution,
    ...(images.length > 0 && {
      keyframes: Object.fromEntries(images.map((url, at) => [`frame${at}`, { type: 'image', url }])),
    }),
  }),
  urlOf: ({ assets }) => addressOf(fieldsOf(assets).video),
  failureOf: ({ failure_reason: reason }) => failureOf(reason),
};
