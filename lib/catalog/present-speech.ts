import type { SttModel, TtsModel } from '../domain/model';
import { priceText } from '../domain/money';
import type { TtsBinding } from '../domain/speech';
import type { SttBinding } from '../domain/transcription';

// The fields of speech models in the catalog's responses, in addition to those of all models.

export const speechParameters = {
  stt: ['encoding', 'sample_rate', 'language'],
  tts: ['voice', 'output_format', 'speed', 'language'],
} as const;

/**
 * Returns `pricing`: the price of a minute of audio or of a character of text, as a plain decimal string of dollars.
 */
export function presentSpeechPrice(binding: SttBinding | TtsBinding): Readonly<Record<string, string>> {
  if ('perCharacter' in binding.price) return { character: priceText(binding.price.perCharacter) };
  const { perMinute, perMinuteDetecting } = binding.price;
  return {
    audio_minute: priceText(perMinute),
    ...(perMinuteDetecting !== undefined && { audio_minute_detecting_language: priceText(perMinuteDetecting) }),
  };
}

/** Returns `per_request_limits`. */
export function speechLimits(model: SttModel | TtsModel): Readonly<Record<string, string>> {
  return model.capability === 'stt'
    ? { max_session_seconds: String(model.stt.maxSessionSeconds) }
    : {
        max_session_seconds: String(model.tts.maxSessionSeconds),
        max_input_characters: String(model.tts.maxInputCharacters),
      };
}

/** Returns everything a form needs to offer only valid values, for `/internal/models`. */
export function presentSttFacts({ stt }: SttModel) {
  return {
    supported_encodings: stt.encodings,
    supported_sample_rates: stt.sampleRatesHz,
    supported_languages: stt.languages,
    default_language: 'assumes' in stt.withoutLanguage ? stt.withoutLanguage.assumes : null,
    detects_language: 'detects' in stt.withoutLanguage,
    word_times: stt.wordTimes,
    max_session_seconds: stt.maxSessionSeconds,
  };
}

/** Returns the fields of a text-to-speech model. */
export function presentTtsFacts({ tts }: TtsModel) {
  return {
    voices: tts.voices.map(({ name, id, language, description }) => ({
      name,
      id: id ?? name,
      language: language ?? null,
      description: description ?? null,
    })),
    other_voices: tts.otherVoices,
    supported_languages: tts.languages,
    supported_formats: tts.formats,
    default_format: 'pcm_24000' as const,
    speed: tts.speed ?? null,
    max_input_characters: tts.maxInputCharacters,
    max_session_seconds: tts.maxSessionSeconds,
  };
}
