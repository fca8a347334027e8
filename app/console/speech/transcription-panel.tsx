'use client';

import { AudioLines, Code, Mic, Play, Square } from 'lucide-react';
import { useRef, useState } from 'react';
import { costOfMillis, minutePrice } from '../../../lib/billing/quote-audio';
import type { SttModel } from '../../../lib/domain/model';
import { usdText } from '../../../lib/domain/money';
import type { SttPrice } from '../../../lib/domain/transcription';
import type { Mode } from '../../../lib/domain/video';
import { Button } from '../components/ui/button';
import { Section } from '../components/ui/card';
import { milliseconds } from '../components/ui/elapsed';
import { Fact, Facts } from '../components/ui/facts';
import { bindingOf } from '../models/binding-of';
import { readClip, resampled, type Clip } from './clip';
import { IdleCountdown } from './idle-countdown';
import { LevelMeter, type LevelMeterHandle } from './level-meter';
import { MessageLogView } from './message-log-view';
import { sampleTexts, speakSample } from './samples';
import { SessionCost } from './session-cost';
import type { ShownModel } from './shown-model';
import { SpeechErrorMessage, type SpeechError } from './speech-error';
import { SpeechModelPicker } from './speech-model-picker';
import { TranscriptView } from './transcript-view';
import { TranscriptionParameters } from './transcription-parameters';
import { sessionOptions, type TranscriptionSettings } from './transcription-settings';
import { TranscriptionSource } from './transcription-source';
import { usePlayback } from './use-playback';
import { useTranscription, type Figures, type Sound } from './use-transcription';

