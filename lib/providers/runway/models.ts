import type { Fields } from '../../domain/json';
import { requestNameOf } from '../../domain/video';
import type { MediaRole, VideoBinding, VideoKind, VideoOrder } from '../../domain/video';
import { expandsPrompt } from '../kit/video/prompt-extension';

// The request for each model that Runway serves, its own and those of other vendors. Most models take a size in pixels
// as their `ratio`, some a tier and a ratio. Everything that changes the result or the price is stated, because Runway
// has its own defaults: sound, and a length and size for each model. Reference: the types of @runwayml/sdk 4.20.1.

/** The URLs of the media of an order: https, data or runway URIs. */
export type MediaUrls = Readonly<Record<MediaRole, readonly string[]>>;

export interface RunwayRequest {
  readonly path: string;
  body(media: MediaUrls): Fields;
}

/** The size in pixels of each tier and ratio, as Runway writes it. */
type Sizes = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface RunwayModel {
  readonly kinds: readonly VideoKind[];
  /** The sizes of the model; absent if its request has no size in pixels. */
  readonly sizes?: Sizes;
  /** Returns the fields besides `model`; `size` is the size of the order. */
  fields(order: VideoOrder, media: MediaUrls, size: string | undefined): Fields;
}

const paths: Readonly<Record<VideoKind, string>> = {
  t2v: '/v1/text_to_video',
  r2v: '/v1/text_to_video',
  i2v: '/v1/image_to_video',
  'start-end': '/v1/image_to_video',
  'video-edit': '/v1/video_to_video',
};

/** Returns whether the table has this upstream model. */
export function isModel(name: string): boolean {
  return Object.hasOwn(models, name);
}

/** Returns the request; undefined if Runway does not make this kind or size of video with the model. */
export function requestFor(binding: VideoBinding, order: VideoOrder): RunwayRequest | undefined {
  const model = modelFor(requestNameOf(binding), order);
  if (!model) return undefined;
  const size = model.sizes?.[order.resolution]?.[order.aspectRatio ?? ''];
  if (model.sizes && size === undefined) return undefined;
  return {
    path: paths[order.kind],
    body: (media) => ({ model: binding.modelName, ...model.fields(order, media, size) }),
  };
}

/** Returns the ratios to choose from if an order has the ratio of its media and the model has no word for that. */
export function ratiosToChoose(name: string, order: VideoOrder): readonly string[] {
  if (order.aspectRatio !== 'adaptive') return [];
  return Object.keys(modelFor(name, order)?.sizes?.[order.resolution] ?? {});
}

function modelFor(name: string, { kind }: VideoOrder): RunwayModel | undefined {
  const candidates = isModel(name) ? models[name] : undefined;
  return candidates?.find(({ kinds }) => kinds.includes(kind));
}

const wide720p = { '16:9': '1280:720', '9:16': '720:1280' };
const wide1080p = { '16:9': '1920:1080', '9:16': '1080:1920' };
const gen4TextSizes: Sizes = { '720p': wide720p };
const gen4Sizes: Sizes = {
  '720p': {
    ...wide720p,
    '4:3': '1104:832',
    '1:1': '960:960',
    '3:4': '832:1104',
    '21:9': '1584:672',
  },
};
const veoSizes: Sizes = { '720p': wide720p, '1080p': wide1080p };
const happyhorseSizes: Sizes = {
  '720p': { ...wide720p, '1:1': '960:960', '4:3': '1108:832', '3:4': '832:1108' },
  '1080p': { ...wide1080p, '1:1': '1440:1440', '4:3': '1662:1248', '3:4': '1248:1662' },
};
const seedance720p = {
  ...wide720p,
  '1:1': '960:960',
  '4:3': '1112:834',
  '3:4': '834:1112',
  '21:9': '1470:630',
};
const seedance1080p = {
  ...wide1080p,
  '1:1': '1440:1440',
  '4:3': '1664:1248',
  '3:4': '1248:1664',
  '21:9': '2206:946',
};
const seedanceFastSizes: Sizes = {
  '480p': {
    '16:9': '864:496',
    '9:16': '496:864',
    '1:1': '640:640',
    '4:3': '752:560',
    '3:4': '560:752',
    '21:9': '992:432',
  },
  '720p': seedance720p,
};
const seedanceSizes: Sizes = {
  ...seedanceFastSizes,
  '1080p': seedance1080p,
  '4k': {
    '16:9': '3840:2160',
    '9:16': '2160:3840',
    '1:1': '3840:3840',
    '4:3': '3840:2880',
    '3:4': '2880:3840',
    '21:9': '3840:1646',
  },
};
const seedance25Sizes: Sizes = {
  '480p': { ...seedanceFastSizes['480p'], '16:9': '854:480', '9:16': '480:854' },
  '720p': seedance720p,
  '1080p': seedance1080p,
};

