'use client';

import type { SttModel } from '../../../lib/domain/model';
import { Select } from '../components/ui/select';
import { ProviderChoice } from '../models/provider-choice';
import type { ShownModel } from './shown-model';
import { sessionOptions, type TranscriptionSettings } from './transcription-settings';

/** Every parameter of a speech-to-text model. */
export function TranscriptionParameters({
  shown: { model, offered },
  settings,
  onChange,
}: {
  readonly shown: ShownModel<SttModel>;
  readonly settings: TranscriptionSettings;
  onChange(part: Partial<TranscriptionSettings>): void;
}) {
  const { stt, bindings } = model;
  const { encoding, sampleRate, language = '' } = sessionOptions(settings, model);
  const provider = bindings.find(({ providerId }) => providerId === settings.provider)?.providerId;
  return (
    <div className="flex flex-col gap-3">
      <ProviderChoice
        bindings={bindings}
        offered={offered}
        value={provider}
        onChange={(chosen) => onChange({ provider: chosen ?? '' })}
      />
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        <Select
          label="Spoken language"
          shown
          className="max-sm:col-span-2"
          value={language}
          onChange={(chosen) => onChange({ language: chosen })}
          options={[
            {
              value: '',
              label: 'detects' in stt.withoutLanguage ? 'Detect' : `Default (${stt.withoutLanguage.assumes})`,
            },
            ...stt.languages.map((each) => ({ value: each, label: each })),
          ]}
        />
        <Select
          label="Encoding"
          shown
          value={encoding}
          onChange={(chosen) => onChange({ encoding: chosen })}
          options={stt.encodings.map((each) => ({ value: each, label: each }))}
        />
        <Select
          label="Sample rate"
          shown
          value={String(sampleRate)}
          onChange={(chosen) => onChange({ sampleRate: Number(chosen) })}
          options={stt.sampleRatesHz.map((each) => ({ value: String(each), label: `${each.toLocaleString('en')} Hz` }))}
        />
      </div>
    </div>
  );
}
