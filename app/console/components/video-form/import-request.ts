import { parseVideoSize, checkSeconds } from '../../../../lib/catalog/video-dimensions';
import { providersOf } from '../../../../lib/domain/binding';
import { isGatewayError } from '../../../../lib/domain/errors';
import { isObject } from '../../../../lib/domain/json';
import type { VideoModel } from '../../../../lib/domain/model';
import type { VideoFacts } from '../../../../lib/domain/video';
import { isRatio } from '../../../../lib/domain/video-tiers';
import { RequestFields } from '../../../../lib/videos/request-fields';
import { parseParameters } from '../../../../lib/videos/video-parameters';
import { pinnedModel } from './pinned-model';
import { emptyForm, imageRule, type MediaPiece, type VideoForm, type ShownModel } from './form';
import { FOLLOW, pixelsOf, ratioChoices } from './sizes';

// Converts a request from elsewhere (a file, documentation, an earlier video) to a form. Fields that the model does not
// support are listed with the reason.

type NamedModel = Pick<ShownModel, 'model'>;

export interface Imported {
  readonly form: VideoForm;
  readonly left: readonly LeftField[];
}

export interface LeftField {
  readonly name: string;
  /** The value as shortened JSON. */
  readonly value: string;
  readonly reason: string;
}

/**
 * Converts a pasted JSON text to a form. Throws an Error with a user-readable message if it is not a request to a known
 * model.
 */
export function importText(text: string, models: readonly NamedModel[], current: NamedModel): Imported {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Error('This is not JSON. Paste the body of a request: an object in braces, with names in double quotes.');
  }
  if (!isObject(body)) throw new Error('This is JSON, but not an object. Paste the body of a request.');
  return importRequest(body, models, current);
}

/** Converts a request body to a form. `current` is the model for a body that names none. */
export function importRequest(
  body: Readonly<Record<string, unknown>>,
  models: readonly NamedModel[],
  current: NamedModel,
): Imported {
  const named = body.model === undefined ? { model: current.model } : findModel(body.model, models);
  const start: VideoForm = {
    ...emptyForm(named.model.id),
    ...('provider' in named && named.provider !== undefined ? { provider: named.provider } : {}),
  };
  const model = pinnedModel(named.model, start.provider);
  const reading = new Reading(body, model, start);
  reading.all();
  return { form: reading.form, left: reading.left };
}

function findModel(name: unknown, models: readonly NamedModel[]): { model: VideoModel; provider?: string } {
  if (typeof name !== 'string') throw new Error('model must be text, such as "sandbox-t2v".');
  const slash = name.indexOf('/');
  const id = name.slice(slash + 1);
  const found = models.find(({ model }) => model.id === id || model.aliases.includes(id));
  if (!found) throw new Error(`There is no video model "${name.slice(0, 80)}" here.`);
  const provider = slash < 0 ? undefined : name.slice(0, slash);
  if (provider !== undefined && !found.model.bindings.some(({ providerId }) => providerId === provider)) {
    throw new Error(
      `The provider "${provider}" does not serve ${found.model.id}. It is served by ${providersOf(found.model.bindings).join(', ')}.`,
    );
  }
  return { model: found.model, ...(provider === undefined ? {} : { provider }) };
}

const MAX_VALUE_CHARS = 80;

class Reading {
  readonly left: LeftField[] = [];

  constructor(
    private readonly body: Readonly<Record<string, unknown>>,
    private readonly model: VideoModel,
    public form: VideoForm,
  ) {}

  all(): void {
    for (const [name, value] of Object.entries(this.body)) {
      if (value === undefined || value === null) continue;
      try {
        this.field(name, value);
      } catch (error) {
        if (!(error instanceof Error) && !isGatewayError(error)) throw error;
        this.leave(name, value, error.message);
      }
    }
  }

  private field(name: string, value: unknown): void {
    const { model, form } = this;
    const facts = model.video;
    switch (name) {
      case 'model':
        return;
      case 'prompt':
        this.form = { ...form, prompt: this.fields({ prompt: value }).text('prompt', facts.promptCharacters) ?? '' };
        return;
      case 'seconds': {
        const { resolution } = choicesOf(facts, this.sizeFields(), model.id);
        const seconds = checkSeconds(facts, value, { modelId: model.id, resolution });
        this.form = seconds === facts.defaultSeconds ? form : { ...form, seconds };
        return;
      }
      case 'size':
      case 'width':
        this.form = { ...form, ...choicesOf(facts, this.sizeFields(), model.id) };
        return;
      case 'height':
        if (this.body.width === undefined) choicesOf(facts, this.sizeFields(), model.id);
        return;
      case 'webhook':
        this.form = { ...form, webhook: this.fields({ webhook: value }).text('webhook', 2_048) ?? '' };
        return;
      case 'fps':
      case 'seed':
        return this.number(name, value);
      case 'image_url':
      case 'input_reference':
      case 'image_list':
        return this.images(name, value);
      case 'video_list':
      case 'reference_videos':
        return this.videos(name, value);
      case 'video_url':
        if (!facts.media.sourceVideo) return this.leaveUnsupported(name, value);
        this.form = {
          ...form,
          source: pieceOf(this.fields({ video_url: value }).text('video_url', Infinity) ?? '', 'source'),
        };
        return;
      case 'input_seconds':
        if (!facts.media.sourceVideo && !facts.media.videos) return this.leaveUnsupported(name, value);
        this.form = { ...form, inputSeconds: String(value) };
        return;
      default:
        return this.parameter(name, value);
    }
  }

