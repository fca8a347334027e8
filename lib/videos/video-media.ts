import type { VideoField } from '../contract/videos';
import { GatewayError } from '../domain/errors';
import type { OrderMedia, VideoFacts } from '../domain/video';
import type { RequestFields } from './request-fields';
import { checkText } from './request-fields';

// Parses the media of a request by the kind of its model. Fields that the kind does not use are not read.

/** A piece of media with the name of its field, for the error messages of the checks of its URL. */
export interface AskedMedia extends OrderMedia {
  readonly param: string;
}

/**
 * Rejects with `missing_required_media`, `invalid_media_count`, `conflicting_parameters`, `unsupported_parameter` or
 * `invalid_type`.
 */
export function parseMedia(fields: RequestFields<VideoField>, facts: VideoFacts, modelId: string): AskedMedia[] {
  switch (facts.kind) {
    case 't2v':
      return [];
    case 'i2v':
      return firstFrame(fields, modelId);
    case 'start-end':
      return startAndEnd(fields, modelId);
    case 'r2v':
      return references(fields, facts, modelId);
    case 'video-edit':
      return [sourceVideo(fields, modelId), ...images(fields, facts, modelId)];
  }
}

function firstFrame(fields: RequestFields<VideoField>, modelId: string): AskedMedia[] {
  const url = fields.text('image_url', Infinity);
  const alias = inputReference(fields);
  if (url !== undefined && alias !== undefined && url !== alias) {
    throw new GatewayError(
      'conflicting_parameters',
      'image_url and input_reference name different images. Send one of them.',
      { param: 'input_reference' },
    );
  }
  const given = url ?? alias;
  if (given !== undefined)
    return [{ role: 'first_frame', url: given, param: url === undefined ? 'input_reference.image_url' : 'image_url' }];
  const list = fields.urls('image_list', ['image_url', 'url']);
  const [only, ...more] = list ?? [];
  if (more.length > 0) {
    throw new GatewayError(
      'invalid_media_count',
      `${modelId} takes one image, the first frame; image_list has ${more.length + 1}.`,
      { param: 'image_list' },
    );
  }
  if (only !== undefined) return [{ role: 'first_frame', url: only, param: 'image_list[0]' }];
  throw new GatewayError(
    'missing_required_media',
    `${modelId} needs image_url, the first frame: an https URL or a data URL.`,
    { param: 'image_url' },
  );
}

function inputReference(fields: RequestFields<VideoField>): string | undefined {
  const reference = fields.imageObject('input_reference');
  if (!reference) return undefined;
  if (reference.file_id !== undefined && reference.file_id !== null) {
    throw new GatewayError(
      'unsupported_parameter',
      'input_reference.file_id is not supported. Use input_reference.image_url: an https URL or a data URL.',
      {
        param: 'input_reference.file_id',
      },
    );
  }
  if (reference.image_url === undefined || reference.image_url === null) {
    throw new GatewayError(
      'missing_required_parameter',
      'input_reference needs image_url: an https URL or a data URL.',
      { param: 'input_reference.image_url' },
    );
  }
  return checkText('input_reference.image_url', reference.image_url, Infinity);
}

function startAndEnd(fields: RequestFields<VideoField>, modelId: string): AskedMedia[] {
  const list = fields.urls('image_list', ['image_url', 'url']) ?? [];
  const [first, last] = list;
  if (list.length !== 2 || first === undefined || last === undefined) {
    throw new GatewayError(
      'invalid_media_count',
      `${modelId} needs exactly two images in image_list: the first frame, then the last. Got ${list.length}.`,
      { param: 'image_list' },
    );
  }
  return [
    { role: 'first_frame', url: first, param: 'image_list[0]' },
    { role: 'last_frame', url: last, param: 'image_list[1]' },
  ];
}

