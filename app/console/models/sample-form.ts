import { billsInput } from '../../../lib/billing/quote';
import { allowedSeconds } from '../../../lib/domain/video-tiers';
import type { ProviderId } from '../../../lib/domain/ids';
import type { VideoModel } from '../../../lib/domain/model';
import { EnvironmentText, type CodeValue } from '../components/code/code-request';
import { emptyForm, imageRule, type MediaPiece, type VideoForm } from '../components/video-form/form';
import type { RequestBody } from '../components/video-form/form-request';
import { pinnedModel } from '../components/video-form/pinned-model';
import { SAMPLE_PICTURE } from './sample-picture';

// The video form on the page of a model: its prompt and media are samples, so that there is always a price and code.

const PROMPT = 'A paper boat on a quiet lake';
const PICTURE: MediaPiece = { kind: 'url', url: SAMPLE_PICTURE };
/** A placeholder: no sample video is small enough for a code sample. */
const VIDEO = { kind: 'url', url: 'https://example.com/source.mp4' } as const satisfies MediaPiece;
/** The code samples read the URL of the input video from this environment variable. */
const VIDEO_VARIABLE = new EnvironmentText('SOURCE_VIDEO_URL');
const MAX_INPUT_SECONDS = 600;

export function sampleForm(model: VideoModel, provider?: ProviderId): VideoForm {
  const { media } = model.video;
  const form = { ...emptyForm(model.id), ...(provider !== undefined && { provider }), prompt: PROMPT };
  return withSampleMedia(form, model, media.videos !== undefined && media.images === undefined);
}

/**
 * Adds the sample media that the model needs, and the length of the input if the price depends on it. With
 * `referenceVideo`, the reference is a video instead of an image.
 */
export function withSampleMedia(form: VideoForm, model: VideoModel, referenceVideo: boolean): VideoForm {
  const { video: facts, bindings } = pinnedModel(model, form.provider);
  const isReference = facts.kind === 'r2v';
  const images = isReference && !referenceVideo && facts.media.images ? 1 : imageRule(facts).min;
  const needsInputSeconds =
    facts.media.sourceVideo === true || (isReference && referenceVideo && billsInput(bindings, true));
  const isValid = /^[1-9]\d*$/.test(form.inputSeconds) && Number(form.inputSeconds) <= MAX_INPUT_SECONDS;
  return {
    ...form,
    images: isReference && referenceVideo ? [] : Array.from({ length: images }, () => PICTURE),
    videos: isReference && referenceVideo ? [VIDEO] : [],
    source: facts.media.sourceVideo ? VIDEO : null,
    inputSeconds: !needsInputSeconds ? '' : isValid ? form.inputSeconds : defaultInputSeconds(model),
  };
}

function defaultInputSeconds({ video: facts }: VideoModel): string {
  const allowed = allowedSeconds(facts, facts.defaultResolution);
  return String(allowed.find((seconds) => seconds >= 5) ?? allowed[0] ?? 5);
}

/** Returns the body with the environment variable in place of the URL of the sample video. */
export function codeBody(body: RequestBody): Readonly<Record<string, CodeValue>> {
  const print = (value: CodeValue): CodeValue => (value === VIDEO.url ? VIDEO_VARIABLE : value);
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, typeof value === 'object' ? value.map(print) : print(value)]),
  );
}
