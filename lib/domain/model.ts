import type { Stability } from './binding';
import type { MessagesBinding, MessagesFacts } from './messages';
import type { TtsBinding, TtsFacts } from './speech';
import type { SttBinding, SttFacts } from './transcription';
import type { VideoBinding, VideoFacts } from './video';

// A model of the catalog: facts that hold for every provider, and one binding for each provider that serves it.

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
/** The binding of one capability. */
export type BindingOf<C extends Capability> = BindingsByCapability[C];
interface BindingsByCapability {
  readonly video: VideoBinding;
  readonly messages: MessagesBinding;
  readonly stt: SttBinding;
  readonly tts: TtsBinding;
}

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
  /** In the order of preference, as for the other capabilities. The router sorts them for each request. */
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
