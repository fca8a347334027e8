import type { SttModel } from '../../../lib/domain/model';
import { requestedModel } from './shown-model';
import type { SessionOptions } from './use-transcription';

// The settings that the user has chosen for transcription. They are kept when the model changes, so that a choice is
// back when a model that supports it is selected again.

export interface TranscriptionSettings {
  readonly modelId: string;
  /** The id of the pinned provider; empty for the first available one. */
  readonly provider: string;
  /** Empty: the model detects it, or assumes one. */
  readonly language: string;
  readonly encoding: string;
  readonly sampleRate: number;
  readonly source: 'microphone' | 'sample' | 'file';
  /** Empty: the browser's default microphone. */
  readonly deviceId: string;
  readonly sample: string;
  readonly pace: number;
}

export const firstTranscriptionSettings: TranscriptionSettings = {
  modelId: '',
  provider: '',
  language: '',
  encoding: 'pcm_s16le',
  sampleRate: 16_000,
  source: 'microphone',
  deviceId: '',
  sample: '',
  pace: 1,
};

/**
 * Returns the `configure` message for the settings. A setting that the model does not support is replaced by its
 * default.
 */
export function sessionOptions(
  { provider, language, encoding, sampleRate }: TranscriptionSettings,
  model: SttModel,
): SessionOptions {
  const { stt } = model;
  const rates = stt.sampleRatesHz;
  return {
    model: requestedModel(model, provider === '' ? undefined : provider),
    encoding: stt.encodings.find((each) => each === encoding) ?? 'pcm_s16le',
    sampleRate: rates.includes(sampleRate) ? sampleRate : rates.includes(16_000) ? 16_000 : (rates[0] ?? 16_000),
    ...(stt.languages.includes(language) && { language }),
  };
}
