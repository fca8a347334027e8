'use client';

import type { TtsModel } from '../../../lib/domain/model';
import { TextField } from '../components/ui/field';
import { Select } from '../components/ui/select';
import { Slider } from '../components/ui/slider';
import { ProviderChoice } from '../models/provider-choice';
import type { ShownModel } from './shown-model';
import { formatOf, speedOf, voiceOf, type SpeechSettings } from './speech-settings';

/** Every parameter of a text-to-speech model. */
export function SpeechParameters({
  shown: { model, offered },
  settings,
  onChange,
}: {
  readonly shown: ShownModel<TtsModel>;
  readonly settings: SpeechSettings;
  onChange(part: Partial<SpeechSettings>): void;
}) {
  const { tts, bindings } = model;
  const provider = bindings.find(({ providerId }) => providerId === settings.provider)?.providerId;
  const voice = voiceOf(settings, model);
  const isListed = tts.voices.some(({ name, id }) => name === voice || id === voice);
  return (
    <div className="flex flex-col gap-3">
      <ProviderChoice
        bindings={bindings}
        offered={offered}
        value={provider}
        onChange={(chosen) => onChange({ provider: chosen ?? '' })}
      />
      <div className="grid grid-cols-2 gap-3">
        <Select
          label="Voice"
          shown
          className="col-span-2"
          value={isListed ? voice : OTHER}
          onChange={(chosen) => chosen !== OTHER && onChange({ voice: chosen })}
          options={[
            ...tts.voices.map(({ name, description }) => ({
              value: name,
              label: description ? `${name}: ${description}` : name,
            })),
            ...(isListed ? [] : [{ value: OTHER, label: 'Another voice' }]),
          ]}
        />
        <Select
          label="Language"
          shown
          value={tts.languages.includes(settings.language) ? settings.language : ''}
          onChange={(language) => onChange({ language })}
          options={[
            { value: '', label: 'Default of the voice' },
            ...tts.languages.map((each) => ({ value: each, label: each })),
          ]}
        />
        <Select
          label="Format"
          shown
          value={formatOf(settings, model)}
          onChange={(format) => onChange({ format })}
          options={tts.formats.map((each) => ({ value: each, label: each }))}
        />
      </div>
      {tts.otherVoices && (
        <TextField
          label="Voice by name or id"
          hint="The provider has more voices than are listed. It refuses a name that it does not know."
          autoComplete="off"
          value={isListed ? '' : voice}
          placeholder={voice}
          onChange={(event) => onChange({ voice: event.target.value })}
        />
      )}
      {tts.speed && (
        <Slider
          label="Speed"
          unit="%"
          min={Math.ceil(tts.speed.min * 100)}
          max={Math.floor(tts.speed.max * 100)}
          value={speedOf(settings, model)}
          onChange={(speed) => onChange({ speed })}
        />
      )}
    </div>
  );
}

const OTHER = '';
