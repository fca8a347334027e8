'use client';

import { Dices, X } from 'lucide-react';
import type { VideoModel } from '../../../../lib/domain/model';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { Slider } from '../ui/slider';
import { Switch } from '../ui/switch';
import { SegmentedControl } from '../ui/segmented-control';
import { TextArea } from '../ui/text-area';
import { controlsOf, valueOf, withValue, type VideoForm } from './form';
import { providerNote, type ParameterControl } from './parameters';

/** A control for each parameter of the model with its default; only for those in `names`, if given. */
export function ParameterFields({
  form,
  model,
  names,
  onChange,
}: {
  readonly form: VideoForm;
  readonly model: VideoModel;
  readonly names?: readonly string[];
  onChange(form: VideoForm): void;
}) {
  return controlsOf(form, model.video)
    .filter(({ name }) => names?.includes(name) ?? true)
    .map((control) => (
      <ParameterField
        key={control.name}
        control={control}
        value={valueOf(form, control.name)}
        onChange={(value) => onChange(withValue(form, control.name, value))}
        note={providerNote(model, control.name)}
      />
    ));
}

type Value = string | number | boolean | undefined;

function ParameterField({
  control,
  value,
  note,
  onChange,
}: {
  readonly control: ParameterControl;
  readonly value: Value;
  readonly note: string | undefined;
  onChange(value: Value): void;
}) {
  const description = [control.hint, note].filter(Boolean).join(' ') || undefined;
  const field = { 'data-field': control.name, ...(description !== undefined && { description }) };
  switch (control.kind) {
    case 'switch':
      return (
        <Switch
          label={control.label}
          checked={value === true}
          onChange={(on) => onChange(on === control.standard ? undefined : on)}
          {...field}
        />
      );
    case 'tri-state':
      return (
        <SegmentedControl
          legend={control.label}
          value={value === undefined ? 'unset' : value === true ? 'on' : 'off'}
          options={[
            { value: 'unset', label: 'Default', spokenLabel: "The provider's default" },
            { value: 'on', label: 'On' },
            { value: 'off', label: 'Off' },
          ]}
          onChange={(word) => onChange(word === 'unset' ? undefined : word === 'on')}
          {...field}
        />
      );
    case 'choice': {
      const words = control.words.map((word) => ({ value: word, label: wordLabel(word) }));
      return (
        <SegmentedControl
          legend={control.label}
          value={value === undefined ? '' : String(value)}
          options={control.standard === undefined ? [{ value: '', label: 'Default' }, ...words] : words}
          onChange={(word) => onChange(word === control.standard ? undefined : word)}
          {...field}
        />
      );
    }
    case 'number':
      return (
        <Slider
          label={control.label}
          unit={control.name === 'fps' ? 'fps' : ''}
          min={control.min}
          max={control.max}
          value={Number(value ?? control.standard)}
          onChange={(number) => onChange(number === control.standard ? undefined : number)}
          {...field}
        />
      );
    case 'seed':
      return <Seed control={control} value={value} onChange={onChange} description={description} />;
    case 'text':
      return control.isLong ? (
        <LongText
          label={control.label}
          maxLength={control.maxLength}
          value={String(value ?? '')}
          onChange={onChange}
          description={description}
          name={control.name}
        />
      ) : (
        <div data-field={control.name}>
          <TextField
            label={control.label}
            value={String(value ?? '')}
            maxLength={control.maxLength}
            onChange={(event) => onChange(event.target.value)}
            hint={description}
          />
        </div>
      );
  }
}

function Seed({
  control,
  value,
  description,
  onChange,
}: {
  readonly control: Extract<ParameterControl, { kind: 'seed' }>;
  readonly value: Value;
  readonly description: string | undefined;
  onChange(value: Value): void;
}) {
  return (
    <div data-field={control.name} className="flex items-end gap-1.5">
      <TextField
        className="min-w-0 grow"
        label={control.label}
        inputMode="numeric"
        autoComplete="off"
        placeholder="Random"
        value={value === undefined ? '' : String(value)}
        onChange={(event) => {
          const digits = event.target.value.replace(/\D/g, '').slice(0, 10);
          onChange(digits === '' ? undefined : Math.min(Number(digits), control.max));
        }}
        {...(description !== undefined && { title: description })}
        endAdornment={
          value !== undefined && (
            <Button
              variant="quiet"
              size="icon"
              aria-label="Clear seed"
              title="Back to random"
              onClick={() => onChange(undefined)}
            >
              <X size={14} aria-hidden="true" />
            </Button>
          )
        }
      />
      <Button
        aria-label="Random seed"
        title="Random seed"
        onClick={() => onChange(crypto.getRandomValues(new Uint32Array(1))[0])}
      >
        <Dices size={15} aria-hidden="true" />
      </Button>
    </div>
  );
}

function LongText({
  label,
  name,
  value,
  maxLength,
  description,
  onChange,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly maxLength: number;
  readonly description: string | undefined;
  onChange(value: Value): void;
}) {
  return (
    <TextArea
      label={label}
      data-field={name}
      rows={2}
      className="field-sizing-content max-h-40 min-h-9"
      maxLength={maxLength}
      value={value}
      hint={description}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function wordLabel(word: string): string {
  const bare = word.replace(/^dop-/, '');
  return bare.charAt(0).toUpperCase() + bare.slice(1);
}
