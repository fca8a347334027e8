import type { Fields } from '../../domain/json';
import { requestNameOf } from '../../domain/video';
import type { VideoBinding, VideoKind, VideoOrder } from '../../domain/video';
import { editSeconds } from '../kit/video/edit-seconds';
import type { MediaByRole } from '../kit/video/order-media';
import { expandsPrompt } from '../kit/video/prompt-extension';
import { wantsWatermark } from '../kit/video/watermark';

// The request of each model for videos: `{ model, input, parameters }`. Wan 2.5 and 2.6 have their own fields for media
// and sizes; later models have a list of media, and tiers. Everything that changes the result or the price is stated,
// because the vendor has other defaults: 1080P, a rewritten prompt (Wan), and a watermark (HappyHorse). Reference:
// https://www.alibabacloud.com/help/en/model-studio, the API references of Wan and HappyHorse, 2026; the wire of
// @ai-sdk/alibaba 1.0.61.

export type AlibabaMedia = MediaByRole<'https' | 'data'>;

interface VideoModelWire {
  readonly kinds: readonly VideoKind[];
  /** The service that takes the submit. Absent: the one that most models use. */
  readonly service?: string;
  /** Returns the fields of `input` for the media. */
  input(media: AlibabaMedia, order: VideoOrder): Fields;
  parameters(order: VideoOrder): Fields;
}

/** Returns the kinds of videos that the upstream model makes; none for an unknown model. */
export function kindsOf(modelName: string): readonly VideoKind[] {
  return wireOf(modelName)?.kinds ?? [];
}

/** Returns the path of a submit. */
export function submitPathFor(binding: VideoBinding): string {
  return `/api/v1/services/aigc/${wireOf(requestNameOf(binding))?.service ?? 'video-generation'}/video-synthesis`;
}

/** Returns the body of a submit; undefined if the upstream model does not make this kind of videos. */
export function bodyFor(binding: VideoBinding, order: VideoOrder, media: AlibabaMedia): Fields | undefined {
  const wire = wireOf(requestNameOf(binding));
  if (!wire?.kinds.includes(order.kind)) return undefined;
  const { negative_prompt } = order.parameters;
  return {
    model: binding.modelName,
    input: {
      prompt: order.prompt,
      ...(negative_prompt !== undefined && { negative_prompt }),
      ...wire.input(media, order),
    },
    parameters: wire.parameters(order),
  };
}

function wireOf(modelName: string): VideoModelWire | undefined {
  return Object.hasOwn(models, modelName) ? models[modelName] : undefined;
}

/** The parameters that every model takes. */
const shared = (order: VideoOrder): Fields => ({
  watermark: wantsWatermark(order),
  ...(order.seed !== undefined && { seed: order.seed }),
});
const duration = ({ seconds }: VideoOrder): Fields => ({ duration: seconds });
const tier = ({ resolution }: VideoOrder): Fields => ({ resolution: resolution.toUpperCase() });
const ratio = ({ aspectRatio }: VideoOrder): Fields => (aspectRatio === undefined ? {} : { ratio: aspectRatio });
const soundOfSource = ({ audio }: VideoOrder): Fields => ({ audio_setting: audio ? 'origin' : 'auto' });

const wan = (order: VideoOrder): Fields => ({
  ...tier(order),
  prompt_extend: expandsPrompt(order),
  ...shared(order),
});
const happyhorse = (order: VideoOrder): Fields => ({ ...tier(order), ...shared(order) });

// Wan 2.5 has no setting for shots.
const wan25 = (order: VideoOrder): Fields => ({
  ...duration(order),
  prompt_extend: expandsPrompt(order),
  audio: order.audio,
  ...shared(order),
});

const wan26 = (order: VideoOrder): Fields => {
  const isMultiShot = order.parameters.multi_clip === true;
  return {
    ...duration(order),
    shot_type: isMultiShot ? 'multi' : 'single',
    // Several shots need an extended prompt.
    prompt_extend: order.parameters.prompt_extend ?? isMultiShot,
    audio: order.audio,
    ...shared(order),
  };
};

/** The sizes in pixels of Wan 2.5 and 2.6, whose 4:3 differs from that of all other models of the catalog. */
const wan26Sizes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '720p': { '16:9': '1280*720', '9:16': '720*1280', '1:1': '960*960', '4:3': '1088*832', '3:4': '832*1088' },
  '1080p': { '16:9': '1920*1080', '9:16': '1080*1920', '1:1': '1440*1440', '4:3': '1632*1248', '3:4': '1248*1632' },
};
const pixels = ({ resolution, aspectRatio = '16:9' }: VideoOrder): Fields => ({
  size: wan26Sizes[resolution]?.[aspectRatio],
});

const noMedia = (): Fields => ({});

/** Lists the media. A prompt cites images and videos by their position in the list, counted separately by kind. */
function itemsOf({ first_frame, last_frame, reference_image, reference_video, source_video }: AlibabaMedia) {
  const ofType = (type: string, taken: readonly { readonly url: string }[]) => taken.map(({ url }) => ({ type, url }));
  return [
    ...ofType('first_frame', first_frame),
    ...ofType('last_frame', last_frame),
    ...ofType('video', source_video),
    ...ofType('reference_image', reference_image),
    ...ofType('reference_video', reference_video),
  ];
}

