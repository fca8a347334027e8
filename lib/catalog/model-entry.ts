import type { Modality, VideoModel } from '../domain/model';
import type { Stability } from '../domain/binding';
import type { MediaRule, VideoFacts, VideoKind, VideoRule, VideoBinding, VideoPrice } from '../domain/video';
import { unionOfFacts } from './binding-facts';
import { mediaFormsOf } from './media-forms';

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
  /** Absent: MAX_PROMPT_CHARACTERS. */
  readonly promptCharacters?: number;
  /** Absent: MAX_NEGATIVE_PROMPT_CHARACTERS. */
  readonly negativePromptCharacters?: number;
  /** Absent: MAX_SEED. */
  readonly maxSeed?: number;
  readonly sourceSeconds?: VideoFacts['sourceSeconds'];
  /** Absent: fifteen minutes. */
  readonly deadlineSeconds?: number;
  /** The price of every binding that does not state its own. */
  readonly price: VideoPrice;
  readonly bindings: readonly BindingEntry[];
  readonly stability?: Stability;
  readonly deprecatedAt?: string;
  readonly deactivatedAt?: string;
  readonly replacements?: readonly string[];
}

/** A binding; what it leaves out is the model's, and for the forms of media the provider's (`media-forms.ts`). */
export interface BindingEntry extends Omit<VideoBinding, 'stability' | 'price' | 'parameters'> {
  readonly stability?: Stability;
  readonly price?: VideoPrice;
  readonly parameters?: readonly string[];
}

/** The limits of the API, for providers whose own limits are not known. */
export const MAX_PROMPT_CHARACTERS = 32_000;
export const MAX_NEGATIVE_PROMPT_CHARACTERS = 5_000;
export const MAX_SEED = 4_294_967_295;

/** 2026-11-21, when the first entries were added; a later entry has its own date. */
export const firstEdition = 1_795_219_200;
/** 2026-11-23. */
export const secondEdition = 1_795_392_000;

/** Fifteen minutes: five times as long as the slowest usual video. */
const DEADLINE_SECONDS = 900;

/**
 * A video model of the catalog; its facts are the union over its bindings. An unverified price makes the binding
 * experimental, and the model if all of its prices are unverified.
 */
export function videoModel(entry: VideoModelEntry): VideoModel {
  const bindings = entry.bindings.map((binding) => bindingOf(binding, entry));
  const stability = bindings.some(({ price }) => price.verified) ? (entry.stability ?? 'stable') : 'experimental';
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
    video: unionOfFacts(
      {
        kind: entry.kind,
        seconds: entry.seconds,
        ...(entry.defaultSeconds !== undefined && { defaultSeconds: entry.defaultSeconds }),
        resolutions: entry.resolutions,
        defaultResolution: entry.defaultResolution,
        aspectRatios: entry.aspectRatios ?? [],
        fps: entry.fps,
        audio: entry.audio,
        media,
        parameters: [...new Set([entry.parameters, ...bindings.map((binding) => binding.parameters)].flat())],
        rules: entry.rules ?? [],
        deadlineSeconds: entry.deadlineSeconds ?? DEADLINE_SECONDS,
        promptCharacters: entry.promptCharacters ?? MAX_PROMPT_CHARACTERS,
        negativePromptCharacters: entry.negativePromptCharacters ?? MAX_NEGATIVE_PROMPT_CHARACTERS,
        maxSeed: entry.maxSeed ?? MAX_SEED,
        ...(entry.sourceSeconds && { sourceSeconds: entry.sourceSeconds }),
      },
      bindings,
    ),
    bindings,
  };
}

/** Every integer from `first` to `last`, inclusive. */
export function wholeSeconds(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function bindingOf(binding: BindingEntry, entry: VideoModelEntry): VideoBinding {
  const price = binding.price ?? entry.price;
  const media = entry.media ?? {};
  const mediaForms = mediaFormsOf(binding.providerId, { images: takesImages(media), videos: takesVideos(media) });
  return {
    ...(mediaForms && { mediaForms }),
    ...binding,
    stability: price.verified ? (binding.stability ?? entry.stability ?? 'stable') : 'experimental',
    price,
    parameters: binding.parameters ?? entry.parameters,
  };
}

function inputModalities(media: MediaRule): Modality[] {
  return [
    'text',
    ...(takesImages(media) ? (['image'] as const) : []),
    ...(takesVideos(media) ? (['video'] as const) : []),
  ];
}

const takesImages = ({ images }: MediaRule) => images !== undefined;
const takesVideos = ({ videos, sourceVideo }: MediaRule) => videos !== undefined || sourceVideo === true;
