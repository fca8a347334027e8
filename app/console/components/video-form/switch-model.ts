import type { VideoModel } from '../../../../lib/domain/model';
import type { VideoFacts } from '../../../../lib/domain/video';
import { audioSwitches } from '../../../../lib/videos/video-parameters';
import { pinnedModel } from './pinned-model';
import { frameOf, imageRule, type VideoForm } from './form';
import { parameterControls, parameterLabel, type ParameterControl } from './parameters';
import { FOLLOW } from './sizes';

// Switches the model and keeps every setting that the new model supports. Other settings are reset to their defaults
// and listed.

export interface Switched {
  readonly form: VideoForm;
  /** The changed settings, one phrase each: `Length: 15 s, now 8 s`. */
  readonly notes: readonly string[];
}

export function switchModel(form: VideoForm, from: VideoModel, to: VideoModel): Switched {
  const { provider: _pin, ...rest } = form;
  return fitted({ ...rest, modelId: to.id }, pinnedModel(from, form.provider), to);
}

/** Pins a provider of the same model; undefined for automatic routing. */
export function switchProvider(form: VideoForm, model: VideoModel, provider: string | undefined): Switched {
  const { provider: _former, ...rest } = form;
  const next: VideoForm = provider === undefined ? rest : { ...rest, provider };
  return fitted(next, pinnedModel(model, form.provider), pinnedModel(model, next.provider));
}

function fitted(form: VideoForm, from: VideoModel, to: VideoModel): Switched {
  const notes: string[] = [];
  const before = frameOf(form, from.video);
  const { exactSize, ...rest } = form;
  let next: VideoForm = rest;

  if (exactSize !== undefined) notes.push(`Size: ${exactSize.replace('x', ' × ')}, now the model's default`);
  next = withFrame(next, before, to.video, notes);
  next = { ...next, values: keptValues(form, from.video, to, notes) };
  return { form: withMedia(next, from.video, to.video, notes), notes };
}

function withFrame(form: VideoForm, before: ReturnType<typeof frameOf>, facts: VideoFacts, notes: string[]): VideoForm {
  const { seconds, resolution, ratio, ...rest } = form;
  let next: VideoForm = {
    ...rest,
    ...(resolution !== undefined && facts.resolutions.includes(resolution) && { resolution }),
    ...(ratio !== undefined && { ratio }),
    ...(seconds !== undefined && { seconds }),
  };
  const after = frameOf(next, facts);
  if (resolution !== undefined && after.resolution !== resolution)
    notes.push(`Resolution: ${resolution}, now ${after.resolution}`);
  if (ratio !== undefined && after.ratio !== ratio) {
    notes.push(`Aspect ratio: ${ratioWords(ratio)}, now ${ratioWords(after.ratio)}`);
    const { ratio: _ratio, ...others } = next;
    next = others;
  }
  if (seconds !== undefined && after.seconds !== seconds) {
    notes.push(
      `Length: ${before.seconds ?? seconds} s, now ${after.seconds === undefined ? 'same as the source' : `${after.seconds} s`}`,
    );
    const { seconds: _seconds, ...others } = next;
    next =
      after.seconds === undefined || after.seconds === facts.defaultSeconds
        ? others
        : { ...others, seconds: after.seconds };
  }
  return next;
}

function keptValues(form: VideoForm, from: VideoFacts, to: VideoModel, notes: string[]): VideoForm['values'] {
  const controls = new Map(parameterControls(to.video).map((control) => [control.name, control]));
  const renamed = soundSwitch(from, to.video);
  const kept: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(form.values)) {
    const target = name === renamed?.from ? renamed.to : name;
    const control = controls.get(target);
    if (control && fits(control, value)) kept[target] = value;
    else notes.push(`${parameterLabel(name)}: ${control ? 'reset to the default' : 'not a setting of this model'}`);
  }
  return kept;
}

/** Returns the names of the audio switch in both models, if both have one. */
function soundSwitch(from: VideoFacts, to: VideoFacts): { from: string; to: string } | undefined {
  const of = (facts: VideoFacts) => audioSwitches.find((name) => facts.parameters.includes(name));
  const [before, after] = [of(from), of(to)];
  return before !== undefined && after !== undefined ? { from: before, to: after } : undefined;
}

function fits(control: ParameterControl, value: string | number | boolean): boolean {
  switch (control.kind) {
    case 'switch':
    case 'tri-state':
      return typeof value === 'boolean';
    case 'choice':
      return control.words.includes(String(value));
    case 'text':
      return typeof value === 'string' && value.length <= control.maxLength;
    case 'number':
      return typeof value === 'number' && value >= control.min && value <= control.max;
    case 'seed':
      return typeof value === 'number' && value <= control.max;
  }
}

function withMedia(form: VideoForm, from: VideoFacts, to: VideoFacts, notes: string[]): VideoForm {
  const images = form.images.filter((piece) => piece !== null);
  const { max } = imageRule(to);
  if (images.length > max)
    notes.push(
      max === 0 ? 'Images: not used by this model' : `Images: the first ${max === 1 ? 'one is' : `${max} are`} kept`,
    );
  const maxVideos = to.media.videos?.max ?? 0;
  if (form.videos.length > maxVideos)
    notes.push(
      maxVideos === 0 ? 'Reference videos: not used by this model' : `Reference videos: the first ${maxVideos} kept`,
    );
  if (form.source && !to.media.sourceVideo) notes.push('Source video: not used by this model');
  return {
    ...form,
    images: images.slice(0, max),
    videos: form.videos.slice(0, maxVideos),
    source: to.media.sourceVideo ? form.source : null,
    inputSeconds: from.kind === to.kind ? form.inputSeconds : '',
  };
}

function ratioWords(ratio: string): string {
  return ratio === FOLLOW ? 'same as the media' : ratio;
}
