import { fieldsOf, isObject, type Fields } from '../../domain/json';
import type { VideoBinding, VideoKind, VideoOrder } from '../../domain/video';
import { idOf } from '../kit/video/answer-fields';
import { wantsWatermark } from '../kit/video/watermark';
import { textOf } from '../kit/video/answer-fields';
import { cite } from '../kit/video/kling-citations';
import { klingModel, videoOf, type KlingOrder, type KlingTask, type KlingWire, type UpstreamName } from './wire';

// The API for Kling 2.5 and later, with an API key. Everything that changes the result or the price is stated, because
// the API has its own defaults: several shots, and no sound.

const OMNI = 'omni-video';
const folders: Readonly<Record<VideoKind, string>> = {
  t2v: 'text-to-video',
  i2v: 'image-to-video',
  'start-end': 'image-to-video',
  r2v: OMNI,
  'video-edit': OMNI,
};

const ONLY_LEGACY: readonly string[] = ['negative_prompt', 'reference_voice'];

/** Limits a binding to what this generation can order: without the parameters that only the legacy one has. */
export function narrowToNew(binding: VideoBinding): VideoBinding {
  return { ...binding, parameters: binding.parameters.filter((name) => !ONLY_LEGACY.includes(name)) };
}

export const newWire: KlingWire = {
  name: 'new',
  maxImageBytes: 50_000_000,
  findsEveryTask: true,

  path: (kind, upstream) => `/${klingModel(upstream).isOmni ? OMNI : folders[kind]}/${upstream.modelName}`,

  body: ({ order, upstream, externalId, media, write }) => ({
    ...(order.kind === 't2v' && !klingModel(upstream).isOmni
      ? { prompt: order.prompt }
      : { contents: contentsOf({ order, media, write }) }),
    settings: settingsOf(order, upstream),
    options: { external_task_id: externalId, watermark_info: { enabled: wantsWatermark(order) } },
  }),

  withCallback: (body, url) => ({ ...body, options: { ...fieldsOf(body.options), callback_url: url } }),

  queryPath(_path, by) {
    const query = 'taskId' in by ? { task_ids: by.taskId } : { external_task_ids: by.externalId };
    return `/tasks?${new URLSearchParams(query)}`;
  },

  taskId: (data) => idOf(fieldsOf(data).id),

  task(data, by) {
    const tasks = Array.isArray(data) ? data.filter(isObject) : [];
    const found = tasks.find((task) =>
      'taskId' in by ? idOf(task.id) === by.taskId : task.external_id === by.externalId,
    );
    return found && taskOf(found);
  },
};

/** Lists the images and videos, which a prompt cites by their ids: `@img1`, `@vid1`. */
function contentsOf({ order, media, write }: Pick<KlingOrder, 'order' | 'media' | 'write'>): Fields[] {
  const { first_frame, last_frame, reference_image, reference_video, source_video } = media;
  return [
    { type: 'prompt', text: citeInNewWords(order.prompt) },
    ...first_frame.map((image) => ({ type: 'first_frame', url: write(image) })),
    ...last_frame.map((image) => ({ type: 'last_frame', url: write(image) })),
    ...reference_image.map((image, index) => ({ type: 'refer_image', url: write(image), id: `img${index + 1}` })),
    ...reference_video.map((video, index) => ({ type: 'feature_video', url: write(video), id: `vid${index + 1}` })),
    ...source_video.map((video, index) => ({ type: 'base_video', url: write(video), id: `vid${index + 1}` })),
  ];
}

const citeInNewWords = (prompt: string) =>
  cite(prompt, { image: (number) => `@img${number}`, video: (number) => `@vid${number}` });

function settingsOf(order: VideoOrder, upstream: UpstreamName): Fields {
  const { kind, seconds, resolution, aspectRatio } = order;
  const { hasShots, hasSound } = klingModel(upstream);
  return {
    ...(hasShots && { multi_shot: isMultiShot(order) }),
    ...(hasSound && { audio: audioOf(order) }),
    resolution,
    // With frames or a source, these decide the ratio.
    ...((kind === 't2v' || kind === 'r2v') && { aspect_ratio: aspectRatio }),
    ...(!order.outputFollowsSource && { duration: seconds }),
  };
}

/**
 * Returns whether the video has several shots. An edit has the shots of its source. With a reference video, Kling
 * accepts only true (https://kling.ai/document-api/api/video/3-0-omni/video-omni, a copy read 2026-11-28).
 */
function isMultiShot({ kind, media, parameters }: VideoOrder): boolean {
  if (kind === 'video-edit') return false;
  return media.some(({ role }) => role === 'reference_video') || parameters.multi_clip === true;
}

function audioOf(order: VideoOrder): 'native' | 'original' | 'off' {
  if (order.kind === 'video-edit') return order.audio ? 'original' : 'off';
  return order.audio ? 'native' : 'off';
}

function taskOf(task: Fields): KlingTask {
  const outputs = Array.isArray(task.outputs) ? task.outputs.map(fieldsOf) : [];
  const units = unitsOf(task.billing);
  return {
    id: idOf(task.id) ?? '',
    status: textOf(task.status) ?? '',
    message: textOf(task.message) ?? '',
    ...videoOf(outputs.find(({ type }) => type === 'video')),
    ...(units !== undefined && { units }),
  };
}

/** Returns the charged units. They are not converted to dollars, because the price of a unit depends on the account. */
function unitsOf(billing: unknown): string | undefined {
  const entries = Array.isArray(billing) ? billing.map(fieldsOf) : [];
  const amounts = entries
    .filter(({ charge_type: type }) => type === 'unit')
    .map(({ amount }) => (typeof amount === 'number' ? String(amount) : (textOf(amount) ?? '')));
  const [amount, ...others] = amounts;
  return amount !== undefined && others.length === 0 && /^\d{1,9}(\.\d{1,9})?$/.test(amount)
    ? `${amount} units`
    : undefined;
}