const wanSizes: Sizes = {
  '480p': { '16:9': '832:480', '9:16': '480:832', '1:1': '624:624', '4:3': '720:544', '3:4': '544:720' },
  '720p': { ...wide720p, '1:1': '960:960', '4:3': '1104:832', '3:4': '832:1104' },
  '1080p': { ...wide1080p, '1:1': '1440:1440', '4:3': '1648:1248', '3:4': '1248:1648' },
};
const omniSizes: Sizes = {
  '360p': { '16:9': '640:360', '9:16': '360:640' },
  '720p': wide720p,
  '1080p': wide1080p,
  '4k': { '16:9': '3840:2160', '9:16': '2160:3840' },
};

const shared = ({ prompt, seconds }: VideoOrder): Fields => ({ promptText: prompt, duration: seconds });
const seedOf = ({ seed }: VideoOrder): Fields => (seed === undefined ? {} : { seed });

type References = Pick<MediaUrls, 'reference_image' | 'reference_video'>;

/** Returns the frames with their positions: an image without a position would be a reference. */
function frames({ first_frame, last_frame }: MediaUrls): Fields {
  const promptImage = [
    ...first_frame.map((uri) => ({ uri, position: 'first' })),
    ...last_frame.map((uri) => ({ uri, position: 'last' })),
  ];
  return promptImage.length === 0 ? {} : { promptImage };
}

function references(
  { reference_image, reference_video }: References,
  videoItem = (uri: string): Fields => ({ type: 'video', uri }),
): Fields {
  return {
    ...(reference_image.length > 0 && { references: reference_image.map((uri) => ({ uri })) }),
    ...(reference_video.length > 0 && { referenceVideos: reference_video.map(videoItem) }),
  };
}

/** Returns the references and the recording of a voice. */
function referencesWithVoice({ parameters: { reference_voice: voice } }: VideoOrder, media: References): Fields {
  return { ...references(media), ...(voice !== undefined && { referenceAudio: [{ type: 'audio', uri: voice }] }) };
}

const gen4 = (kind: VideoKind, sizes: Sizes): RunwayModel => ({
  kinds: [kind],
  sizes,
  fields: (order, media, size) => ({ ...shared(order), ...frames(media), ratio: size, ...seedOf(order) }),
});

const veo: RunwayModel = {
  kinds: ['t2v', 'i2v', 'start-end'],
  sizes: veoSizes,
  fields: (order, media, size) => ({
    ...shared(order),
    ...frames(media),
    ratio: size,
    audio: order.audio,
    ...(order.parameters.negative_prompt !== undefined && { negativePrompt: order.parameters.negative_prompt }),
    ...seedOf(order),
  }),
};

const seedance = (sizes: Sizes): RunwayModel => ({
  kinds: ['t2v', 'i2v', 'start-end', 'r2v'],
  sizes,
  fields: (order, media, size) => ({
    ...shared(order),
    ...frames(media),
    ...referencesWithVoice(order, media),
    ratio: size,
    audio: order.audio,
    ...seedOf(order),
  }),
});

// Only this model of Seedance edits. The other models of Seedance and Hailuo 3.0 take a video only as a reference, so
// their requests have no mode. An edit has the length and the shape of its source; its resolution is not documented.
const seedanceEdit: RunwayModel = {
  kinds: ['video-edit'],
  fields: (order, { source_video: [source], ...media }) => ({
    promptText: order.prompt,
    promptVideo: source,
    mode: 'edit',
    duration: 'auto',
    ...referencesWithVoice(order, media),
    audio: order.audio,
    ...seedOf(order),
  }),
};

