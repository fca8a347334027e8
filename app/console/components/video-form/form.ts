import { allowedSeconds } from '../../../../lib/domain/video-tiers';
import { bindingKey } from '../../../../lib/domain/binding';
import type { VideoModel } from '../../../../lib/domain/model';
import type { ProviderId } from '../../../../lib/domain/ids';
import type { VideoBinding, VideoFacts } from '../../../../lib/domain/video';
import { factsFor } from '../../../../lib/videos/video-parameters';
import { parameterControls, parameterStandard, type ParameterControl, type ParameterValues } from './parameters';
import { ratioChoices } from './sizes';

// The state of a video form, on the page of a model and in the playground. An absent value means the default of the
// model, so that defaults follow a change of the model.

/** A video model with the same data that the server validates and prices with. */
export interface ShownModel {
  readonly model: VideoModel;
  /** The keys (`bindingKey`) of the bindings that serve it in live mode here. */
  readonly offered: readonly string[];
  /** The bindings in `offered` that an own account of the organisation serves, without credits; absent: none. */
  readonly own?: readonly string[];
  /** This version has an adapter for at least one of its providers. */
  readonly implemented: boolean;
  /** A provider is set up, and the operator has not confirmed its price; absent: no. */
  readonly unconfirmed?: boolean;
  /** This installation publishes data URLs for providers that take media only as https URLs. */
  readonly publishesMedia: boolean;
}

/** The bindings that serve the model in live mode here. */
export function offeredBindings({ model, offered }: Pick<ShownModel, 'model' | 'offered'>): readonly VideoBinding[] {
  return model.bindings.filter((binding) => offered.includes(bindingKey(binding)));
}

/**
 * An image or video of the form. Compare `kind` only with `file`: a draft that a tab stored under an earlier version
 * uses another word for `url`.
 */
export type MediaPiece =
  | { readonly kind: 'url'; readonly url: string; readonly durationSeconds?: number }
  | {
      readonly kind: 'file';
      readonly name: string;
      readonly sizeBytes: number;
      readonly dataUrl: string;
      /** Only for a video: an object URL to play it in this window. */
      readonly previewUrl?: string;
      readonly durationSeconds?: number;
    };

export interface VideoForm {
  readonly modelId: string;
  /** Pins one provider. */
  readonly provider?: ProviderId;
  readonly prompt: string;
  readonly seconds?: number;
  readonly resolution?: string;
  readonly ratio?: string;
  /** `WIDTHxHEIGHT` of an imported request with a non-standard size. */
  readonly exactSize?: string;
  /** Keyed by the parameter name of the request. */
  readonly values: ParameterValues;
  /** The first frame, first and last frame, or references. A missing frame is null. */
  readonly images: readonly (MediaPiece | null)[];
  readonly videos: readonly MediaPiece[];
  readonly source: MediaPiece | null;
  /** As typed: the length of the source or the total length of the reference videos, in seconds. */
  readonly inputSeconds: string;
  readonly webhook: string;
}

export function emptyForm(modelId: string): VideoForm {
  return { modelId, prompt: '', values: {}, images: [], videos: [], source: null, inputSeconds: '', webhook: '' };
}

/** Size and length of a form, completed with the model's defaults. */
export interface Frame {
  readonly resolution: string;
  readonly ratio: string;
  /** Undefined: same length as the source. */
  readonly seconds: number | undefined;
  /** The lengths available at this resolution. */
  readonly allowed: readonly number[];
}

export function frameOf(form: VideoForm, facts: VideoFacts): Frame {
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

/** Returns the controls for the parameters that the model supports at the chosen resolution with the chosen media. */
export function controlsOf(form: VideoForm, facts: VideoFacts): ParameterControl[] {
  const media = form.videos.map(() => ({ role: 'reference_video' as const }));
  return parameterControls(factsFor(facts, { resolution: frameOf(form, facts).resolution, media }));
}

/** Sets the length; undefined means the model's default. */
export function withSeconds(form: VideoForm, facts: VideoFacts, seconds: number | undefined): VideoForm {
  const { seconds: _former, ...others } = form;
  return seconds === undefined || seconds === facts.defaultSeconds ? others : { ...others, seconds };
}

/** Sets the resolution or the aspect ratio, and drops the exact size of an imported request. */
export function withSize(form: VideoForm, size: { readonly resolution?: string; readonly ratio?: string }): VideoForm {
  const { exactSize: _exact, ...others } = form;
  return { ...others, ...size };
}

/** Returns the effective value of a parameter: the chosen value or the default of the specification. */
export function valueOf(form: VideoForm, name: string): string | number | boolean | undefined {
  return form.values[name] ?? parameterStandard(name);
}

/** Sets a parameter; undefined resets it to its default. */
export function withValue(form: VideoForm, name: string, value: string | number | boolean | undefined): VideoForm {
  const { [name]: _former, ...others } = form.values;
  return { ...form, values: value === undefined || value === '' ? others : { ...others, [name]: value } };
}

/** Returns the minimum and maximum number of images of a model. */
export function imageRule({ kind, media }: VideoFacts): { readonly min: number; readonly max: number } {
  return kind === 'i2v' ? { min: 1, max: 1 } : (media.images ?? { min: 0, max: 0 });
}
