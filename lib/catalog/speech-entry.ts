import { z } from 'zod';
import type { JsonOf } from '../contract/fields';
import type { SttModel, TtsModel } from '../domain/model';
import { parsePrice } from '../domain/money';
import { pcmEncodings } from '../domain/pcm';
import { bindingFields, dollars, dollarsPerMillion, identityFields, priceSourceFields } from './entry-fields';

// How a family's file declares a speech model: prices as decimal strings of dollars, with one binding per line.

const languages = z.array(z.string()).describe('ISO-639-1 codes, sorted.');
const maxSessionSeconds = z
  .int()
  .positive()
  .describe("The longest session that the gateway allows, below the provider's own limit.");

export const sttPriceSchema = z.strictObject({
  perMinute: dollars,
  perMinuteDetecting: dollars.exactOptional().describe('Without a stated language, where it is higher.'),
  meter: z
    .enum(['audio', 'session'])
    .describe('The provider bills the audio, or the time that the session is open (then the longer of both).'),
  ...priceSourceFields,
});

export const sttBindingSchema = z.strictObject({ ...bindingFields, price: sttPriceSchema });

export const sttEntrySchema = z.strictObject({
  ...identityFields,
  facts: z.strictObject({
    encodings: z.array(z.enum(pcmEncodings)).describe('pcm_s16le is always one of them.'),
    sampleRatesHz: z.array(z.int().positive()).describe('Ascending.'),
    languages,
    withoutLanguage: z
      .union([z.strictObject({ detects: z.literal(true) }), z.strictObject({ assumes: z.string() })], {
        error: 'must be {"detects": true} or {"assumes": "en"}',
      })
      .describe('Without a language in the request the model detects it, or assumes this one.'),
    wordTimes: z.enum(['exact', 'approximate', 'none']),
    maxSessionSeconds,
  }),
  bindings: z.array(sttBindingSchema).min(1).describe('In the order of preference.'),
});

export const ttsPriceSchema = z.strictObject({ perMillionCharacters: dollarsPerMillion, ...priceSourceFields });

export const ttsBindingSchema = z.strictObject({
  ...bindingFields,
  price: ttsPriceSchema,
  extra: z.literal(true).exactOptional().describe('Serves only if EXTRA_SPEECH_PROVIDERS names the provider.'),
});

export const ttsEntrySchema = z.strictObject({
  ...identityFields,
  facts: z.strictObject({
    voices: z
      .array(
        z.strictObject({
          name: z.string().min(1).describe('For callers; compared without regard to case.'),
          id: z.string().exactOptional().describe("The provider's own id, where it differs."),
          language: z.string().exactOptional().describe('ISO-639-1, if the voice speaks only one language.'),
          description: z.string().exactOptional(),
        }),
      )
      .describe("The first one is the console's default."),
    otherVoices: z.boolean().describe('The provider has more voices and checks their names itself.'),
    languages,
    formats: z.array(z.string()).describe('Values of output_format, with pcm_24000.'),
    speed: z
      .strictObject({ min: z.number().positive(), max: z.number().positive() })
      .exactOptional()
      .describe('Absent: only 1 is accepted.'),
    maxInputCharacters: z.int().positive(),
    maxSessionSeconds,
  }),
  bindings: z.array(ttsBindingSchema).min(1).describe('In the order of preference.'),
});

export type SttModelEntry = JsonOf<typeof sttEntrySchema>;
export type TtsModelEntry = JsonOf<typeof ttsEntrySchema>;
type SpeechIdentity = Pick<SttModelEntry, keyof typeof identityFields>;

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
  entry: SpeechIdentity & { readonly bindings: readonly { readonly price: { readonly verified: boolean } }[] },
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
