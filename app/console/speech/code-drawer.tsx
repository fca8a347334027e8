'use client';

import type { SttModel, TtsModel } from '../../../lib/domain/model';
import { sampleBytes } from '../../../lib/domain/pcm';
import type { Mode } from '../../../lib/domain/video';
import type { CodeSample } from '../components/code/code-request';
import { CodeTabs } from '../components/code/code-tabs';
import {
  speechPageSample,
  speechSamples,
  transcriptionPageSample,
  transcriptionSamples,
} from '../components/code/socket-samples';
import { Drawer } from '../components/ui/drawer';
import type { ShownModel } from './shown-model';
import { formatOf, spokenText, type SpeechSettings } from './speech-settings';
import { sessionOptions, type TranscriptionSettings } from './transcription-settings';

export type CodeSubject =
  | { readonly heard: ShownModel<SttModel>; readonly settings: TranscriptionSettings }
  | { readonly spoken: ShownModel<TtsModel>; readonly settings: SpeechSettings };

/** The session of the page as code: for Node, and as a web page on your own server. */
export function CodeDrawer({
  subject,
  mode,
  baseUrl,
  onClose,
}: {
  readonly subject: CodeSubject;
  readonly mode: Mode;
  readonly baseUrl: string;
  onClose(): void;
}) {
  const isSpeech = 'spoken' in subject;
  return (
    <Drawer
      open
      onOpenChange={onClose}
      wide
      title="Code"
      description={
        isSpeech
          ? 'The text of the page, spoken by your own program.'
          : 'The transcription of the page in your own program.'
      }
    >
      <CodeTabs
        label={isSpeech ? 'Synthesize speech' : 'Transcribe audio'}
        samples={isSpeech ? samplesOfSpeech(subject, baseUrl, mode) : samplesOfTranscription(subject, baseUrl, mode)}
        mode={mode}
        note={
          <p>
            The TypeScript {isSpeech ? 'writes' : 'reads'} raw audio without a header. The browser sample is a small
            server with one page that loads <code className="font-mono">/audio/patchbay-audio.js</code> from this
            gateway.
          </p>
        }
      />
    </Drawer>
  );
}

function samplesOfSpeech(
  { spoken: { model }, settings }: Extract<CodeSubject, { spoken: unknown }>,
  baseUrl: string,
  mode: Mode,
): readonly CodeSample[] {
  const text = { ...spokenText(settings, model) };
  const outputFormat = formatOf(settings, model);
  const message = { type: 'tts', ...text, ...(outputFormat !== 'pcm_24000' && { output_format: outputFormat }) };
  return [...speechSamples({ baseUrl, message }), speechPageSample({ baseUrl, mode, text, outputFormat })];
}

function samplesOfTranscription(
  { heard: { model }, settings }: Extract<CodeSubject, { heard: unknown }>,
  baseUrl: string,
  mode: Mode,
): readonly CodeSample[] {
  const { sampleRate, encoding, ...others } = sessionOptions(settings, model);
  const message = { type: 'configure', ...others, encoding, sample_rate: sampleRate };
  const bytesPerSecond = sampleRate * sampleBytes({ encoding, sampleRateHz: sampleRate });
  return [
    ...transcriptionSamples({ baseUrl, message, bytesPerSecond }),
    transcriptionPageSample({ baseUrl, mode, options: { ...others, encoding, sampleRate } }),
  ];
}
