import type { Capability, Modality, Model } from '../domain/model';
import type { Stability } from '../domain/binding';
import type { ProviderId } from '../domain/ids';
import type { VideoFacts, VideoKind } from '../domain/video';
import type { Catalog } from './catalog';
import { requiredMedia } from './present-media';
import { priceSpan, type PriceSpan } from './price-span';

// A model as a row of the console's catalog: only the fields that people search, filter, sort and compare by, because
// all rows are sent with the page.

/** The operation of a model in one word: video models by their kind. */
export type Operation = VideoKind | Exclude<Capability, 'video'>;

export interface CatalogEntry {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly family: string;
  readonly operation: Operation;
  readonly input: readonly Modality[];
  readonly output: readonly Modality[];
  readonly stability: Stability;
  /** Unix seconds. */
  readonly created: number;
  /** In the order in which they are tried. */
  readonly providers: readonly {
    readonly id: ProviderId;
    readonly available: boolean;
    readonly implemented: boolean;
  }[];
  /** Serves live requests in this installation. */
  readonly available: boolean;
  /** This version has an adapter for at least one of the providers, which an operator can configure. */
  readonly implemented: boolean;
  readonly price: PriceSpan | null;
  /** ISO timestamps; absent when unset. */
  readonly deprecatedAt?: string;
  readonly deactivatedAt?: string;
  /** Not retired yet, by the server's clock. */
  readonly active: boolean;
  readonly video?: {
    readonly seconds: readonly number[];
    readonly resolutions: readonly string[];
    readonly aspectRatios: readonly string[];
    readonly audio: VideoFacts['audio'];
    readonly fps: number;
    readonly media: readonly string[];
    readonly parameters: readonly string[];
  };
  readonly messages?: {
    readonly contextTokens: number;
    readonly maxOutputTokens: number;
    readonly thinks: boolean;
    readonly structuredOutputs: boolean;
  };
  readonly speech?: {
    readonly languages: number;
    readonly voices?: number;
    readonly otherVoices?: boolean;
    readonly maxSessionSeconds: number;
  };
}

export function presentCatalogEntry(catalog: Catalog, model: Model): CatalogEntry {
  return {
    id: model.id,
    name: model.name,
    aliases: model.aliases,
    description: model.description,
    family: model.family,
    operation: model.capability === 'video' ? model.video.kind : model.capability,
    input: model.inputModalities,
    output: model.outputModalities,
    stability: model.stability,
    created: model.created,
    providers: model.bindings.map((binding) => ({
      id: binding.providerId,
      available: catalog.available(model, binding),
      implemented: catalog.isImplemented(model, binding),
    })),
    available: catalog.available(model),
    implemented: catalog.isImplemented(model),
    price: priceSpan(model) ?? null,
    ...(model.deprecatedAt !== undefined && { deprecatedAt: model.deprecatedAt }),
    ...(model.deactivatedAt !== undefined && { deactivatedAt: model.deactivatedAt }),
    active: catalog.isActive(model),
    ...presentFacts(model),
  };
}

function presentFacts(model: Model): Pick<CatalogEntry, 'video' | 'messages' | 'speech'> {
  switch (model.capability) {
    case 'video': {
      const { seconds, resolutions, aspectRatios, audio, fps, parameters } = model.video;
      return {
        video: {
          seconds,
          resolutions,
          aspectRatios,
          audio,
          fps: fps.default,
          media: requiredMedia(model.video),
          parameters,
        },
      };
    }
    case 'messages': {
      const { contextTokens, maxOutputTokens, thinkingTypes, structuredOutputs } = model.messages;
      return {
        messages: {
          contextTokens,
          maxOutputTokens,
          thinks: thinkingTypes.some((type) => type !== 'disabled'),
          structuredOutputs,
        },
      };
    }
    case 'stt':
      return { speech: { languages: model.stt.languages.length, maxSessionSeconds: model.stt.maxSessionSeconds } };
    case 'tts': {
      const { languages, voices, otherVoices, maxSessionSeconds } = model.tts;
      return { speech: { languages: languages.length, voices: voices.length, otherVoices, maxSessionSeconds } };
    }
  }
}
