import type { OrderMedia } from '../../../lib/domain/video';
import { PICTURE } from '../../support/media-bytes';
import type { OrderCase } from '../contract/request-cases';
import { CLIP_BYTES, JPEG, jpegUrl, PNG } from '../support/veo-requests';
import { CLIP, PROMPT, unshaped } from '../support/vendor-orders';

// What the Interactions API must receive for an order to Gemini Omni, written by hand from its reference.

const path = '/v1/interactions';
const text = { type: 'text', text: PROMPT };
const png = { type: 'image', mime_type: 'image/png', data: PNG };
const jpeg = { type: 'image', mime_type: 'image/jpeg', data: JPEG };
const clip = { type: 'video', mime_type: 'video/mp4', data: CLIP_BYTES };

const media = (role: OrderMedia['role'], url: string): OrderMedia => ({ role, url });
const first = media('first_frame', PICTURE);
const last = media('last_frame', jpegUrl);
const references = [media('reference_image', PICTURE), media('reference_image', jpegUrl)];
const source = media('source_video', CLIP);

const plain = { seconds: 8, resolution: '720p', aspectRatio: '16:9', audio: true } as const;
const format = { type: 'video', resolution: '720p', aspect_ratio: '16:9', duration: '8s', delivery: 'uri' };
const portrait = { ...unshaped, width: 720, height: 1_280 };

type Changes = OrderCase['changes'];
const tiers: Changes = ['360p', '1080p', '4k'].map((resolution) => [
  { resolution },
  { response_format: { resolution } },
]);
const lengths = (longest: number): Changes =>
  [3, longest].map((seconds) => [{ seconds }, { response_format: { duration: `${seconds}s` } }]);
const tall = [
  { aspectRatio: '9:16', width: 720, height: 1_280 },
  { response_format: { aspect_ratio: '9:16' } },
] as const;
const followsFrame = [portrait, { response_format: { aspect_ratio: '9:16' } }] as const;

function casesOf(model: string, maxSeconds: number): OrderCase[] {
  const bodyOf = (task: string, input: readonly object[]) => ({
    model,
    input: [...input, text],
    generation_config: { video_config: { task } },
    response_format: format,
    background: true,
  });
  const shared = { modelName: model, path };
  return [
    {
      ...shared,
      model: `${model}-t2v`,
      order: { ...plain, kind: 't2v' },
      body: bodyOf('text_to_video', []),
      changes: [...lengths(maxSeconds), ...tiers, tall],
    },
    {
      ...shared,
      model: `${model}-i2v`,
      order: { ...plain, kind: 'i2v', media: [first] },
      body: bodyOf('image_to_video', [png]),
      changes: [...lengths(maxSeconds), ...tiers, tall, followsFrame],
    },
    {
      ...shared,
      model: `${model}-start-end`,
      // The frames are sent in their order, whatever that of the media.
      order: { ...plain, kind: 'start-end', media: [last, first] },
      body: bodyOf('image_to_video', [png, jpeg]),
      changes: [...lengths(10), ...tiers, tall, followsFrame],
    },
    {
      ...shared,
      model: `${model}-r2v`,
      order: { ...plain, kind: 'r2v', media: references },
      body: bodyOf('reference_to_video', [png, jpeg]),
      changes: [...lengths(maxSeconds), ...tiers, tall],
    },
    {
      ...shared,
      model: `${model}-video-edit`,
      order: { ...plain, ...unshaped, kind: 'video-edit', media: [source], outputFollowsSource: true },
      // The shape and the length are those of the source.
      body: {
        ...bodyOf('edit', [clip]),
        response_format: { type: 'video', resolution: '720p', delivery: 'uri' },
      },
      changes: [...tiers, [{ media: [source, ...references] }, { input: [clip, png, jpeg, text] }]],
    },
  ];
}

export const omniCases: readonly OrderCase[] = [
  ...casesOf('gemini-omni-1.2-flash', 15),
  ...casesOf('gemini-omni-1.1-flash', 10),
];