  private parameter(name: string, value: unknown): void {
    if (!this.model.video.parameters.includes(name)) return this.leaveUnsupported(name, value);
    const read = parseParameters(this.fields({ [name]: value }), this.model.video)[name];
    if (read !== undefined) this.form = { ...this.form, values: { ...this.form.values, [name]: read } };
  }

  private number(name: string, value: unknown): void {
    const facts = this.model.video;
    if (!facts.parameters.includes(name)) return this.leaveUnsupported(name, value);
    const [min, max] =
      name === 'seed' ? [0, facts.maxSeed] : [facts.fps.min ?? facts.fps.default, facts.fps.max ?? facts.fps.default];
    const read = this.fields({ [name]: value }).integer(name, min, max);
    const standard = name === 'fps' ? facts.fps.default : undefined;
    if (read !== undefined && read !== standard)
      this.form = { ...this.form, values: { ...this.form.values, [name]: read } };
  }

  private images(name: string, value: unknown): void {
    const facts = this.model.video;
    const { max } = imageRule(facts);
    if (max === 0 || (facts.kind !== 'i2v' && name !== 'image_list')) return this.leaveUnsupported(name, value);
    const fields = this.fields({ [name]: value });
    const one = name === 'input_reference' ? fields.imageObject(name)?.image_url : fields.raw(name);
    const urls =
      name === 'image_list'
        ? (fields.urls(name, ['image_url', 'url']) ?? [])
        : [this.fields({ image: one }).text('image', Infinity) ?? ''];
    this.form = { ...this.form, images: urls.slice(0, max).map((url, index) => pieceOf(url, `image ${index + 1}`)) };
    if (urls.length > max)
      this.leave(
        name,
        urls.slice(max),
        `${this.model.id} accepts ${max === 1 ? 'one image' : `at most ${max} images`}; the others were left out.`,
      );
  }

  private videos(name: string, value: unknown): void {
    const max = this.model.video.media.videos?.max ?? 0;
    if (max === 0) return this.leaveUnsupported(name, value);
    const urls = this.fields({ [name]: value }).urls(name, ['video_url', 'url']) ?? [];
    this.form = { ...this.form, videos: urls.slice(0, max).map((url, index) => pieceOf(url, `video ${index + 1}`)) };
    if (urls.length > max)
      this.leave(name, urls.slice(max), `${this.model.id} accepts at most ${max} videos; the others were left out.`);
  }

  private sizeFields(): { size?: unknown; width?: unknown; height?: unknown } {
    const { size, width, height } = this.body;
    return { size, width, height };
  }

  private fields(values: Readonly<Record<string, unknown>>): RequestFields {
    return new RequestFields(values, false);
  }

  private leaveUnsupported(name: string, value: unknown): void {
    this.leave(name, value, `${this.model.id} does not support it; the API would ignore it.`);
  }

  private leave(name: string, value: unknown, reason: string): void {
    this.left.push(leftField(name, value, reason));
  }
}

export function leftField(name: string, value: unknown, reason: string): LeftField {
  const text = JSON.stringify(value) ?? '';
  return { name, value: text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text, reason };
}

/** Converts a URL of a request to a piece of media. A data URL gets a generated name. */
export function pieceOf(url: string, name: string): MediaPiece {
  if (!/^data:/i.test(url)) return { kind: 'url', url };
  const base64 = url.length - url.indexOf(',') - 1;
  return { kind: 'file', name, sizeBytes: Math.floor((base64 * 3) / 4), dataUrl: url };
}

/**
 * Converts the size of a request to the form's choices, or to `exactSize` if it is non-standard. Throws like
 * `parseVideoSize`.
 */
function choicesOf(
  facts: VideoFacts,
  fields: { size?: unknown; width?: unknown; height?: unknown },
  modelId: string,
): { resolution: string; ratio: string; exactSize?: string } {
  const size = parseVideoSize(facts, fields, modelId);
  const ratio = size.aspectRatio !== undefined && isRatio(size.aspectRatio) ? size.aspectRatio : FOLLOW;
  const exact = `${size.width}x${size.height}`;
  const usual =
    pixelsOf(size.resolution, ratio).join('x') === exact && ratioChoices(facts, size.resolution).includes(ratio);
  return { resolution: size.resolution, ratio, ...(usual ? {} : { exactSize: exact }) };
}
