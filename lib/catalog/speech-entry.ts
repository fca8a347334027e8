import type { SttModel, TtsModel } from '../domain/model';
import type { Stability } from '../domain/binding';
import type { ProviderId } from '../domain/ids';
import { parsePrice } from '../domain/money';
import type { TtsFacts } from '../domain/speech';
import type { SttFacts, SttPrice } from '../domain/transcription';

// How a family's file declares a speech model: prices as decimal strings of dollars, with one binding per line.

interface SpeechEntry {
  readonly id: string;
  readonly name: string;
  readonly aliases?: readonly string[];
  /** Facts only: one or two sentences. */
  readonly description: string;
  readonly family: string;
  /** Unix seconds: when the entry was added to this catalog. */
  readonly created: number;
  readonly stability?: Stability;
  readonly deprecatedAt?: string;
  readonly deactivatedAt?: string;
  readonly replacements?: readonly string[];
}

export interface SttModelEntry extends SpeechEntry {
  readonly facts: SttFacts;
  readonly bindings: readonly {
    readonly providerId: ProviderId;
    readonly modelName: string;
    readonly price: SttPriceEntry;
  }[];
}

export interface TtsModelEntry extends SpeechEntry {
  readonly facts: TtsFacts;
  readonly bindings: readonly {
    readonly providerId: ProviderId;
    readonly modelName: string;
    readonly price: TtsPriceEntry;
    readonly extra?: true;
  }[];
}

export interface SttPriceEntry {
  /** Dollars, such as `"0.006"`. */
  readonly perMinute: string;
  readonly perMinuteDetecting?: string;
  readonly meter: SttPrice['meter'];
  readonly source: string;
  readonly verified: boolean;
}

export interface TtsPriceEntry {
  /** Dollars for a million characters, such as `"50"`. */
  readonly perMillionCharacters: string;
  readonly source: string;
  readonly verified: boolean;
}

/**
 * A speech-to-text model of the catalog. An unverified price makes the binding experimental, and the model if all of
 * its prices are unverified.
 */
export function sttModel(entry: SttModelEntry): SttModel {
  return {
    ...identity(entry),
    capability: 'stt',
    inputModalities: ['audio'],
    outputModalities: ['text'],
    stt: entry.facts,
    bindings: entry.bindings.map(({ providerId, modelName, price }) => ({
      providerId,
      modelName,
      stability: price.verified ? (entry.stability ?? 'stable') : 'experimental',
      price: {
        perMinute: parsePrice(price.perMinute),
        ...(price.perMinuteDetecting !== undefined && { perMinuteDetecting: parsePrice(price.perMinuteDetecting) }),
        meter: price.meter,
        source: price.source,
        verified: price.verified,
      },
    })),
  };
}

/**
 * A text-to-speech model of the catalog. An unverified price makes the binding experimental, and the model if all of
 * its prices are unverified.
 */
export function ttsModel(entry: TtsModelEntry): TtsModel {
  return {
    ...identity(entry),
    capability: 'tts',
    inputModalities: ['text'],
    outputModalities: ['audio'],
    tts: entry.facts,
    bindings: entry.bindings.map(({ providerId, modelName, price, extra }) => ({
      providerId,
      modelName,
      stability: price.verified ? (entry.stability ?? 'stable') : 'experimental',
      price: {
        perCharacter: parsePrice(price.perMillionCharacters) / 1_000_000n,
        source: price.source,
        verified: price.verified,
      },
      ...(extra && { extra }),
    })),
  };
}

function identity(
  entry: SpeechEntry & { readonly bindings: readonly { readonly price: { readonly verified: boolean } }[] },
) {
  return {
    id: entry.id,
    name: entry.name,
    aliases: entry.aliases ?? [],
    created: entry.created,
    description: entry.description,
    family: entry.family,
    stability: entry.bindings.some(({ price }) => price.verified)
      ? (entry.stability ?? 'stable')
      : ('experimental' as const),
    free: false,
    ...(entry.deprecatedAt !== undefined && { deprecatedAt: entry.deprecatedAt }),
    ...(entry.deactivatedAt !== undefined && { deactivatedAt: entry.deactivatedAt }),
    ...(entry.replacements && { replacements: entry.replacements }),
  };
}
