import { fieldsOf, type Fields } from '../../../lib/domain/json';
import { mediaKind, type OrderMedia } from '../../../lib/domain/video';
import { PICTURE } from '../../support/media-bytes';
import type { OrderCase, RequestOptions } from '../contract/request-cases';
import { urlsAlone, parameter, PROMPT as prompt } from './vendor-orders';

// What both APIs of Veo must receive for an order, written by hand from their references. `own` are the parameters that
// an API has in addition to the shared ones.

/** The bytes of the images of `inlineMediaOptions`, as base64. */
export const PNG = PICTURE.slice(PICTURE.indexOf(',') + 1);
export const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(1_230, 7)]).toString('base64');
export const jpegUrl = `data:image/jpeg;base64,${JPEG}`;

const png = { bytesBase64Encoded: PNG, mimeType: 'image/png' };
const jpeg = { bytesBase64Encoded: JPEG, mimeType: 'image/jpeg' };

export interface VeoVendor {
  /** The names of the models in the API. */
  readonly names: { readonly standard: string; readonly fast: string; readonly lite: string };
  pathOf(modelName: string): string;
  own(hasImages: boolean): Fields;
  /** The changes of every order that only this API has. */
  readonly changes: OrderCase['changes'];
}

const plain = { resolution: '720p', aspectRatio: '16:9', audio: true } as const;
const short = { ...plain, seconds: 4 };
const portrait = { aspectRatio: '9:16', width: 720, height: 1280 } as const;

type Change = OrderCase['changes'][number];
const lengths: readonly Change[] = [6, 8].map((seconds) => [{ seconds }, { parameters: { durationSeconds: seconds } }]);
const tier = (resolution: string): Change => [
  { resolution, seconds: 8 },
  { parameters: { resolution, durationSeconds: 8 } },
];
const shared: readonly Change[] = [
  [portrait, { parameters: { aspectRatio: '9:16' } }],
  [parameter('negative_prompt', 'people, rain'), { parameters: { negativePrompt: 'people, rain' } }],
  [parameter('negative_prompt', ''), { parameters: { negativePrompt: '' } }],
];

export function veoCases({ names, pathOf, own, changes }: VeoVendor): OrderCase[] {
  const { standard, fast, lite } = names;
  const bodyOf = (instance: Fields, durationSeconds: number): Fields => ({
    instances: [{ prompt, ...instance }],
    parameters: {
      aspectRatio: '16:9',
      resolution: '720p',
      durationSeconds,
      sampleCount: 1,
      ...own(Object.keys(instance).length > 0),
    },
  });
  const text = (model: string, modelName: string, tiers: readonly string[]): OrderCase => ({
    model,
    modelName,
    path: pathOf(modelName),
    order: { ...short, kind: 't2v' },
    body: bodyOf({}, 4),
    changes: [...lengths, ...tiers.map(tier), ...shared, ...changes],
  });
  const image = (model: string, modelName: string, tiers = ['1080p', '4k']): OrderCase => ({
    ...text(model, modelName, tiers),
    order: { ...short, kind: 'i2v', media: [media('first_frame', PICTURE)] },
    body: bodyOf({ image: png }, 4),
  });
  const frames = (model: string, modelName: string, tiers = ['1080p', '4k']): OrderCase => ({
    ...text(model, modelName, tiers),
    // Each frame has its own field, whatever the order of the media.
    order: { ...short, kind: 'start-end', media: [media('last_frame', jpegUrl), media('first_frame', PICTURE)] },
    body: bodyOf({ image: png, lastFrame: jpeg }, 4),
  });
  const ofLite = (modelName: string) => [
    text('veo-3.1-lite-t2v', modelName, ['1080p']),
    image('veo-3.1-lite-i2v', modelName, ['1080p']),
    frames('veo-3.1-lite-start-end', modelName, ['1080p']),
  ];
  const fromReferences = (model: string, modelName: string): OrderCase => ({
    model,
    modelName,
    path: pathOf(modelName),
    order: { ...plain, seconds: 8, kind: 'r2v', media: references(2) },
    body: bodyOf({ referenceImages: [asset(png), asset(jpeg)] }, 8),
    changes: [
      tier('1080p'),
      tier('4k'),
      ...shared,
      ...changes,
      [{ media: references(3) }, { instances: [{ prompt, referenceImages: [asset(png), asset(jpeg), asset(png)] }] }],
    ],
  });
  return [
    text('veo-3.1-t2v', standard, ['1080p', '4k']),
    text('veo-3.1-fast-t2v', fast, ['1080p', '4k']),
    ...ofLite(lite),
    image('veo-3.1-i2v', standard),
    image('veo-3.1-fast-i2v', fast),
    frames('veo-3.1-start-end', standard),
    frames('veo-3.1-fast-start-end', fast),
    fromReferences('veo-3.1-r2v', standard),
    fromReferences('veo-3.1-fast-r2v', fast),
  ];
}

const media = (role: OrderMedia['role'], url: string): OrderMedia => ({ role, url });
const references = (count: number) =>
  [PICTURE, jpegUrl, PICTURE].slice(0, count).map((url) => media('reference_image', url));
const asset = (image: Fields) => ({ image, referenceType: 'asset' });

/** The bytes of every video, as base64. */
export const CLIP_BYTES = Buffer.alloc(9, 5).toString('base64');

/** How requests are compared that have images and videos inside them: a marker of each is stored. */
export const inlineMediaOptions: Pick<RequestOptions, 'media' | 'stored'> = {
  media: {
    ...urlsAlone,
    async as({ role, url }) {
      if (mediaKind(role) === 'video')
        return { form: 'base64', contentType: 'video/mp4', data: CLIP_BYTES, release() {} };
      const [, contentType = 'image/png', data = PNG] = /^data:([^;]+);base64,(.+)$/.exec(url) ?? [];
      return { form: 'base64', contentType, data, release() {} };
    },
  },
  stored: (body) =>
    fieldsOf(
      JSON.parse(
        JSON.stringify(body)
          .replaceAll(PNG, '(image/png, 70 bytes)')
          .replaceAll(JPEG, '(image/jpeg, 1,234 bytes)')
          .replaceAll(CLIP_BYTES, '(video/mp4, 9 bytes)'),
      ),
    ),
};