// A video from an image has the shape of the image.
const happyhorse: readonly RunwayModel[] = [
  { kinds: ['t2v'], sizes: happyhorseSizes, fields: (order, _media, size) => ({ ...shared(order), ratio: size }) },
  {
    kinds: ['i2v'],
    fields: (order, media) => ({ ...shared(order), ...frames(media), resolution: order.resolution }),
  },
];

const hailuo3: RunwayModel = {
  kinds: ['t2v', 'i2v', 'start-end', 'r2v'],
  fields: (order, media) => ({
    ...shared(order),
    ...frames(media),
    ...referencesWithVoice(order, media),
    ratio: order.aspectRatio ?? 'adaptive',
    resolution: order.resolution,
  }),
};

const grok: readonly RunwayModel[] = [
  {
    kinds: ['t2v', 'r2v'],
    fields: (order, media) => ({
      ...shared(order),
      ...referencesWithVoice(order, media),
      ratio: order.aspectRatio,
      resolution: order.resolution,
    }),
  },
  {
    kinds: ['i2v'],
    fields: (order, media) => ({ ...shared(order), ...frames(media), resolution: order.resolution }),
  },
];

// A video from frames has the shape of the frames.
const wan: readonly RunwayModel[] = [
  {
    kinds: ['t2v', 'r2v'],
    sizes: wanSizes,
    fields: (order, media, size) => ({
      ...shared(order),
      ...referencesWithVoice(order, media),
      ratio: size,
      audio: order.audio,
    }),
  },
  {
    kinds: ['i2v', 'start-end'],
    fields: (order, media) => ({
      ...shared(order),
      ...frames(media),
      ratio: `auto_${order.resolution}`,
      audio: order.audio,
    }),
  },
];

// The default is to rewrite the prompt. There is no field for the shape; a video from a text has the model's own.
const h3Max: RunwayModel = {
  kinds: ['t2v', 'i2v', 'start-end'],
  fields: (order, media) => ({
    ...shared(order),
    ...frames(media),
    resolution: order.resolution,
    promptExpansionMode: expandsPrompt(order) ? 'balanced' : 'disabled',
    ...seedOf(order),
  }),
};

// Its reference videos have no `type`, unlike those of all other models.
const omni: RunwayModel = {
  kinds: ['t2v', 'i2v', 'start-end', 'r2v'],
  sizes: omniSizes,
  fields: (order, media, size) => ({
    ...shared(order),
    ...frames(media),
    ...references(media, (uri) => ({ uri })),
    ratio: size,
  }),
};

/** The first version of Gemini Omni has one resolution. */
const firstOmni: RunwayModel = { ...omni, kinds: ['t2v', 'i2v'], sizes: { '720p': wide720p } };

// The request states the size by the ratio only, so a source keeps its shape only at the model's own resolution. Given
// a video, the first version always edits, so it has no mode.
const omniEdit = (mode: Fields): RunwayModel => ({
  kinds: ['video-edit'],
  fields: (order, { source_video: [source], ...media }) => ({
    promptText: order.prompt,
    videoUri: source,
    ...mode,
    ...references(media),
  }),
});

// The output is as long as the source. `targetAspectRatio` extends the picture.
const aleph: RunwayModel = {
  kinds: ['video-edit'],
  fields: (order, { source_video: [source] }) => ({
    promptText: order.prompt,
    videoUri: source,
    ...(order.aspectRatio !== undefined && { targetAspectRatio: order.aspectRatio }),
    ...seedOf(order),
  }),
};

const models: Readonly<Record<string, readonly RunwayModel[]>> = {
  'gen4.5': [gen4('t2v', gen4TextSizes), gen4('i2v', gen4Sizes)],
  gen4_turbo: [gen4('i2v', gen4Sizes)],
  aleph2: [aleph],
  'veo3.1': [veo],
  'veo3.1_fast': [veo],
  seedance2: [seedance(seedanceSizes)],
  seedance2_fast: [seedance(seedanceFastSizes)],
  seedance2_mini: [seedance(seedanceFastSizes)],
  seedance2_5: [seedance(seedance25Sizes), seedanceEdit],
  happyhorse_1_0: happyhorse,
  hailuo3: [hailuo3],
  h3_max: [h3Max],
  wan3: wan,
  wan3_prime: wan,
  gemini_omni_flash: [firstOmni, omniEdit({})],
  'gemini_omni_flash_1.1': [omni, omniEdit({ mode: 'edit' })],
  grok_imagine_1_5: grok,
};
