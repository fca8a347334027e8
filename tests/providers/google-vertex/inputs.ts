import type { MediaRole, OrderMedia, VideoOrder } from '../../../lib/domain/video';
import { PICTURE } from '../../support/media-bytes';
import { firstFrame } from '../contract/video-vendor';

// Orders, and the bodies that Vertex AI must receive for them.

export const PROMPT = 'A paper boat on a quiet river';
export const STORAGE_URI = 'gs://videos-of-a/patchbay/';
const PNG = PICTURE.slice(PICTURE.indexOf(',') + 1);
const media = (role: MediaRole): OrderMedia => ({ role, url: PICTURE });

interface WireCase {
  readonly title: string;
  /** The models of the catalog that can be ordered like this, with the names that the API has for them. */
  readonly models: Readonly<Record<string, string>>;
  readonly order: Partial<VideoOrder>;
  /** Without `storageUri`. */
  readonly instance: (image: string) => object;
  readonly parameters: object;
}

const standard = 'veo-3.1-generate-001';
const fast = 'veo-3.1-fast-generate-001';
const text = { 'veo-3.1-t2v': standard, 'veo-3.1-fast-t2v': fast };
const image = (data: string) => ({ bytesBase64Encoded: data, mimeType: 'image/png' });

// Written by hand from the reference of the API, not with the code that is tested.
export const wireCases: readonly WireCase[] = [
  {
    title: 'text, the shortest, with sound',
    models: text,
    order: { kind: 't2v', seconds: 4, resolution: '720p', audio: true },
    instance: () => ({ prompt: PROMPT }),
    parameters: {
      aspectRatio: '16:9',
      resolution: '720p',
      durationSeconds: 4,
      sampleCount: 1,
      personGeneration: 'allow_adult',
      generateAudio: true,
    },
  },
  {
    title: 'text, silent, portrait, 6 seconds, the seed 0, and a negative prompt',
    models: text,
    order: {
      seconds: 6,
      aspectRatio: '9:16',
      width: 720,
      height: 1280,
      seed: 0,
      audio: false,
      parameters: { negative_prompt: 'people, rain', generate_audio: false },
    },
    instance: () => ({ prompt: PROMPT }),
    parameters: {
      aspectRatio: '9:16',
      resolution: '720p',
      durationSeconds: 6,
      sampleCount: 1,
      personGeneration: 'allow_adult',
      generateAudio: false,
      seed: 0,
      negativePrompt: 'people, rain',
    },
  },
  {
    title: 'text, 1080p and portrait, the largest seed',
    models: text,
    order: {
      seconds: 8,
      resolution: '1080p',
      aspectRatio: '9:16',
      width: 1080,
      height: 1920,
      seed: 4_294_967_295,
      audio: true,
    },
    instance: () => ({ prompt: PROMPT }),
    parameters: {
      aspectRatio: '9:16',
      resolution: '1080p',
      durationSeconds: 8,
      sampleCount: 1,
      personGeneration: 'allow_adult',
      generateAudio: true,
      seed: 4_294_967_295,
    },
  },
  {
    title: 'text, 4k, silent',
    models: text,
    order: { seconds: 8, resolution: '4k', width: 3840, height: 2160, audio: false },
    instance: () => ({ prompt: PROMPT }),
    parameters: {
      aspectRatio: '16:9',
      resolution: '4k',
      durationSeconds: 8,
      sampleCount: 1,
      personGeneration: 'allow_adult',
      generateAudio: false,
    },
  },
  {
    title: 'a first frame',
    models: { 'veo-3.1-i2v': standard, 'veo-3.1-fast-i2v': fast },
    order: { kind: 'i2v', seconds: 4, media: [firstFrame], audio: true, parameters: { negative_prompt: '' } },
    instance: (data) => ({ prompt: PROMPT, image: image(data) }),
    parameters: {
      aspectRatio: '16:9',
      resolution: '720p',
      durationSeconds: 4,
      sampleCount: 1,
      personGeneration: 'allow_adult',
      generateAudio: true,
      negativePrompt: '',
    },
  },
  {
    title: 'a first and a last frame, in portrait',
    models: { 'veo-3.1-start-end': standard },
    order: {
      kind: 'start-end',
      seconds: 8,
      resolution: '1080p',
      aspectRatio: '9:16',
      width: 1080,
      height: 1920,
      media: [media('last_frame'), firstFrame],
      audio: false,
      seed: 7,
    },
    instance: (data) => ({ prompt: PROMPT, image: image(data), lastFrame: image(data) }),
    parameters: {
      aspectRatio: '9:16',
      resolution: '1080p',
      durationSeconds: 8,
      sampleCount: 1,
      personGeneration: 'allow_adult',
      generateAudio: false,
      seed: 7,
    },
  },
  {
    title: 'three reference images',
    models: { 'veo-3.1-r2v': standard },
    order: {
      kind: 'r2v',
      seconds: 8,
      media: [media('reference_image'), media('reference_image'), media('reference_image')],
      audio: true,
    },
    instance: (data) => ({
      prompt: PROMPT,
      referenceImages: [
        { image: image(data), referenceType: 'asset' },
        { image: image(data), referenceType: 'asset' },
        { image: image(data), referenceType: 'asset' },
      ],
    }),
    parameters: {
      aspectRatio: '16:9',
      resolution: '720p',
      durationSeconds: 8,
      sampleCount: 1,
      personGeneration: 'allow_adult',
      generateAudio: true,
    },
  },
];

/** The body that is sent, and the one that is stored. */
export function bodiesOf({ instance, parameters }: WireCase, storageUri?: string): readonly [object, object] {
  const body = (data: string) => ({
    instances: [instance(data)],
    parameters: { ...parameters, ...(storageUri !== undefined && { storageUri }) },
  });
  return [body(PNG), body('(image/png, 70 bytes)')];
}
