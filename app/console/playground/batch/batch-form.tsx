'use client';

import { Dices, Plus, Sparkles, X } from 'lucide-react';
import { useRef } from 'react';
import type { CreditsJson } from '../../../../lib/contract/credits';
import type { VideoModel } from '../../../../lib/domain/model';
import { usdText, usd } from '../../../../lib/domain/money';
import type { Mode } from '../../../../lib/domain/video';
import { RefillButton } from '../../components/credits/refill-button';
import { useRefusal } from '../../components/shell/organization';
import { Button } from '../../components/ui/button';
import { FormError, TextField } from '../../components/ui/field';
import { Money } from '../../components/ui/money';
import { Switch } from '../../components/ui/switch';
import { operationLabels } from '../../components/operation-labels';
import type { ShownModel, VideoForm } from '../../components/video-form/form';
import { FrameFields } from '../../components/video-form/frame-fields';
import { ParameterFields } from '../../components/video-form/parameter-fields';
import { MediaFields } from '../media-fields';
import { lacksCredit } from '../price-lines';
import { PromptField } from '../prompt-field';
import { VideoModelPicker } from '../video-model-picker';
import { MAX_MODELS, sumOf, type BatchPlan, type BatchSettings } from './batch-plan';
import { StickyFoot } from '../../components/ui/sticky-foot';

const RANDOM_SEEDS = 4;

/** The form of a batch: what all its videos share, and the models, prompts and seeds in which they differ. */
export function BatchForm({
  form,
  settings,
  models,
  chosen,
  shared,
  mismatch,
  plan,
  mode,
  credits,
  mayEdit,
  isSubmitting,
  onChange,
  onSettings,
  onModels,
  onSubmit,
  onRefill,
}: {
  readonly form: VideoForm;
  readonly settings: BatchSettings;
  readonly models: readonly ShownModel[];
  readonly chosen: readonly ShownModel[];
  readonly shared: VideoModel | undefined;
  /** Why the models cannot share a form. */
  readonly mismatch: string | undefined;
  readonly plan: BatchPlan | undefined;
  readonly mode: Mode;
  readonly credits: CreditsJson;
  readonly mayEdit: boolean;
  readonly isSubmitting: boolean;
  onChange(form: VideoForm): void;
  onSettings(part: Partial<BatchSettings>): void;
  onModels(ids: readonly string[]): void;
  onSubmit(): void;
  onRefill(): Promise<void>;
}) {
  const mayNot = useRefusal('generate videos');
  const prompt = useRef<HTMLTextAreaElement>(null);
  if (!shared) return <p className="text-sm text-muted">This installation has no video models.</p>;
  const { kind, parameters, maxSeed } = shared.video;
  const isShort = plan !== undefined && lacksCredit({ total: plan.totalUsd }, credits);
  const problem = mismatch ?? plan?.problem;
  const refused = plan ? plan.videos.length - plan.count : 0;
  return (
    <form
      aria-label="New batch"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      className="rounded-xl border border-line bg-surface"
    >
      <div className="flex flex-col gap-5 p-4 sm:p-5">
        <ModelFields models={models} chosen={chosen} mode={mode} onModels={onModels} />
        {mismatch === undefined && (
          <>
            <div className="flex flex-col gap-3">
              <PromptField
                field={prompt}
                value={form.prompt}
                maxCharacters={shared.video.promptCharacters * (settings.isPromptPerLine ? MAX_LINES : 1)}
                error={undefined}
                onChange={(text) => onChange({ ...form, prompt: text })}
              />
              <Switch
                label="One prompt per line"
                description="Creates one video per line."
                checked={settings.isPromptPerLine}
                onChange={(isPromptPerLine) => onSettings({ isPromptPerLine })}
              />
            </div>
            {parameters.includes('seed') && (
              <SeedsField value={settings.seeds} maxSeed={maxSeed} onChange={(seeds) => onSettings({ seeds })} />
            )}
            <MediaFields key={kind} form={form} model={shared} error={undefined} onChange={onChange} />
            <FrameFields form={form} model={shared} onChange={onChange} />
            <ParameterFields
              form={form}
              model={shared}
              names={parameters.filter((name) => name !== 'seed')}
              onChange={onChange}
            />
          </>
        )}
      </div>
      <StickyFoot className="flex flex-col gap-2.5 pb-4">
        {plan && plan.count > 0 && <PriceSummary plan={plan} chosen={chosen} credits={credits} isShort={isShort} />}
        <FormError>
          {isShort && `These videos need ${usd(plan.totalUsd)}; ${usd(credits.available)} are available.`}
        </FormError>
        <Button
          variant="primary"
          type="submit"
          busy={isSubmitting}
          disabled={!mayEdit || problem !== undefined || isShort || !plan || plan.count === 0}
          aria-describedby="batch-reason"
          className="h-11! w-full text-base!"
          data-testid="generate"
        >
          {!isSubmitting && <Sparkles size={16} aria-hidden="true" />}
          {plan && plan.count > 0
            ? `Generate ${plan.count} ${plan.count === 1 ? 'video' : 'videos'} · ${usd(plan.totalUsd)}`
            : 'Generate'}
        </Button>
        <div id="batch-reason" className="flex min-h-5 items-center justify-between gap-3 text-xs text-muted">
          <span>
            {!mayEdit
              ? mayNot
              : (problem ??
                (refused > 0
                  ? `${refused} of ${plan?.videos.length} cannot be generated; the table says why.`
                  : 'Each is charged only if it succeeds.'))}
          </span>
          {isShort && credits.mode === 'test' && mayEdit && (
            <RefillButton credits={credits} label="Refill test credits" onRefill={onRefill} />
          )}
        </div>
      </StickyFoot>
    </form>
  );
}