/** Live transcription of a microphone, a sample or a file. */
export function TranscriptionPanel({
  models,
  shown,
  mode,
  mayStart,
  hasSamples,
  settings,
  onChange,
  clip,
  onClip,
  onCode,
}: {
  readonly models: readonly ShownModel<SttModel>[];
  readonly shown: ShownModel<SttModel>;
  readonly mode: Mode;
  readonly mayStart: boolean;
  readonly hasSamples: boolean;
  readonly settings: TranscriptionSettings;
  onChange(part: Partial<TranscriptionSettings>): void;
  readonly clip: Clip | undefined;
  onClip(clip: Clip | undefined): void;
  onCode(): void;
}) {
  const meter = useRef<LevelMeterHandle>(null);
  const [fileError, setFileError] = useState<SpeechError>();
  const [spoken] = useState(() => new Map<string, Clip>());
  const playback = usePlayback();
  const transcription = useTranscription(mode, meter);
  const { phase, figures, error, totals, sessionId } = transcription;
  const { model, offered } = shown;
  const options = sessionOptions(settings, model);
  const binding = bindingOf(model.bindings, settings.provider || undefined, offered, mode);
  const sample = sampleTexts.find(({ id }) => id === settings.sample) ?? sampleTexts[0];
  const estimate = binding && estimatedCost(binding.price, figures, options.language ?? assumedLanguage(model));

  function soundOf(source: TranscriptionSettings['source']): Sound {
    if (source === 'microphone')
      return { kind: 'microphone', ...(settings.deviceId !== '' && { deviceId: settings.deviceId }) };
    return {
      kind: 'clip',
      pace: settings.pace,
      async clip(sampleRateHz) {
        if (source === 'file')
          return resampled(clip ?? { name: '', samples: new Float32Array(0), sampleRateHz }, sampleRateHz);
        const known = spoken.get(sample?.id ?? '') ?? (sample && (await speakSample(sample)));
        if (!known || !sample) throw new Error('This sample does not exist.');
        spoken.set(sample.id, known);
        return resampled(known, sampleRateHz);
      },
    };
  }

  function start(source: TranscriptionSettings['source']) {
    playback.stop();
    setFileError(undefined);
    void transcription.start(soundOf(source), options);
  }

  const isOpen = phase === 'listening' || phase === 'stopping';
  const needsFile = settings.source === 'file' && !clip;
  return (
    <Section
      id="listen"
      title="Speech to text"
      actions={
        <Button size="small" onClick={onCode} aria-label="View code: speech to text">
          <Code size={14} aria-hidden="true" /> View code
        </Button>
      }
    >
      <div className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5">
        <fieldset disabled={phase !== 'idle'} className="flex min-w-0 flex-col gap-3">
          <legend className="sr-only">Model and parameters of speech to text</legend>
          <SpeechModelPicker
            label="Speech-to-text model"
            icon={Mic}
            models={models}
            value={shown}
            mode={mode}
            onChange={(modelId) => onChange({ modelId })}
          />
          <TranscriptionParameters shown={shown} settings={settings} onChange={onChange} />
        </fieldset>
        <TranscriptionSource
          settings={settings}
          clip={clip}
          hasSamples={hasSamples}
          disabled={phase !== 'idle'}
          onChange={onChange}
          onFile={(file) => {
            setFileError(undefined);
            if (!file) return onClip(undefined);
            readClip(file, options.sampleRate).then(onClip, (failure: unknown) =>
              setFileError({
                message: failure instanceof Error ? failure.message : 'The file could not be read.',
                mayReconnect: false,
              }),
            );
          }}
        />
        <div className="flex flex-wrap items-center gap-3">
          {isOpen ? (
            <Button variant="danger" busy={phase === 'stopping'} onClick={() => void transcription.stop()}>
              <Square size={14} aria-hidden="true" /> Stop
            </Button>
          ) : (
            <Button
              variant="primary"
              busy={phase === 'opening'}
              disabled={!mayStart || needsFile}
              onClick={() => start(settings.source)}
            >
              {settings.source === 'microphone' ? (
                <Mic size={15} aria-hidden="true" />
              ) : (
                <Play size={14} aria-hidden="true" />
              )}
              {START_LABELS[settings.source]}
            </Button>
          )}
          <IdleCountdown activeAt={transcription.activeAt} />
          {transcription.isSilent && (
            <p className="text-sm text-warn">The microphone is silent. Check that it is not muted.</p>
          )}
        </div>
        <LevelMeter ref={meter} />
        <SpeechErrorMessage error={error ?? fileError} onReconnect={() => void transcription.reconnect()}>
          {error?.isMicrophone && hasSamples && (
            <Button
              onClick={() => {
                onChange({ source: 'sample' });
                start('sample');
              }}
            >
              <AudioLines size={15} aria-hidden="true" /> Use a sample recording
            </Button>
          )}
        </SpeechErrorMessage>
        <TranscriptView
          phase={phase}
          finals={transcription.finals}
          interim={transcription.interim}
          playback={playback}
        />
        <Facts>
          <Fact name="First interim">{measured(figures.firstInterimMs)}</Fact>
          <Fact name="Final text">{measured(figures.finalMs)}</Fact>
          <Fact name="Audio, session">
            <span data-testid={totals ? 'totals' : 'running-totals'}>
              {seconds(figures.audioMs)} of {seconds(figures.sessionMs)}
            </span>
          </Fact>
          <Fact name="Cost">
            {estimate !== undefined && sessionId !== undefined ? (
              <SessionCost search={sessionId} hasEnded={phase === 'idle'} estimate={estimate} mode={mode} />
            ) : (
              '–'
            )}
          </Fact>
        </Facts>
        <MessageLogView log={transcription.log} label="Messages of the transcription" />
      </div>
    </Section>
  );
}

const START_LABELS: Readonly<Record<TranscriptionSettings['source'], string>> = {
  microphone: 'Start listening',
  sample: 'Transcribe the sample',
  file: 'Transcribe the file',
};

function estimatedCost(price: SttPrice, { audioMs, sessionMs }: Figures, language: string | undefined): string {
  const millis = price.meter === 'session' ? Math.max(audioMs, sessionMs) : audioMs;
  return usdText(costOfMillis(minutePrice(price, language !== undefined), millis));
}

const assumedLanguage = ({ stt }: SttModel) =>
  'assumes' in stt.withoutLanguage ? stt.withoutLanguage.assumes : undefined;

const measured = (ms: number | undefined) => (ms === undefined ? '–' : milliseconds(ms));
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
