import { withBindings } from '../../../lib/catalog/binding-facts';
import { allowedSeconds } from '../../../lib/catalog/video-seconds';
import type { ProviderId, VideoBinding, VideoModel } from '../../../lib/domain/model';
import type { VideoFacts } from '../../../lib/domain/video';
import { parameterStandard, type ParameterValues } from './parameters';
import { ratioChoices } from './sizes';

// What somebody has filled in. A value that is absent means the model's own default, so that a form that was never touched
// asks for nothing in particular, and another model may have other defaults.

/** A video model as the playground gets it: the very value that the server checks and prices with. */
export interface ShownModel {
  readonly model: VideoModel;
  /** Providers that may serve it in live mode, here and now. */
  readonly offered: readonly ProviderId[];
  /** This version has an adapter for at least one of its providers. */
  readonly implemented: boolean;
}

export type MediaPiece =
  | { readonly kind: 'address'; readonly url: string; readonly durationSeconds?: number }
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly sizeBytes: number;
      readonly dataUrl: string;
      /** Of a video: where this window can play it from, and its length. */
      readonly previewUrl?: string;
      readonly durationSeconds?: number;
    };

export interface PlaygroundForm {
  readonly modelId: string;
  /** One provider of the model, instead of whoever is best. */
  readonly provider?: ProviderId;
  readonly prompt: string;
  readonly seconds?: number;
  readonly resolution?: string;
  readonly ratio?: string;
  /** `WIDTHxHEIGHT` of a request that was brought here and whose size is none of the usual ones. */
  readonly exactSize?: string;
  /** By the name of the request's parameter. */
  readonly values: ParameterValues;
  /** The first frame; first and last frame; or references. A frame that is still missing is null. */
  readonly images: readonly (MediaPiece | null)[];
  readonly videos: readonly MediaPiece[];
  readonly source: MediaPiece | null;
  /** As typed: the seconds of the source, or of the reference videos together. */
  readonly inputSeconds: string;
  readonly webhook: string;
}

export function emptyForm(modelId: string): PlaygroundForm {
  return { modelId, prompt: '', values: {}, images: [], videos: [], source: null, inputSeconds: '', webhook: '' };
}

/** The model and its bindings as a form names them: with a provider, what that provider serves. */
export function namedModel(
  { provider }: Pick<PlaygroundForm, 'provider'>,
  model: VideoModel,
): { readonly model: VideoModel; readonly bindings: readonly VideoBinding[] } {
  const pinned = provider === undefined ? [] : model.bindings.filter(({ providerId }) => providerId === provider);
  const bindings = pinned.length > 0 ? pinned : model.bindings;
  return { model: withBindings(model, bindings), bindings };
}

/** The size and length that a form asks for, its gaps filled with the model's defaults. */
export interface Frame {
  readonly resolution: string;
  readonly ratio: string;
  /** Undefined: as long as the source. */
  readonly seconds: number | undefined;
  /** The lengths that go with this resolution. */
  readonly allowed: readonly number[];
}

export function frameOf(form: PlaygroundForm, facts: VideoFacts): Frame {
  const resolution =
    form.resolution !== undefined && facts.resolutions.includes(form.resolution)
      ? form.resolution
      : facts.defaultResolution;
  const ratios = ratioChoices(facts, resolution);
  const ratio = form.ratio !== undefined && ratios.includes(form.ratio) ? form.ratio : (ratios[0] ?? '');
  const allowed = allowedSeconds(facts, resolution);
  const wanted = form.seconds ?? facts.defaultSeconds;
  const seconds = wanted === undefined ? undefined : (allowed.find((length) => length >= wanted) ?? allowed.at(-1));
  return { resolution, ratio, seconds, allowed };
}

/** The value of a parameter as it would be understood: what was chosen, or the specification's default. */
export function valueOf(form: PlaygroundForm, name: string): string | number | boolean | undefined {
  return form.values[name] ?? parameterStandard(name);
}

/** The form with a parameter set; undefined gives it back to its default. */
export function withValue(
  form: PlaygroundForm,
  name: string,
  value: string | number | boolean | undefined,
): PlaygroundForm {
  const { [name]: _former, ...others } = form.values;
  return { ...form, values: value === undefined || value === '' ? others : { ...others, [name]: value } };
}

/** The most images and videos that a model takes, and how many it needs. */
export function imageRule({ kind, media }: VideoFacts): { readonly min: number; readonly max: number } {
  return kind === 'i2v' ? { min: 1, max: 1 } : (media.images ?? { min: 0, max: 0 });
}

/** Are the seconds of the input part of this model's price, or of any rate of it? */
export function billsInput({ bindings }: Pick<VideoModel, 'bindings'>): boolean {
  return bindings.some(
    ({ price }) =>
      price.per === 'input_plus_output_second' || price.rates.some(({ per }) => per === 'input_plus_output_second'),
  );
}
