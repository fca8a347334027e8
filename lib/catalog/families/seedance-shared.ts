import type { Model } from '../../domain/model';
import type { VideoKind } from '../../domain/video';
import { firstEdition, secondEdition, videoModel } from '../model-entry';
import type { BindingEntry, VideoModelEntry } from '../model-entry';
import { assumed, withVideoInput, type perSecond } from '../price-table';

// What the versions of Seedance share: the models of a version, and its bindings at resellers.

export const ratios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9'];

const shared = {
  family: 'seedance',
  defaultSeconds: 5,
  defaultResolution: '720p',
  fps: { default: 24 },
  audio: 'toggle',
  parameters: ['generate_audio', 'seed', 'watermark', 'remove_watermark'],
  maxSeed: 2_147_483_647,
} satisfies Partial<VideoModelEntry>;

const silent = {
  audio: 'none',
  parameters: ['seed', 'watermark', 'remove_watermark'],
} satisfies Partial<VideoModelEntry>;

export const endpointAtFal = (kind: VideoKind) =>
  kind === 't2v' ? 'text-to-video' : kind === 'r2v' ? 'reference-to-video' : 'image-to-video';
export const onFal = (endpoint: string, price: BindingEntry['price'], isSilent = false): BindingEntry => ({
  providerId: 'fal',
  modelName: endpoint,
  parameters: isSilent ? ['seed'] : ['generate_audio', 'seed'],
  ...(price && { price }),
});

/** Replicate, whose prices were not found. The version 1.0 ignores a ratio beside a first frame. */
export const onReplicate = (
  modelName: string,
  resolutions: readonly string[],
  price: (kind: VideoKind) => BindingEntry,
) => {
  const isFirst = modelName.startsWith('seedance-1');
  return (kind: VideoKind): BindingEntry => {
    const { price: ofFal } = price(kind);
    return {
      providerId: 'replicate',
      modelName: `bytedance/${modelName}`,
      resolutions: [...resolutions],
      parameters: isFirst ? ['seed'] : ['generate_audio', 'seed'],
      ...(isFirst && (kind === 'i2v' || kind === 'start-end') && { aspectRatios: [] }),
      ...(isFirst && kind === 'r2v' && { aspectRatios: ratios }),
      ...(ofFal && { price: assumed('Replicate', 'fal', ofFal) }),
    };
  };
};

/** WaveSpeed, whose prices were not found. `price` is assumed instead, and `whose` says whose it is. */
export const onWavespeed =
  (
    version: string,
    resolutions: readonly string[],
    { price }: Pick<BindingEntry, 'price'>,
    { parameters = ['generate_audio'], whose = 'fal' } = {},
  ) =>
  (kind: VideoKind): BindingEntry => ({
    providerId: 'wavespeed',
    modelName: `bytedance/seedance-${version}/${kind === 'i2v' || kind === 'start-end' ? 'image' : 'text'}-to-video`,
    resolutions: [...resolutions],
    parameters,
    // Whether WaveSpeed bills reference videos is not known, so it serves only requests with images.
    ...(kind === 'r2v' && { aspectRatios: ratios, media: { images: { min: 1, max: 9 } } }),
    ...(price && { price: assumed('WaveSpeed', whose, price) }),
  });

/** A version of Seedance. The catalog has one model of it for each kind of video. */
export interface Version extends Pick<VideoModelEntry, 'seconds' | 'resolutions' | 'price' | 'deadlineSeconds'> {
  /** The ratios that resellers make in addition, of videos from a text. */
  readonly ratiosOfResellers?: readonly string[];
  /** The tiers that one reseller makes in addition, except for edits. */
  readonly tiersOfReseller?: { readonly tiers: readonly string[]; readonly reseller: string };
  /** When its entries were added; absent: in the first or the second edition of the catalog. */
  readonly created?: number;
  /** The version as in the ids of its models, such as `2.0-fast`. */
  readonly id: string;
  /** The version as in the names of its models, such as `2.0 Fast`. */
  readonly name: string;
  /** BytePlus' name of the model. */
  readonly modelName: string;
  /** BytePlus' name of the model for videos from images, if it has a different name. */
  readonly modelNameOfImages?: string;
  readonly kinds: readonly VideoKind[];
  /** Durations and tiers, for the descriptions. */
  readonly limits: string;
  readonly isSilent?: true;
  /** When the vendor deprecated the version, and the id of the version that resellers then recommended. */
  readonly deprecated?: { readonly at: string; readonly replacement: string };
  readonly references?: {
    readonly images: number;
    /** Absent: the version takes no reference videos. */
    readonly videos?: {
      readonly count: number;
      /** The total length; a request that does not state it is billed for this many seconds. */
      readonly seconds: number;
      /** The price with reference videos, whose seconds are billed too. */
      readonly price: Parameters<typeof perSecond>[1];
    };
    /** The resolutions with references, where they are fewer than those of the version. */
    readonly resolutions?: readonly string[];
  };
  /** The price of edits. The source is as long as the output, and is billed too. */
  readonly editPrice?: VideoModelEntry['price'];
  /** The bindings in addition to that of BytePlus. */
  readonly others: (kind: VideoKind) => readonly BindingEntry[];
}

/** The models in the first edition of the catalog. */
const firstIds = ['seedance-2.0-t2v', 'seedance-2.0-i2v', 'seedance-2.0-r2v', 'seedance-2.0-fast-t2v'];

