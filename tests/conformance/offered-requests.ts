import { servesResolution, withBindings } from '../../lib/catalog/binding-facts';
import type { VideoModel } from '../../lib/domain/model';
import type { MediaForm } from '../../lib/domain/video';
import { isRatio, allowedSeconds, canonicalSize } from '../../lib/domain/video-tiers';
import { videoParameters } from '../../lib/videos/video-parameters';
import { mp4Bytes, PICTURE } from '../support/media-bytes';

// Requests for everything that one provider offers of a model: each kind of media, each tier, each ratio, the shortest and
// the longest duration, and each value of each parameter.

export type Fields = Readonly<Record<string, unknown>>;

/** A request that differs from the plain one in one choice. */
export interface OfferedRequest {
  /** The choice, such as `size=1920x1080`. */
  readonly choice: string;
  readonly body: Fields;
  /** The vendor gets the same as for the plain request, because the fields are another way to say it. */
  readonly isSynonym?: true;
}

/** The model as this provider serves it. */
export function servedBy(model: VideoModel, providerId: string): VideoModel {
  return withBindings(
    model,
    model.bindings.filter((binding) => binding.providerId === providerId),
  );
}

/** The first two requests are the plain one, twice. */
export function offeredRequests(model: VideoModel): readonly OfferedRequest[] {
  const { video: facts } = model;
  const [binding] = model.bindings;
  const picture = (index: number) => pictureFor(binding?.mediaForms?.images, index);
  const clip = (index: number) => clipFor(binding?.mediaForms?.videos, index);
  const media = mediaOf(model, picture, clip);
  const plain = { prompt: 'A lighthouse in the fog', ...media.required };
  const offered = (changes: Fields, more: Pick<OfferedRequest, 'isSynonym'> = {}): OfferedRequest => ({
    choice: Object.entries(changes)
      .map(([name, value]) => `${name}=${shown(value)}`)
      .join(' '),
    body: { ...plain, ...changes },
    ...more,
  });
  const size = (tier: string, ratio: string) => ({ size: canonicalSize(tier, ratio).join('x') });
  const ratios = facts.aspectRatios.filter(isRatio);
  // Without a size, the video has the shape of its picture, which is square.
  const followsPicture = facts.aspectRatios.includes('adaptive');
  const tier = facts.defaultResolution;
  const lengths = allowedSeconds(facts, tier);
  const wanted = facts.defaultSeconds ?? media.seconds;
  const usual = lengths.find((length) => length >= wanted) ?? lengths.at(-1);

  return [
    { choice: 'plain', body: plain },
    { choice: 'plain again', body: plain, isSynonym: true },
    ...media.others.map((changes) => offered(changes)),
    ...media.synonyms.map((changes) => offered(changes, { isSynonym: true })),
    ...facts.resolutions.filter((other) => other !== tier).map((other) => offered(size(other, ratios[0] ?? '16:9'))),
    // An edit without a size keeps the shape of its source, so that every ratio is a choice.
    ...ratios
      .slice(facts.kind === 'video-edit' ? 0 : 1)
      .filter((ratio) => !(followsPicture && ratio === '1:1'))
      .map((ratio) => offered(size(tier, ratio))),
    ...(facts.outputFollowsSource
      ? []
      : [...new Set([lengths[0], lengths.at(-1)])]
          .filter((length) => length !== usual)
          .map((seconds) => offered({ seconds }))),
    ...facts.parameters.flatMap((name) => valuesOf(name, model).map((value) => offered({ [name]: value }))),
  ];
}

/** The upstream models that serve the tiers of a model. */
export function upstreamModels({ video, bindings }: VideoModel): ReadonlySet<string> {
  return new Set(
    bindings
      .filter((binding) => video.resolutions.some((tier) => servesResolution(binding, tier)))
      .map(({ modelName }) => modelName),
  );
}

/** The values of a parameter that differ from its default. */
function valuesOf(name: string, { video: facts, bindings }: VideoModel): readonly unknown[] {
  if (name === 'seed') return [0, facts.maxSeed];
  if (name === 'fps') return [facts.fps.max].filter((fps) => fps !== facts.fps.default);
  const parameter = videoParameters[name];
  switch (parameter?.type) {
    case undefined:
      throw new Error(`There is no parameter ${name}.`);
    case 'boolean':
      return [!(parameter.standard ?? false)];
    case 'word':
      // The upstream model is the default of `options`.
      return parameter.words.filter((word) => word !== parameter.standard && word !== bindings[0]?.modelName);
    case 'text':
      return [name === 'reference_voice' ? 'https://media.example/voice.mp3' : 'rain'];
  }
}

interface Media {
  readonly required: Fields;
  /** Other media that the model takes. */
  readonly others: readonly Fields[];
  readonly synonyms: readonly Fields[];
  /** Of the source of an edit. */
  readonly seconds: number;
}

type UrlOf = (index: number) => string;

function mediaOf({ video: facts, bindings }: VideoModel, picture: UrlOf, clip: UrlOf): Media {
  const pictures = (count: number) => Array.from({ length: count }, (_, index) => picture(index));
  const clips = (count: number) => Array.from({ length: count }, (_, index) => clip(index));
  const { images, videos } = facts.media;
  // As long as it may be at every resolution, so that a shorter output can be chosen.
  const longest = facts.sourceSeconds?.max ?? 15;
  const seconds = Math.min(...bindings.map(({ sourceSeconds }) => sourceSeconds?.max ?? longest));
  const none = { required: {}, others: [], synonyms: [], seconds };
  switch (facts.kind) {
    case 't2v':
      return none;
    case 'i2v':
      return {
        ...none,
        required: { image_url: picture(0) },
        synonyms: [
          { image_url: undefined, input_reference: { image_url: picture(0) } },
          { image_url: undefined, image_list: [picture(0)] },
        ],
      };
    case 'start-end':
      return { ...none, required: { image_list: pictures(2) } };
    case 'r2v':
      if (!images)
        return {
          ...none,
          required: { video_list: clips(1), input_seconds: 4 },
          others: (videos?.max ?? 0) > 1 ? [{ video_list: clips(2) }] : [],
        };
      return {
        ...none,
        required: { image_list: pictures(1) },
        others: [
          ...(images && images.max > 1 ? [{ image_list: pictures(Math.min(4, images.max)) }] : []),
          ...(videos && images.min === 0 ? [{ image_list: undefined, video_list: clips(1), input_seconds: 4 }] : []),
          ...(videos ? [{ video_list: clips(1) }] : []),
        ],
      };
    case 'video-edit':
      return {
        ...none,
        required: { video_url: clip(0), input_seconds: seconds },
        others: images ? [{ image_list: pictures(1) }] : [],
      };
  }
}

/** Inside the request only if the vendor takes no URLs. */
function clipFor(forms: readonly MediaForm[] | undefined, index: number): string {
  return forms?.includes('https') === false
    ? `data:video/mp4;base64,${mp4Bytes().toString('base64')}`
    : `https://media.example/${index}.mp4`;
}

/** Inside the request if the vendor takes that, because some vendors need to know its shape. */
function pictureFor(forms: readonly MediaForm[] | undefined, index: number): string {
  return forms?.every((form) => form === 'https') ? `https://media.example/${index}.png` : PICTURE;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'none';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
