'use client';

import { AudioLines, Code, Play, Square } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { costOfCharacters } from '../../../lib/billing/quote-audio';
import type { TtsModel } from '../../../lib/domain/model';
import { usdText, usd } from '../../../lib/domain/money';
import { countCharacters } from '../../../lib/domain/speech';
import type { Mode } from '../../../lib/domain/video';
import { Button } from '../components/ui/button';
import { Section } from '../components/ui/card';
import { Kbd } from '../components/ui/kbd';
import { grouped } from '../components/ui/numbers';
import { TextArea } from '../components/ui/text-area';
import { bindingOf } from '../models/binding-of';
import type { Clip } from './clip';
import { IdleCountdown } from './idle-countdown';
import { MessageLogView } from './message-log-view';
import type { ShownModel } from './shown-model';
import { SpeechErrorMessage } from './speech-error';
import { SpeechModelPicker } from './speech-model-picker';
import { SpeechParameters } from './speech-parameters';
import { formatOf, spokenText, type SpeechSettings } from './speech-settings';
import { usePlayback } from './use-playback';
import { useSpeaker } from './use-speaker';
import { UtteranceCard } from './utterance-card';
import { joined } from './wav';

/** Speaks a text while it is being synthesized. A new text stops the previous one. */
export function SpeechPanel({
  models,
  shown,
  mode,
  mayStart,
  settings,
  onChange,
  onTranscribe,
  onCode,
}: {
  readonly models: readonly ShownModel<TtsModel>[];
  readonly shown: ShownModel<TtsModel>;
  readonly mode: Mode;
  readonly mayStart: boolean;
  readonly settings: SpeechSettings;
  onChange(part: Partial<SpeechSettings>): void;
  /** Called to transcribe the audio of a spoken text. */
  onTranscribe(clip: Clip): void;
  onCode(): void;
}) {
  const playback = usePlayback();
  const speaker = useSpeaker(mode);
  const { model, offered } = shown;
  const binding = bindingOf(model.bindings, settings.provider || undefined, offered, mode);
  const characters = countCharacters(settings.input);
  const estimate = binding ? usdText(costOfCharacters(binding.price.perCharacter, characters)) : '0';
  const isBlank = settings.input.trim() === '';

  function speak() {
    if (isBlank || !mayStart) return;
    playback.stop();
    void speaker.speak(spokenText(settings, model), { format: formatOf(settings, model), estimate });
  }

  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !speaker.isSpeaking) return;
    if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return;
    event.preventDefault();
    speaker.cancel();
  });
  useEffect(() => {
    window.addEventListener('keydown', onEscape);
    return () => window.removeEventListener('keydown', onEscape);
  }, []);

  return (
    <Section
      id="speak"
      title="Text to speech"
      actions={
        <Button size="small" onClick={onCode} aria-label="View code: text to speech">
          <Code size={14} aria-hidden="true" /> View code
        </Button>
      }
    >
      <div className="flex flex-col gap-4 rounded-xl border border-line bg-surface p-4 sm:p-5">
        <SpeechModelPicker
          label="Text-to-speech model"
          icon={AudioLines}
          models={models}
          value={shown}
          mode={mode}
          onChange={(modelId) => onChange({ modelId })}
        />
        <SpeechParameters shown={shown} settings={settings} onChange={onChange} />
        <TextArea
          label="Text"
          rows={4}
          className="field-sizing-content max-h-64 min-h-24"
          maxLength={model.tts.maxInputCharacters}
          actions={<span className="text-xs text-muted tabular-nums">{grouped(characters)} characters</span>}
          value={settings.input}
          onChange={(event) => onChange({ input: event.target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
            event.preventDefault();
            speak();
          }}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button variant="primary" disabled={isBlank || !mayStart} onClick={speak}>
            <Play size={14} aria-hidden="true" /> Speak <span className="font-normal">· {usd(estimate)}</span>
          </Button>
          {speaker.isSpeaking && (
            <Button onClick={speaker.cancel}>
              <Square size={14} aria-hidden="true" /> Cancel <Kbd keys={['Esc']} />
            </Button>
          )}
          <IdleCountdown activeAt={speaker.activeAt} />
        </div>
        <SpeechErrorMessage error={speaker.error} onReconnect={speak} />
        <div className="overflow-hidden rounded-lg border border-line">
          {speaker.utterances.length === 0 ? (
            <p className="px-4 py-6 text-center text-sm text-muted">
              Spoken texts appear here. A new text interrupts the one that is being spoken.
            </p>
          ) : (
            <ul aria-label="Spoken texts">
              {speaker.utterances.map((utterance) => (
                <UtteranceCard
                  key={utterance.id}
                  utterance={utterance}
                  mode={mode}
                  playback={playback}
                  heardSeconds={speaker.heardSeconds}
                  onTranscribe={() =>
                    onTranscribe({
                      name: utterance.text.input.slice(0, 60),
                      samples: joined(utterance.chunks),
                      sampleRateHz: utterance.sampleRateHz,
                    })
                  }
                />
              ))}
            </ul>
          )}
        </div>
        <MessageLogView log={speaker.log} label="Messages of the speech socket" />
      </div>
    </Section>
  );
}
