import type { SpokenText } from '../../../public/audio/patchbay-audio';
import type { TtsModel } from '../../../lib/domain/model';
import { requestedModel } from './shown-model';

// The settings that the user has chosen for text to speech.

export interface SpeechSettings {
  readonly modelId: string;
  /** The id of the pinned provider; empty for the first available one. */
  readonly provider: string;
  /** The name or id of a voice. */
  readonly voice: string;
  readonly format: string;
  /** In percent of normal speed. */
  readonly speed: number;
  /** Empty: the model decides. */
  readonly language: string;
  readonly input: string;
}

export const firstSpeechSettings: SpeechSettings = {
  modelId: '',
  provider: '',
  voice: '',
  format: 'pcm_24000',
  speed: 100,
  language: '',
  input: 'Hello. This is Patchbay, and every sentence is spoken while the next one is generated.',
};

/** Returns the voice that the model will use: the chosen one if the model has it, otherwise its first. */
export function voiceOf({ voice }: SpeechSettings, { tts }: TtsModel): string {
  const isListed = tts.voices.some(({ name, id }) => name === voice || id === voice);
  return isListed || (tts.otherVoices && voice.trim() !== '') ? voice : (tts.voices[0]?.name ?? '');
}

export function formatOf({ format }: SpeechSettings, { tts }: TtsModel): string {
  return tts.formats.includes(format) ? format : 'pcm_24000';
}

/** Returns the speed in percent, within the range of the model; 100 if its speed cannot be changed. */
export function speedOf({ speed }: SpeechSettings, { tts }: TtsModel): number {
  if (!tts.speed) return 100;
  return Math.max(Math.ceil(tts.speed.min * 100), Math.min(Math.floor(tts.speed.max * 100), speed));
}

/**
 * Returns the `tts` message for the settings, without the output format. Settings that the model does not support are
 * omitted.
 */
export function spokenText(settings: SpeechSettings, model: TtsModel): SpokenText {
  const speed = speedOf(settings, model);
  return {
    model: requestedModel(model, settings.provider === '' ? undefined : settings.provider),
    input: settings.input,
    voice: voiceOf(settings, model),
    ...(speed !== 100 && { speed: speed / 100 }),
    ...(model.tts.languages.includes(settings.language) && { language: settings.language }),
  };
}

/** The sample rate of an output format such as `pcm_f32le_48000`. */
export const rateOf = (format: string): number => Number(/\d+$/.exec(format)?.[0] ?? 24_000);
