'use client';

import { useEffect, useRef } from 'react';
import type { CreditsJson } from '../../../lib/contract/credits';
import { providersOf } from '../../../lib/domain/binding';
import type { Mode } from '../../../lib/domain/video';
import { TextField } from '../components/ui/field';
import { SelectField } from '../components/ui/select';
import { pinnedModel } from '../components/video-form/pinned-model';
import type { Estimate, FieldError } from '../components/video-form/estimate';
import { offeredBindings, type VideoForm, type ShownModel } from '../components/video-form/form';
import { FrameFields } from '../components/video-form/frame-fields';
import { GenerateBar } from './generate-bar';
import { PriceLines } from './price-lines';
import type { LeftField } from '../components/video-form/import-request';
import { MediaFields } from './media-fields';
import { VideoModelPicker } from './video-model-picker';
import { LeftFields, SwitchNotes } from './notes';
import { ParameterFields } from '../components/video-form/parameter-fields';
import { PromptField } from './prompt-field';
import { switchModel, switchProvider } from '../components/video-form/switch-model';
import { StickyFoot } from '../components/ui/sticky-foot';

export interface PlaygroundFormProps {
  readonly form: VideoForm;
  readonly shown: ShownModel;
  readonly models: readonly ShownModel[];
  readonly mode: Mode;
  readonly credits: CreditsJson;
  readonly estimate: Estimate;
  readonly busy: boolean;
  readonly mayEdit: boolean;
  /** The server's error for the last submission. */
  readonly refused: FieldError | undefined;
  readonly notes: readonly string[];
  readonly left: readonly LeftField[];
  onChange(form: VideoForm, notes?: readonly string[]): void;
  onDismissNotes(): void;
  onGenerate(): void;
  onRefill(): Promise<void>;
}

export function PlaygroundFormFields(props: PlaygroundFormProps) {
  const { form, shown, models, mode, estimate, refused, onChange } = props;
  const model = pinnedModel(shown.model, form.provider);
  const prompt = useRef<HTMLTextAreaElement>(null);
  const frame = useRef<HTMLFormElement>(null);
  // An invalid URL is shown at its field; missing values are shown by the button.
  const shownError = refused ?? (estimate.error?.message.startsWith('This is not a URL') ? estimate.error : undefined);
  const isAtField = shownError?.param !== undefined && FIELDS_WITH_A_PLACE.test(shownError.param);

  useEffect(() => {
    if (refused?.param === undefined) return;
    const field = refused.param.replace(/[[.].*$/, '');
    frame.current
      ?.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"] :is(input, textarea, button)`)
      ?.focus();
  }, [refused]);

  useEffect(() => {
    const element = frame.current;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter') return;
      const isMeant = event.metaKey || event.ctrlKey;
      if (isMeant) element?.requestSubmit();
      // Prevents Enter in a field from submitting, because submissions cost money.
      if (isMeant || event.target instanceof HTMLInputElement) event.preventDefault();
    };
    element?.addEventListener('keydown', onKeyDown);
    return () => element?.removeEventListener('keydown', onKeyDown);
  }, []);

  return (
    <form
      ref={frame}
      aria-label="New video"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        props.onGenerate();
      }}
      className="rounded-xl border border-line bg-surface"
    >
      <div className="flex flex-col gap-5 p-4 sm:p-5">
        <div>
          <VideoModelPicker
            models={models}
            value={shown}
            mode={mode}
            onChange={(next) => {
              const switched = switchModel(form, shown.model, next.model);
              onChange(switched.form, switched.notes);
            }}
          />
          <SwitchNotes notes={props.notes} onDismiss={props.onDismissNotes} />
          <LeftFields left={props.left} onDismiss={props.onDismissNotes} />
        </div>
        <PromptField
          field={prompt}
          value={form.prompt}
          maxCharacters={model.video.promptCharacters}
          error={shownError?.param === 'prompt' ? shownError.message : undefined}
          onChange={(text) => onChange({ ...form, prompt: text })}
        />
        <MediaFields key={model.video.kind} form={form} model={model} error={shownError} onChange={onChange} />
        <FrameFields form={form} model={model} onChange={onChange} />
        <ParameterFields form={form} model={model} onChange={onChange} />
        <Advanced {...props} error={shownError} />
        <PriceLines estimate={estimate} credits={props.credits} className="sm:hidden" />
      </div>
      <StickyFoot className="pb-2.5">
        <GenerateBar
          estimate={estimate}
          credits={props.credits}
          busy={props.busy}
          mayEdit={props.mayEdit}
          refusal={isAtField ? undefined : shownError?.message}
          onRefill={props.onRefill}
        />
      </StickyFoot>
    </form>
  );
}

const FIELDS_WITH_A_PLACE =
  /^(?:prompt|image_url|image_list|input_reference|video_url|video_list|input_seconds|webhook)\b/;

function Advanced({
  form,
  shown,
  mode,
  error,
  onChange,
}: PlaygroundFormProps & { readonly error: FieldError | undefined }) {
  const providers = providersOf(shown.model.bindings);
  const offered = providersOf(offeredBindings(shown));
  return (
    <details
      open={form.webhook !== '' || form.provider !== undefined || undefined}
      className="group border-t border-line pt-3"
    >
      <summary className="flex h-8 list-none items-center gap-2 rounded-md text-sm font-medium text-muted select-none hover:text-ink max-sm:h-11 [&::-webkit-details-marker]:hidden">
        <span aria-hidden="true" className="transition-transform group-open:rotate-90">
          ›
        </span>
        Advanced
      </summary>
      <div className="flex flex-col gap-4 pt-2">
        {providers.length > 1 && (
          <div>
            <SelectField
              label="Provider"
              value={form.provider ?? ''}
              onChange={(event) => {
                const switched = switchProvider(form, shown.model, event.target.value || undefined);
                onChange(switched.form, switched.notes);
              }}
            >
              <option value="">Automatic</option>
              {providers.map((provider) => (
                <option key={provider} value={provider} disabled={mode === 'live' && !offered.includes(provider)}>
                  {provider}
                </option>
              ))}
            </SelectField>
            <p className="mt-1.5 text-xs text-muted">Pins this provider: no fallback. Its price and settings apply.</p>
          </div>
        )}
        <div data-field="webhook">
          <TextField
            label="Webhook"
            type="url"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="https://example.com/hooks/video"
            value={form.webhook}
            onChange={(event) => onChange({ ...form, webhook: event.target.value })}
            hint="Receives a signed POST with the finished video."
            error={error?.param === 'webhook' ? error.message : undefined}
          />
        </div>
      </div>
    </details>
  );
}