function references(fields: RequestFields<VideoField>, facts: VideoFacts, modelId: string): AskedMedia[] {
  const given = [...images(fields, facts, modelId), ...videos(fields, facts, modelId)];
  if (facts.media.eitherRequired && given.length === 0) {
    throw new GatewayError(
      'missing_required_media',
      `${modelId} needs references: image_list or video_list with at least one URL.`,
      { param: 'image_list' },
    );
  }
  return given;
}

function images(fields: RequestFields<VideoField>, facts: VideoFacts, modelId: string): AskedMedia[] {
  const rule = facts.media.images;
  if (!rule) return [];
  const list = fields.urls('image_list', ['image_url', 'url']) ?? [];
  checkCount('image_list', 'images', list.length, rule, modelId);
  return list.map((url, index) => ({ role: 'reference_image', url, param: `image_list[${index}]` }));
}

function videos(fields: RequestFields<VideoField>, facts: VideoFacts, modelId: string): AskedMedia[] {
  const rule = facts.media.videos;
  if (!rule) return [];
  const keys = ['video_url', 'url'];
  const named = fields.urls('video_list', keys);
  const synonym = fields.urls('reference_videos', keys);
  if (named && synonym)
    throw new GatewayError(
      'conflicting_parameters',
      'video_list and reference_videos are the same field. Send one of them.',
      { param: 'reference_videos' },
    );
  const param = synonym ? 'reference_videos' : 'video_list';
  const list = named ?? synonym ?? [];
  checkCount(param, 'videos', list.length, rule, modelId);
  return list.map((url, index) => ({ role: 'reference_video', url, param: `${param}[${index}]` }));
}

function checkCount(
  param: string,
  what: string,
  count: number,
  { min, max }: { min: number; max: number },
  modelId: string,
): void {
  if (count === 0 && min > 0) {
    throw new GatewayError(
      'missing_required_media',
      `${modelId} needs ${param} with ${min === max ? min : `${min} to ${max}`} ${what}.`,
      { param },
    );
  }
  if (count < min || count > max) {
    throw new GatewayError(
      'invalid_media_count',
      `${modelId} takes ${min === max ? min : `${min} to ${max}`} ${what} in ${param}; got ${count}.`,
      { param, details: { min, max } },
    );
  }
}

function sourceVideo(fields: RequestFields<VideoField>, modelId: string): AskedMedia {
  const url = fields.text('video_url', Infinity);
  if (url !== undefined) return { role: 'source_video', url, param: 'video_url' };
  throw new GatewayError(
    'missing_required_media',
    `${modelId} needs video_url, the public URL of the video to edit, and input_seconds, its length.`,
    { param: 'video_url' },
  );
}

const MAX_INPUT_SECONDS = 600;

/** Returns `input_seconds` of an edit in milliseconds, rounded up: the price is fixed from it. */
export function parseInputMillis(fields: RequestFields<VideoField>, modelId: string): number {
  const value = fields.raw('input_seconds');
  if (value === undefined) {
    throw new GatewayError(
      'missing_required_media',
      `${modelId} needs input_seconds, the length of the video to edit; input and output are both billed.`,
      { param: 'input_seconds' },
    );
  }
  if (typeof value !== 'number' && typeof value !== 'string') {
    throw new GatewayError('invalid_type', 'input_seconds must be a number of seconds, such as 7.5 or "7.5".', {
      param: 'input_seconds',
    });
  }
  const text = String(value);
  const seconds = /^\d{1,6}(\.\d{1,20})?$/.test(text) ? Number(text) : NaN;
  if (!(seconds > 0 && seconds <= MAX_INPUT_SECONDS)) {
    throw new GatewayError(
      'unsupported_value',
      `input_seconds must be a positive number of seconds, at most ${MAX_INPUT_SECONDS}.`,
      { param: 'input_seconds' },
    );
  }
  // Parsed as text: in floating point 8.2 * 1000 is 8200.000000000001 and would be rounded up to 8201.
  const [whole = '', fraction = ''] = text.split('.');
  const thousandths = Number(whole) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  return thousandths + (/[1-9]/.test(fraction.slice(3)) ? 1 : 0);
}
