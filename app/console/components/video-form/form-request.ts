import type { VideoModel } from '../../../../lib/domain/model';
import { pinnedModel } from './pinned-model';
import { controlsOf, frameOf, valueOf, type MediaPiece, type VideoForm } from './form';
import { FOLLOW, pixelsOf, sizeText } from './sizes';

// The form as the body of `POST /v1/videos`. The same value is sent, priced and shown as code.

/** A JSON value of a request. */
export type RequestValue = string | number | boolean | readonly string[];
export type RequestBody = Readonly<Record<string, RequestValue>>;

export interface RequestOptions {
  /** Which default values are written out. By default none; `frame`: length and size. */
  readonly defaults?: 'none' | 'frame' | 'all';
  /** Prints a piece of media; by default its URL, or the file as a data URL. */
  readonly urlOf?: (piece: MediaPiece) => string;
}

export function requestOf(
  form: VideoForm,
  shown: VideoModel,
  { defaults = 'none', urlOf = mediaUrl }: RequestOptions = {},
): RequestBody {
  const model = pinnedModel(shown, form.provider);
  const facts = model.video;
  const { resolution, ratio, seconds } = frameOf(form, facts);
  const size =
    form.exactSize ??
    sizeText(facts, resolution, ratio) ??
    (defaults !== 'none' && ratio !== FOLLOW ? pixelsOf(resolution, ratio).join('x') : undefined);
  const webhook = form.webhook.trim();
  return {
    model: form.provider === undefined ? model.id : `${form.provider}/${model.id}`,
    prompt: form.prompt,
    ...mediaFields(form, model, urlOf),
    ...(seconds !== undefined && (defaults !== 'none' || seconds !== facts.defaultSeconds) && { seconds }),
    ...(size !== undefined && { size }),
    ...parameterFields(form, model, defaults === 'all'),
    ...(webhook !== '' && { webhook }),
  };
}

const ownFields = ['model', 'prompt', 'image_url', 'image_list', 'video_url', 'video_list', 'webhook'];

/** Returns the settings of a body: all fields except the model and the text and media of the user. */
export function settingsOf(body: RequestBody): RequestBody {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !ownFields.includes(name)));
}

export function mediaUrl(piece: MediaPiece): string {
  return piece.kind === 'file' ? piece.dataUrl : piece.url.trim();
}

/** For display: shortens a file to the start of its data URL. */
export function shortMediaUrl(piece: MediaPiece): string {
  if (piece.kind !== 'file') return mediaUrl(piece);
  return `${piece.dataUrl.slice(0, piece.dataUrl.indexOf(',') + 1)}…`;
}

function mediaFields(
  form: VideoForm,
  model: VideoModel,
  urlOf: (piece: MediaPiece) => string,
): Record<string, RequestValue> {
  const { kind, media } = model.video;
  const isGiven = (piece: MediaPiece | null): piece is MediaPiece =>
    piece !== null && (piece.kind === 'file' || piece.url.trim() !== '');
  const images = form.images.filter(isGiven).map(urlOf);
  const videos = form.videos.filter(isGiven).map(urlOf);
  const source = isGiven(form.source) ? urlOf(form.source) : undefined;
  const inputSeconds = Number(form.inputSeconds.replace(',', '.'));
  const input = form.inputSeconds.trim() !== '' && Number.isFinite(inputSeconds) ? { input_seconds: inputSeconds } : {};
  switch (kind) {
    case 't2v':
      return {};
    case 'i2v':
      return images[0] === undefined ? {} : { image_url: images[0] };
    case 'start-end':
      return images.length > 0 ? { image_list: images } : {};
    case 'r2v':
      return {
        ...(media.images && images.length > 0 && { image_list: images }),
        ...(media.videos && videos.length > 0 && { video_list: videos, ...input }),
      };
    case 'video-edit':
      return {
        ...(source !== undefined && { video_url: source }),
        ...input,
        ...(media.images && images.length > 0 && { image_list: images }),
      };
  }
}

function parameterFields(form: VideoForm, model: VideoModel, withDefaults: boolean): Record<string, RequestValue> {
  const fields: Record<string, RequestValue> = {};
  for (const control of controlsOf(form, model.video)) {
    const standard = 'standard' in control ? control.standard : undefined;
    const value = valueOf(form, control.name) ?? standard;
    if (value !== undefined && (withDefaults || value !== standard)) fields[control.name] = value;
  }
  return fields;
}
