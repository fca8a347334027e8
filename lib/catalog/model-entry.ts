import type { Modality, VideoModel } from '../domain/model';
import type { Stability } from '../domain/binding';
import type { ProviderId } from '../domain/ids';
import type { MediaRule, VideoFacts, VideoKind, VideoRule, VideoBinding, VideoPrice } from '../domain/video';

// How a family's file declares a video model: shared facts once, a provider's differences in its binding.

export interface VideoModelEntry {
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Facts only: one or two sentences. */
  readonly description: string;
  readonly family: string;
  /** Unix seconds: when the entry was added to this catalog. */
  readonly created: number;
  readonly kind: VideoKind;
  readonly seconds: readonly number[];
  readonly defaultSeconds?: number;
  readonly resolutions: readonly string[];
  readonly defaultResolution: string;
  /** Absent: the ratio follows the media. */
  readonly aspectRatios?: readonly string[];
  readonly fps: VideoFacts['fps'];
  readonly audio: VideoFacts['audio'];
  readonly media?: MediaRule;
  /** The parameters of every binding that does not list its own. */
  readonly parameters: readonly string[];
  readonly rules?: readonly VideoRule[];
  readonly price: VideoPrice;
  readonly bindings: readonly BindingEntry[];
  readonly stability?: Stability;
  readonly deprecatedAt?: string;
  readonly deactivatedAt?: string;
  readonly replacements?: readonly string[];
}

export interface BindingEntry {
  readonly providerId: ProviderId;
  readonly modelName: string;
  readonly stability?: Stability;
  /** Absent: the model's price. */
  readonly price?: VideoPrice;
  /** Absent: the model's parameters. */
  readonly parameters?: readonly string[];
  readonly resolutions?: readonly string[];
  readonly audio?: VideoFacts['audio'];
  readonly unmoderated?: true;
}

/** 2026-11-21, when the first entries were added; a later entry has its own date. */
export const firstEdition = 1_795_219_200;

/** Fifteen minutes: five times as long as the slowest usual video. */
const DEADLINE_SECONDS = 900;

/** Builds a model of the catalog from its entry. An unverified price makes the model, or the binding, experimental. */
export function videoModel(entry: VideoModelEntry): VideoModel {
  const stability = entry.price.verified ? (entry.stability ?? 'stable') : 'experimental';
  const bindings = entry.bindings.map((binding) => bindingOf(binding, entry, stability));
  const media = entry.media ?? {};
  return {
    id: entry.id,
    name: entry.name,
    aliases: entry.aliases ?? [],
    created: entry.created,
    description: entry.description,
    family: entry.family,
    capability: 'video',
    inputModalities: inputModalities(media),
    outputModalities: ['video'],
    stability,
    free: false,
    ...(entry.deprecatedAt !== undefined && { deprecatedAt: entry.deprecatedAt }),
    ...(entry.deactivatedAt !== undefined && { deactivatedAt: entry.deactivatedAt }),
    ...(entry.replacements && { replacements: entry.replacements }),
    video: {
      kind: entry.kind,
      seconds: entry.seconds,
      ...(entry.defaultSeconds !== undefined && { defaultSeconds: entry.defaultSeconds }),
      resolutions: entry.resolutions,
      defaultResolution: entry.defaultResolution,
      aspectRatios: entry.aspectRatios ?? [],
      fps: entry.fps,
      audio: entry.audio,
      media,
      parameters: [...new Set([entry.parameters, ...bindings.map((binding) => binding.parameters)].flat())].filter(
        (name) => bindings.some((binding) => binding.parameters.includes(name)),
      ),
      rules: entry.rules ?? [],
      deadlineSeconds: DEADLINE_SECONDS,
    },
    bindings,
  };
}

/** Every integer from `first` to `last`, inclusive. */
export function wholeSeconds(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function bindingOf(binding: BindingEntry, entry: VideoModelEntry, modelStability: Stability): VideoBinding {
  const price = binding.price ?? entry.price;
  return {
    providerId: binding.providerId,
    modelName: binding.modelName,
    stability: price.verified ? (binding.stability ?? modelStability) : 'experimental',
    price,
    parameters: binding.parameters ?? entry.parameters,
    ...(binding.resolutions && { resolutions: binding.resolutions }),
    ...(binding.audio && { audio: binding.audio }),
    ...(binding.unmoderated && { unmoderated: binding.unmoderated }),
  };
}

function inputModalities(media: MediaRule): Modality[] {
  const images = media.images !== undefined;
  const videos = media.videos !== undefined || media.sourceVideo === true;
  return ['text', ...(images ? (['image'] as const) : []), ...(videos ? (['video'] as const) : [])];
}
