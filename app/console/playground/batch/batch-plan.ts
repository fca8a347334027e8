import { parseUsd, usdText, type NanoUsd } from '../../../../lib/domain/money';
import type { QuoteJson } from '../../../../lib/contract/quotes';
import type { VideoModel } from '../../../../lib/domain/model';
import type { Mode } from '../../../../lib/domain/video';
import { estimateOf } from '../../components/video-form/estimate';
import { frameOf, withValue, type ShownModel, type VideoForm } from '../../components/video-form/form';
import { requestOf, type RequestBody } from '../../components/video-form/form-request';
import { FOLLOW } from '../../components/video-form/sizes';

// The videos that a batch would create, with their prices, before anything is submitted: one for each combination of a
// prompt, a seed and a model.

export const MAX_MODELS = 4;
/** Limited because submissions are sent one after another, and so that the table stays readable. */
export const MAX_VIDEOS = 50;

/** The settings of a batch, besides its models and the form that all its videos share. */
export interface BatchSettings {
  /** Each line of the text is a prompt; otherwise the whole text is one. */
  readonly isPromptPerLine: boolean;
  /** As typed, such as `1, 2, 3`. */
  readonly seeds: string;
}

export interface PlannedVideo {
  readonly modelId: string;
  readonly prompt: string;
  readonly seed?: number;
  readonly quote?: QuoteJson;
  /** Why this video cannot be submitted. */
  readonly error?: string;
  /**
   * The request body. A function, because only submitted videos need it and a body may contain files as data URLs of up
   * to 33 MB.
   */
  body(): RequestBody;
}

export interface BatchPlan {
  readonly videos: readonly PlannedVideo[];
  /** The number of videos without an error. */
  readonly count: number;
  readonly totalUsd: string;
  /** Why no video can be submitted. */
  readonly problem?: string;
}

export function promptsOf(text: string, isPromptPerLine: boolean): readonly string[] {
  if (!isPromptPerLine) return text.trim() === '' ? [] : [text];
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/**
 * Returns the seeds in a text such as `1, 2 3`, without duplicates; undefined if the text contains anything else, or a
 * seed above `max`.
 */
export function seedsOf(text: string, max: number): readonly number[] | undefined {
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const seeds = words.map((word) => (/^\d{1,10}$/.test(word) ? Number(word) : Number.NaN));
  return seeds.every((seed) => seed <= max) ? [...new Set(seeds)] : undefined;
}

/** Plans the videos of a batch. `form` is the shared form, and `shared` is the result of `sharedModel` for `models`. */
export function planBatch(
  form: VideoForm,
  { isPromptPerLine, seeds: seedText }: BatchSettings,
  shared: VideoModel,
  models: readonly ShownModel[],
  mode: Mode,
): BatchPlan {
  const prompts = promptsOf(form.prompt, isPromptPerLine);
  const seeds = shared.video.parameters.includes('seed') ? seedsOf(seedText, shared.video.maxSeed) : [];
  const none = { videos: [], count: 0, totalUsd: '0' };
  if (!seeds)
    return {
      ...none,
      problem: `Seeds must be whole numbers up to ${shared.video.maxSeed.toLocaleString('en')}, separated by commas.`,
    };
  if (prompts.length === 0) return { ...none, problem: 'Write a prompt first.' };
  const count = prompts.length * Math.max(1, seeds.length) * models.length;
  if (count > MAX_VIDEOS)
    return {
      ...none,
      problem: `A batch has at most ${MAX_VIDEOS} videos; these are ${count.toLocaleString('en')}. Use fewer prompts, seeds or models.`,
    };
  const videos = prompts.flatMap((prompt) =>
    (seeds.length === 0 ? [undefined] : seeds).flatMap((seed) =>
      models.map((shown) => plannedVideo(formOf(form, shared, shown, prompt, seed), shown, mode, seed)),
    ),
  );
  const fine = videos.filter(({ error }) => error === undefined);
  return { videos, count: fine.length, totalUsd: usdText(sumOf(fine)) };
}

/** Returns the exact sum of the quotes. */
export function sumOf(videos: readonly Pick<PlannedVideo, 'quote'>[]): NanoUsd {
  return videos.reduce((sum, { quote }) => sum + parseUsd(quote?.total ?? '0'), 0n);
}

function plannedVideo(form: VideoForm, shown: ShownModel, mode: Mode, seed: number | undefined): PlannedVideo {
  const { quote, error } = estimateOf(form, shown, mode);
  return {
    modelId: form.modelId,
    prompt: form.prompt,
    ...(seed !== undefined && { seed }),
    ...(quote && { quote }),
    ...(error ? { error: error.message } : !quote && { error: 'The price is not known yet.' }),
    body: () => requestOf(form, shown.model),
  };
}

/**
 * Returns the form of one video. It states the length and size of the shared form even where the defaults of the model
 * differ.
 */
function formOf(
  form: VideoForm,
  shared: VideoModel,
  { model }: ShownModel,
  prompt: string,
  seed: number | undefined,
): VideoForm {
  const { resolution, ratio, seconds } = frameOf(form, shared.video);
  const { ratio: _ratio, seconds: _seconds, provider: _provider, ...others } = form;
  return withValue(
    {
      ...others,
      modelId: model.id,
      prompt,
      resolution,
      ...(ratio !== FOLLOW && { ratio }),
      ...(seconds !== undefined && { seconds }),
    },
    'seed',
    seed,
  );
}