const mediaList = (media: AlibabaMedia, { parameters: { reference_voice: voice } }: VideoOrder): Fields => {
  const [first, ...others] = itemsOf(media);
  // The API wants the voice on one of the references. The request does not say on which, so the first one gets it.
  return { media: [{ ...first, ...(voice !== undefined && { reference_voice: voice }) }, ...others] };
};
// In Wan 3.0, a recording is a reference of its own.
const wan30Media = (media: AlibabaMedia, { kind, parameters: { reference_voice: voice } }: VideoOrder): Fields => {
  if (kind === 't2v') return {};
  return { media: [...itemsOf(media), ...(voice === undefined ? [] : [{ type: 'reference_audio', url: voice }])] };
};

const happyhorseText: VideoModelWire = {
  kinds: ['t2v'],
  input: noMedia,
  parameters: (order) => ({ ...happyhorse(order), ...ratio(order), ...duration(order) }),
};
const happyhorseImage: VideoModelWire = {
  kinds: ['i2v'],
  input: mediaList,
  parameters: (order) => ({ ...happyhorse(order), ...duration(order) }),
};
const happyhorseReferences: VideoModelWire = { ...happyhorseText, kinds: ['r2v'], input: mediaList };

const frameUrl = ({ first_frame: [image] }: AlibabaMedia): Fields => ({ img_url: image?.url });
const wan26Image: VideoModelWire = {
  kinds: ['i2v'],
  input: frameUrl,
  parameters: (order) => ({ ...tier(order), ...wan26(order) }),
};
// The videos are always silent and five seconds long.
const wan22Frames: VideoModelWire = {
  kinds: ['start-end'],
  service: 'image2video',
  input: ({ first_frame: [first], last_frame: [last] }) => ({ first_frame_url: first?.url, last_frame_url: last?.url }),
  parameters: wan,
};
const wan26References: VideoModelWire = {
  kinds: ['r2v'],
  input: ({ reference_image, reference_video }) => ({
    reference_urls: [...reference_image, ...reference_video].map(({ url }) => url),
  }),
  parameters: (order) => ({ ...pixels(order), ...wan26(order) }),
};

/** Wan 3.0 and the faster Prime. */
const wan30: VideoModelWire = {
  kinds: ['t2v', 'i2v', 'start-end', 'r2v'],
  input: wan30Media,
  parameters: (order) => ({ ...wan(order), ...ratio(order), ...duration(order), audio: order.audio }),
};

const models: Readonly<Record<string, VideoModelWire>> = {
  'wan2.6-t2v': {
    kinds: ['t2v'],
    input: noMedia,
    parameters: (order) => ({ ...pixels(order), ...wan26(order) }),
  },
  'wan2.5-t2v-preview': {
    kinds: ['t2v'],
    input: noMedia,
    parameters: (order) => ({ ...pixels(order), ...wan25(order) }),
  },
  'wan2.5-i2v-preview': {
    kinds: ['i2v'],
    input: frameUrl,
    parameters: (order) => ({ ...tier(order), ...wan25(order) }),
  },
  'wan2.2-kf2v-flash': wan22Frames,
  'wan2.6-i2v': wan26Image,
  'wan2.6-i2v-flash': wan26Image,
  'wan2.6-r2v': wan26References,
  'wan2.6-r2v-flash': wan26References,
  'wan2.7-t2v': {
    kinds: ['t2v'],
    input: noMedia,
    parameters: (order) => ({ ...wan(order), ...ratio(order), ...duration(order) }),
  },
  // The vendor's guide has the list of media, with a first and a last frame (www.alibabacloud.com/help/en/model-studio,
  // "Image-to-video 2.7", 2026). @ai-sdk/alibaba 2.0.58, whose list of models lacks this one, sends the image as
  // `img_url` and leaves a last frame out.
  'wan2.7-i2v': {
    kinds: ['i2v', 'start-end'],
    input: mediaList,
    parameters: (order) => ({ ...wan(order), ...duration(order) }),
  },
  'wan2.7-r2v': {
    kinds: ['r2v'],
    input: mediaList,
    parameters: (order) => ({ ...wan(order), ...ratio(order), ...duration(order) }),
  },
  'wan2.7-videoedit': {
    kinds: ['video-edit'],
    input: mediaList,
    parameters: (order) => ({ ...wan(order), ...ratio(order), duration: editSeconds(order), ...soundOfSource(order) }),
  },
  'wan3.0-video': wan30,
  'wan3.0-video-prime': wan30,
  'happyhorse-1.1-t2v': happyhorseText,
  'happyhorse-1.1-i2v': happyhorseImage,
  'happyhorse-1.1-r2v': happyhorseReferences,
  'happyhorse-1.0-t2v': happyhorseText,
  'happyhorse-1.0-i2v': happyhorseImage,
  'happyhorse-1.0-r2v': happyhorseReferences,
  'happyhorse-1.0-video-edit': {
    kinds: ['video-edit'],
    input: mediaList,
    // There is no duration: the output is as long as the source.
    parameters: (order) => ({ ...happyhorse(order), ...soundOfSource(order) }),
  },
};