/** The models of a batch: one, or several of the same kind to compare. */
function ModelFields({
  models,
  chosen,
  mode,
  onModels,
}: {
  readonly models: readonly ShownModel[];
  readonly chosen: readonly ShownModel[];
  readonly mode: Mode;
  onModels(ids: readonly string[]): void;
}) {
  const modelIds = chosen.map(({ model }) => model.id);
  const kind = chosen[0]?.model.video.kind;
  const others = models.filter(({ model }) => model.video.kind === kind && !modelIds.includes(model.id));
  return (
    <div className="flex flex-col gap-2">
      {chosen.map((each, index) => (
        <div key={each.model.id} className="flex items-center gap-1.5">
          <div className="min-w-0 grow">
            <VideoModelPicker
              label={chosen.length > 1 ? `Model ${index + 1}` : 'Model'}
              models={index === 0 && chosen.length === 1 ? models : [each, ...others]}
              value={each}
              mode={mode}
              onChange={({ model }) => onModels(modelIds.map((id, at) => (at === index ? model.id : id)))}
            />
          </div>
          {chosen.length > 1 && (
            <Button
              variant="quiet"
              size="icon"
              aria-label={`Remove ${each.model.name}`}
              onClick={() => onModels(modelIds.filter((id) => id !== each.model.id))}
            >
              <X size={15} aria-hidden="true" />
            </Button>
          )}
        </div>
      ))}
      {chosen.length < MAX_MODELS && others[0] && (
        <Button
          size="small"
          className="self-start"
          onClick={() => onModels([...modelIds, (available(others, mode) ?? others[0]!).model.id])}
        >
          <Plus size={14} aria-hidden="true" /> Compare with another model
        </Button>
      )}
      {kind && chosen.length > 1 && (
        <p className="text-xs text-muted">
          {operationLabels[kind]}. The form has what all {chosen.length} models support; their other settings keep their
          defaults.
        </p>
      )}
    </div>
  );
}

/** The seeds of a batch: one video for each. */
function SeedsField({
  value,
  maxSeed,
  onChange,
}: {
  readonly value: string;
  readonly maxSeed: number;
  onChange(value: string): void;
}) {
  return (
    <div className="flex items-end gap-1.5">
      <TextField
        className="min-w-0 grow"
        label="Seeds"
        autoComplete="off"
        placeholder="Random"
        hint="Separated by commas: one video for each."
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <Button
        className="mb-6"
        aria-label={`${RANDOM_SEEDS} random seeds`}
        title={`${RANDOM_SEEDS} random seeds`}
        onClick={() => onChange(randomSeeds(maxSeed))}
      >
        <Dices size={15} aria-hidden="true" />
      </Button>
    </div>
  );
}

/** The price per model, and the available credits. */
function PriceSummary({
  plan,
  chosen,
  credits,
  isShort,
}: {
  readonly plan: BatchPlan;
  readonly chosen: readonly ShownModel[];
  readonly credits: CreditsJson;
  /** Whether the credits are too low for the plan. */
  readonly isShort: boolean;
}) {
  return (
    <dl className="flex flex-col gap-1 text-xs tabular-nums">
      {chosen.map(({ model }) => {
        const own = plan.videos.filter(({ modelId, error }) => modelId === model.id && error === undefined);
        return (
          <div key={model.id} className="flex justify-between gap-4">
            <dt className="min-w-0 truncate text-muted">
              {own.length} × {model.name}
            </dt>
            <dd className="shrink-0">{usd(usdText(sumOf(own)))}</dd>
          </div>
        );
      })}
      <div className="flex justify-between gap-4">
        <dt className="text-muted">Available</dt>
        <dd>
          {isShort ? <span className="text-bad">{usd(credits.available)}</span> : <Money amount={credits.available} />}
        </dd>
      </div>
    </dl>
  );
}

/** The field accepts up to this many lines, each as long as a prompt may be. */
const MAX_LINES = 50;

function available(models: readonly ShownModel[], mode: Mode): ShownModel | undefined {
  return mode === 'test' ? models[0] : models.find(({ offered }) => offered.length > 0);
}

function randomSeeds(max: number): string {
  return [...crypto.getRandomValues(new Uint32Array(RANDOM_SEEDS))].map((seed) => seed % (max + 1)).join(', ');
}