export const frames: readonly VideoKind[] = ['t2v', 'i2v', 'start-end'];
export const every: readonly VideoKind[] = [...frames, 'r2v'];

/** The models of a version, one for each kind of video. */
export function modelsOf(version: Version): Model[] {
  return version.kinds.map((kind) => modelOf(version, kind));
}

function modelOf(version: Version, kind: VideoKind): Model {
  const { name, modelName, seconds, resolutions, price: tariff, deadlineSeconds, references, editPrice } = version;
  const id = `seedance-${version.id}-${kind}`;
  const words = wordsOf(version, kind);
  const more = kind === 'video-edit' ? undefined : version.tiersOfReseller;
  const bindings: readonly BindingEntry[] = [
    {
      providerId: 'bytedance',
      modelName: kind === 't2v' ? modelName : (version.modelNameOfImages ?? modelName),
      ...(kind === 'video-edit' && { outputFollowsSource: true }),
      ...(more && { resolutions }),
      ...(kind === 't2v' && version.ratiosOfResellers && { aspectRatios: ratios }),
    },
    ...version.others(kind),
  ];
  const { defaultSeconds, ...ofEveryKind } = shared;
  return videoModel({
    ...ofEveryKind,
    ...(kind !== 'video-edit' && { defaultSeconds }),
    ...(version.isSilent && silent),
    id,
    name: `Seedance ${name} ${words.name}`,
    ...(id === 'seedance-2.0-t2v' && { aliases: ['seedance-t2v'] }),
    description: `${words.description}: ${version.limits}${more ? `, and at ${more.tiers.join(', ')} where ${more.reseller} makes it` : ''}.`,
    created: version.created ?? (firstIds.includes(id) ? firstEdition : secondEdition),
    ...(version.deprecated && {
      deprecatedAt: version.deprecated.at,
      replacements: [`seedance-${version.deprecated.replacement}-${kind}`],
    }),
    kind,
    seconds,
    resolutions: [...resolutions, ...(more?.tiers ?? [])],
    price: tariff,
    ...(deadlineSeconds !== undefined && { deadlineSeconds }),
    aspectRatios: [...ratiosOf(kind), ...((kind === 't2v' && version.ratiosOfResellers) || [])],
    ...(kind === 'i2v' && { media: { images: { min: 1, max: 1 } } }),
    ...(kind === 'start-end' && { media: { images: { min: 2, max: 2 } } }),
    ...(kind === 'r2v' &&
      references && {
        ...(references.resolutions && { resolutions: references.resolutions }),
        ...(references.videos
          ? {
              media: {
                images: { min: 0, max: references.images },
                videos: { min: 0, max: references.videos.count },
                eitherRequired: true,
              },
              price: withVideoInput(tariff, {
                per: 'input_plus_output_second',
                secondsIfUnstated: references.videos.seconds,
                // With short reference videos BytePlus bills a minimum: 7 seconds for an output of 4, 9 for 5 and 15
                // for 9, as a reseller lists it (docs.jiekou.ai/en/docs/models/reference-seedance-2.0, read
                // 2026-11-28).
                atLeastOutput: true,
                rows: references.videos.price,
              }),
            }
          : { media: { images: { min: 1, max: references.images } } }),
      }),
    ...(kind === 'video-edit' &&
      editPrice && {
        created: Date.UTC(2026, 10, 28) / 1_000,
        sourceSeconds: { min: seconds[0] ?? 0, max: seconds.at(-1) ?? 0 },
        media: { sourceVideo: true, images: { min: 0, max: references?.images ?? 0 } },
        price: editPrice,
      }),
    // Versions that take reference videos also take recordings of a voice.
    bindings: ['r2v', 'video-edit'].includes(kind) && references?.videos ? bindings.map(withVoice) : bindings,
  });
}

/** Without a size, a video has the shape of its first image; an edit always has that of its source. */
function ratiosOf(kind: VideoKind): string[] {
  if (kind === 'video-edit') return [];
  return kind === 't2v' ? ratios : [...ratios, 'adaptive'];
}

function withVoice(binding: BindingEntry): BindingEntry {
  return { ...binding, parameters: [...(binding.parameters ?? shared.parameters), 'reference_voice'] };
}

function wordsOf({ isSilent, references }: Version, kind: VideoKind): { name: string; description: string } {
  const videos = references?.videos
    ? ` and ${references.videos.count} reference videos, whose seconds, at least as many as those of the output, are billed too, at a lower rate`
    : '';
  const video = isSilent ? 'a silent video' : 'a video, silent or with sound,';
  switch (kind) {
    case 'i2v':
      return {
        name: 'image to video',
        description: `Makes ${video} that begins with the given image, in its shape unless a size is requested`,
      };
    case 'start-end':
      return {
        name: 'first and last frame',
        description: `Makes ${video} that leads from the first given image to the second`,
      };
    case 'r2v':
      return {
        name: 'reference to video',
        description: `Makes ${video} from a text with up to ${references?.images} reference images${videos}`,
      };
    case 'video-edit':
      return {
        name: 'video edit',
        description: `Changes a given video by a text and up to ${references?.images} reference images; it keeps its length and its shape, and its seconds are billed too`,
      };
    case 't2v':
      return { name: 'text to video', description: `Makes ${video} from a text` };
  }
}
