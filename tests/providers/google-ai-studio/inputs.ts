import type { MediaRole, OrderMedia, VideoOrder } from '../../../lib/domain/video';
import { PICTURE } from '../../support/media-bytes';
import { firstFrame } from '../contract/video-vendor';

// Orders, and the bodies that the Gemini API must receive for them.

export const PROMPT = 'A paper boat on a quiet river';
const PNG = PICTURE.slice(PICTURE.indexOf(',') + 1);
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(1_230, 7)]).toString('base64');
const media = (role: MediaRole, url: string): OrderMedia => ({ role, url });
const jpegUrl = `data:image/jpeg;base64,${JPEG}`;

interface WireCase {
  readonly title: string;
  /** The models of the catalog that can be ordered like this, with the names that the API has for them. */
  readonly models: Readonly<Record<string, string>>;
  readonly order: Partial<VideoOrder>;
  readonly body: unknown;
  /** Of a request with images, what is stored of it. */
  readonly shown?: unknown;
}

const standard = 'veo-3.1-generate-preview';
const fast = 'veo-3.1-fast-generate-preview';
export const lite = 'veo-3.1-lite-generate-preview';

// Written by hand from the reference of the API, not with the code that is tested.
export const wireCases: readonly WireCase[] = [
  {
    title: 'text, the shortest',
    models: { 'veo-3.1-t2v': standard, 'veo-3.1-fast-t2v': fast, 'veo-3.1-lite-t2v': lite },
    order: { kind: 't2v', seconds: 4, resolution: '720p' },
    body: {
      instances: [{ prompt: PROMPT }],
      parameters: {
        aspectRatio: '16:9',
        resolution: '720p',
        durationSeconds: 4,
        sampleCount: 1,
        personGeneration: 'allow_all',
      },
    },
  },
  {
    title: 'text, portrait, 6 seconds, with a negative prompt, and with parameters that this API does not have',
    models: { 'veo-3.1-t2v': standard, 'veo-3.1-fast-t2v': fast, 'veo-3.1-lite-t2v': lite },
    order: {
      seconds: 6,
      aspectRatio: '9:16',
      width: 720,
      height: 1280,
      seed: 0,
      audio: false,
      parameters: { negative_prompt: 'people, rain', generate_audio: false },
    },
    body: {
      instances: [{ prompt: PROMPT }],
      parameters: {
        aspectRatio: '9:16',
        resolution: '720p',
        durationSeconds: 6,
        sampleCount: 1,
        personGeneration: 'allow_all',
        negativePrompt: 'people, rain',
      },
    },
  },
  {
    title: 'text, an empty negative prompt',
    models: { 'veo-3.1-t2v': standard, 'veo-3.1-fast-t2v': fast, 'veo-3.1-lite-t2v': lite },
    order: { seconds: 8, parameters: { negative_prompt: '' } },
    body: {
      instances: [{ prompt: PROMPT }],
      parameters: {
        aspectRatio: '16:9',
        resolution: '720p',
        durationSeconds: 8,
        sampleCount: 1,
        personGeneration: 'allow_all',
        negativePrompt: '',
      },
    },
  },
  {
    title: 'text, 1080p and portrait',
    models: { 'veo-3.1-t2v': standard, 'veo-3.1-fast-t2v': fast, 'veo-3.1-lite-t2v': lite },
    order: { seconds: 8, resolution: '1080p', aspectRatio: '9:16', width: 1080, height: 1920 },
    body: {
      instances: [{ prompt: PROMPT }],
      parameters: {
        aspectRatio: '9:16',
        resolution: '1080p',
        durationSeconds: 8,
        sampleCount: 1,
        personGeneration: 'allow_all',
      },
    },
  },
  {
    title: 'text, 4k',
    models: { 'veo-3.1-t2v': standard, 'veo-3.1-fast-t2v': fast },
    order: { seconds: 8, resolution: '4k', width: 3840, height: 2160 },
    body: {
      instances: [{ prompt: PROMPT }],
      parameters: {
        aspectRatio: '16:9',
        resolution: '4k',
        durationSeconds: 8,
        sampleCount: 1,
        personGeneration: 'allow_all',
      },
    },
  },
  {
    title: 'a first frame',
    models: { 'veo-3.1-i2v': standard, 'veo-3.1-fast-i2v': fast },
    order: { kind: 'i2v', seconds: 4, media: [firstFrame], parameters: { negative_prompt: 'rain' } },
    body: {
      instances: [{ prompt: PROMPT, image: { bytesBase64Encoded: PNG, mimeType: 'image/png' } }],
      parameters: {
        aspectRatio: '16:9',
        resolution: '720p',
        durationSeconds: 4,
        sampleCount: 1,
        personGeneration: 'allow_adult',
        negativePrompt: 'rain',
      },
    },
    shown: {
      instances: [{ prompt: PROMPT, image: { bytesBase64Encoded: '(image/png, 70 bytes)', mimeType: 'image/png' } }],
      parameters: {
        aspectRatio: '16:9',
        resolution: '720p',
        durationSeconds: 4,
        sampleCount: 1,
        personGeneration: 'allow_adult',
        negativePrompt: 'rain',
      },
    },
  },
  {
    title: 'a first and a last frame',
    models: { 'veo-3.1-start-end': standard },
    order: {
      kind: 'start-end',
      seconds: 8,
      resolution: '1080p',
      width: 1920,
      height: 1080,
      media: [media('last_frame', jpegUrl), firstFrame],
    },
    body: {
      instances: [
        {
          prompt: PROMPT,
          image: { bytesBase64Encoded: PNG, mimeType: 'image/png' },
          lastFrame: { bytesBase64Encoded: JPEG, mimeType: 'image/jpeg' },
        },
      ],
      parameters: {
        aspectRatio: '16:9',
        resolution: '1080p',
        durationSeconds: 8,
        sampleCount: 1,
        personGeneration: 'allow_adult',
      },
    },
    shown: {
      instances: [
        {
          prompt: PROMPT,
          image: { bytesBase64Encoded: '(image/png, 70 bytes)', mimeType: 'image/png' },
          lastFrame: { bytesBase64Encoded: '(image/jpeg, 1,234 bytes)', mimeType: 'image/jpeg' },
        },
      ],
      parameters: {
        aspectRatio: '16:9',
        resolution: '1080p',
        durationSeconds: 8,
        sampleCount: 1,
        personGeneration: 'allow_adult',
      },
    },
  },
  {
    title: 'reference images',
    models: { 'veo-3.1-r2v': standard },
    order: {
      kind: 'r2v',
      seconds: 8,
      media: [media('reference_image', PICTURE), media('reference_image', jpegUrl)],
    },
    body: {
      instances: [
        {
          prompt: PROMPT,
          referenceImages: [
            { image: { bytesBase64Encoded: PNG, mimeType: 'image/png' }, referenceType: 'asset' },
            { image: { bytesBase64Encoded: JPEG, mimeType: 'image/jpeg' }, referenceType: 'asset' },
          ],
        },
      ],
      parameters: {
        aspectRatio: '16:9',
        resolution: '720p',
        durationSeconds: 8,
        sampleCount: 1,
        personGeneration: 'allow_adult',
      },
    },
    shown: {
      instances: [
        {
          prompt: PROMPT,
          referenceImages: [
            {
              image: { bytesBase64Encoded: '(image/png, 70 bytes)', mimeType: 'image/png' },
              referenceType: 'asset',
            },
            {
              image: { bytesBase64Encoded: '(image/jpeg, 1,234 bytes)', mimeType: 'image/jpeg' },
              referenceType: 'asset',
            },
          ],
        },
      ],
      parameters: {
        aspectRatio: '16:9',
        resolution: '720p',
        durationSeconds: 8,
        sampleCount: 1,
        personGeneration: 'allow_adult',
      },
    },
  },
];
