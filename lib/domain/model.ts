import type { MessagesBinding, MessagesFacts } from './messages';
import type { UnitPrice } from './money';
import type { TtsBinding, TtsFacts } from './speech';
import type { SttBinding, SttFacts } from './transcription';
import type { VideoFacts } from './video';

// The types of the catalog: a model, independent of its providers, and how one provider serves it.

export type ProviderId = string;
export type Stability = 'stable' | 'beta' | 'experimental';
export type Modality = 'text' | 'image' | 'audio' | 'video';
/**
 * A model as callers name it, with the facts that hold for all providers. Its `capability` decides which requests it
 * serves.
 */
export type Model = VideoModel | MessagesModel | SttModel | TtsModel;
export type Capability = Model['capability'];
/** The model of one capability. */
export type ModelOf<C extends Capability> = Extract<Model, { readonly capability: C }>;
/** How one provider serves one model (the specification's "provider mapping"). */
export type Binding = Model['bindings'][number];

interface ModelIdentity {
  readonly id: string;
  readonly name: string;
  readonly aliases: readonly string[];
  /** Unix seconds. */
  readonly created: number;
  readonly description: string;
  readonly family: string;
  readonly inputModalities: readonly Modality[];
  readonly outputModalities: readonly Modality[];
  readonly stability: Stability;
  readonly free: boolean;
  /** ISO timestamps; absent when unset. */
  readonly deprecatedAt?: string;
  readonly deactivatedAt?: string;
  /** Ids of replacements, for the error message of a retired model. */
  readonly replacements?: readonly string[];
}

export interface VideoModel extends ModelIdentity {
  readonly capability: 'video';
  readonly video: VideoFacts;
  /** In the order in which they are tried, as in the other capabilities. */
  readonly bindings: readonly VideoBinding[];
}

export interface MessagesModel extends ModelIdentity {
  readonly capability: 'messages';
  readonly messages: MessagesFacts;
  readonly bindings: readonly MessagesBinding[];
}

export interface SttModel extends ModelIdentity {
  readonly capability: 'stt';
  readonly stt: SttFacts;
  readonly bindings: readonly SttBinding[];
}

export interface TtsModel extends ModelIdentity {
  readonly capability: 'tts';
  readonly tts: TtsFacts;
  readonly bindings: readonly TtsBinding[];
}

/** How one provider serves one video model. */
export interface VideoBinding {
  readonly providerId: ProviderId;
  /** The provider's own name of the model. */
  readonly modelName: string;
  readonly stability: Stability;
  readonly price: VideoPrice;
  /** Parameters that this provider supports for this model; a subset of the specification's names. */
  readonly parameters: readonly string[];
  /** The tiers that this provider serves, if fewer than the model's; `price` covers these. */
  readonly resolutions?: readonly string[];
  /** Set where this provider's audio differs from the model's: one always has sound, another can be silent. */
  readonly audio?: VideoFacts['audio'];
  /** The provider does not moderate content. */
  readonly unmoderated?: true;
}

/**
 * The price of a video. `rates` are tried in order, and the first whose conditions all hold applies; a rate without
 * conditions always holds. `clip` prices do not depend on the duration.
 */
export interface VideoPrice {
  readonly per: 'output_second' | 'input_plus_output_second' | 'clip';
  readonly rates: readonly VideoRate[];
  /** The source of the numbers, with the date. */
  readonly source: string;
  /** False: not offered for live use until the operator confirms the price (CONFIRMED_PRICES). */
  readonly verified: boolean;
}

export interface VideoRate {
  readonly resolution?: string;
  readonly audio?: boolean;
  readonly seconds?: number;
  readonly option?: string;
  /** Holds when the order has reference videos. */
  readonly withVideoInput?: boolean;
  /**
   * For rates that bill the input: reference videos without a stated duration count as this many seconds, the maximum
   * that the provider accepts. An edit always states its duration.
   */
  readonly inputSecondsIfUnstated?: number;
  /** Overrides the price's own `per`. */
  readonly per?: VideoPrice['per'];
  readonly usd: UnitPrice;
}
