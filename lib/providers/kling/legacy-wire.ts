import { fieldsOf, type Fields } from '../../domain/json';
import type { VideoBinding, VideoKind, VideoOrder } from '../../domain/video';
import { idOf } from '../kit/video/answer-fields';
import { wantsWatermark } from '../kit/video/watermark';
import { textOf } from '../kit/video/answer-fields';
import { citeInLegacyWords } from '../kit/video/kling-citations';
import { klingModel, videoOf, type KlingOrder, type KlingTask, type KlingWire, type UpstreamName } from './wire';

// The first API, with an access key and a secret key. Reference: "Kling AI Series 3.0 Model API Specification".
// Everything that changes the result or the price is stated, because the API has its own defaults.

const OMNI = 'omni-video';
const folders: Readonly<Record<VideoKind, string>> = {
  t2v: 'text2video',
  i2v: 'image2video',
  'start-end': 'image2video',
  r2v: OMNI,
  'video-edit': OMNI,
};

/** There is no field for the resolution. */
const modes: Readonly<Record<string, string>> = { '720p': 'std', '1080p': 'pro' };

/** The maximum length of a prompt and of a negative prompt. */
const PROMPT_CHARACTERS = 2_500;

/**
 * Limits a binding to what the legacy generation can order; it has no resolution left if that does not have the model.
 * Several clips exclude a last frame, and are not documented for omni models.
 */
export function narrowToLegacy(binding: VideoBinding, kind: VideoKind): VideoBinding {
  return {
    ...binding,
    resolutions: hasModel(binding) ? (binding.resolutions ?? Object.keys(modes)).filter((tier) => tier in modes) : [],
    parameters: binding.parameters.filter((name) => name !== 'multi_clip' || takesShots(binding, kind)),
    promptCharacters: PROMPT_CHARACTERS,
    negativePromptCharacters: PROMPT_CHARACTERS,
    ...(kind === 'video-edit' && { sourceSeconds: { min: 3, max: 10 }, outputFollowsSource: true }),
  };
}

function takesShots(upstream: UpstreamName, kind: VideoKind): boolean {
  return (kind === 't2v' || kind === 'i2v') && !klingModel(upstream).isOmni;
}

const hasModel = (upstream: UpstreamName) => klingModel(upstream).legacyName !== undefined;

export const legacyWire: KlingWire = {
  name: 'legacy',
  maxImageBytes: 10_000_000,
  findsEveryTask: false,

  path: (kind, upstream) => `/v1/videos/${klingModel(upstream).isOmni ? OMNI : folders[kind]}`,

  body({ order, upstream, externalId, media, write }) {
    const { kind, prompt, seconds, resolution, aspectRatio, parameters } = order;
    const { legacyName, hasSound, hasShots, isOmni } = klingModel(upstream);
    return {
      model_name: legacyName,
      prompt: isOmni ? citeInLegacyWords(prompt) : prompt,
      ...(parameters.negative_prompt !== undefined && { negative_prompt: parameters.negative_prompt }),
      ...(isOmni ? omniMedia({ order, media, write }) : frames({ media, write })),
      mode: modes[resolution],
      // With frames or a source, these decide the ratio; a source also decides the duration.
      ...((kind === 't2v' || kind === 'r2v') && { aspect_ratio: aspectRatio }),
      ...(!order.outputFollowsSource && { duration: String(seconds) }),
      ...(hasSound && { sound: kind !== 'video-edit' && order.audio ? 'on' : 'off' }),
      ...voices(order),
      ...(hasShots && shots(parameters.multi_clip === true)),
      watermark_info: { enabled: wantsWatermark(order) },
      external_task_id: externalId,
    };
  },

  withCallback: (body, url) => ({ ...body, callback_url: url }),

  // A task is found by our id at the same path.
  queryPath: (path, by) => `${path}/${encodeURIComponent('taskId' in by ? by.taskId : by.externalId)}`,

  taskId: (data) => idOf(fieldsOf(data).task_id),

  task(data, by) {
    const task = fieldsOf(data);
    const matches =
      'taskId' in by ? idOf(task.task_id) === by.taskId : fieldsOf(task.task_info).external_task_id === by.externalId;
    return matches ? taskOf(task) : undefined;
  },
};

/** Kling chooses the shots itself; otherwise a request would have to list them. */
const shots = (isMultiShot: boolean): Fields => ({
  multi_shot: isMultiShot,
  ...(isMultiShot && { shot_type: 'intelligence' }),
});

/** Returns the field for a voice, which is identified by its id at Kling. */
const voices = ({ parameters: { reference_voice: voice } }: VideoOrder): Fields =>
  voice === undefined ? {} : { voice_list: [{ voice_id: String(voice) }] };

function frames({ media, write }: Pick<KlingOrder, 'media' | 'write'>): Fields {
  const [first] = media.first_frame;
  const [last] = media.last_frame;
  return { ...(first && { image: write(first) }), ...(last && { image_tail: write(last) }) };
}

function omniMedia({ order, media, write }: Pick<KlingOrder, 'order' | 'media' | 'write'>): Fields {
  const { first_frame, last_frame, reference_image, reference_video, source_video } = media;
  const images = [
    ...first_frame.map((image) => ({ image_url: write(image), type: 'first_frame' })),
    ...last_frame.map((image) => ({ image_url: write(image), type: 'end_frame' })),
    ...reference_image.map((image) => ({ image_url: write(image) })),
  ];
  const videos = [
    ...reference_video.map((video) => ({ video_url: write(video), refer_type: 'feature', keep_original_sound: 'no' })),
    ...source_video.map((video) => ({
      video_url: write(video),
      refer_type: 'base',
      keep_original_sound: soundOfSource(order),
    })),
  ];
  return {
    ...(images.length > 0 && { image_list: images }),
    ...(videos.length > 0 && { video_list: videos }),
  };
}

const soundOfSource = ({ audio }: VideoOrder) => (audio ? 'yes' : 'no');

function taskOf(task: Fields): KlingTask {
  const { videos } = fieldsOf(task.task_result);
  return {
    id: idOf(task.task_id) ?? '',
    status: textOf(task.task_status) ?? '',
    message: textOf(task.task_status_msg) ?? '',
    ...videoOf(Array.isArray(videos) ? videos[0] : undefined),
  };
}
