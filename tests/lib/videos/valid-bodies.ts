import fc from 'fast-check';
import { allowedSeconds } from '../../../lib/domain/video-tiers';
import { parseVideoSize, supportedSizes } from '../../../lib/catalog/video-dimensions';
import type { VideoModel } from '../../../lib/domain/model';

// Bodies that a model must accept: minimal ones, and random ones that use every feature.

export type Body = Record<string, unknown>;

const picture = (index: number) => `https://example.com/${index}.png`;
const clip = (index: number) => `https://example.com/${index}.mp4`;
const several = (count: number, urlOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => urlOf(index));

/** The fields that the kind of the model requires. */
export function requiredMedia({ video: { kind, media } }: VideoModel): Body {
  switch (kind) {
    case 't2v':
      return {};
    case 'i2v':
      return { image_url: picture(0) };
    case 'start-end':
      return { image_list: several(2, picture) };
    case 'r2v':
      return media.images
        ? { image_list: several(Math.max(1, media.images.min), picture) }
        : { video_list: several(1, clip) };
    case 'video-edit':
      return { video_url: clip(0), input_seconds: 5 };
  }
}

export function minimalBody(model: VideoModel): Body {
  return { model: model.id, prompt: 'a cat', ...requiredMedia(model) };
}

const words: Readonly<Record<string, readonly string[]>> = {
  quality: ['basic', 'high'],
  options: ['dop-lite', 'dop-turbo', 'dop-preview'],
  thinking_type: ['auto', 'enabled', 'disabled'],
};
const texts = ['negative_prompt', 'reference_voice'];
const VOICE = 'https://example.com/voice.mp3';

function parameterValue(name: string, model: VideoModel): fc.Arbitrary<unknown> {
  const { fps } = model.video;
  if (words[name]) return fc.constantFrom(...words[name]);
  if (name === 'reference_voice' && !model.bindings.some(({ voiceNames }) => voiceNames)) return fc.constant(VOICE);
  if (texts.includes(name)) return fc.constantFrom('blurry, dull', VOICE);
  if (name === 'seed') return fc.integer({ min: 0, max: model.video.maxSeed });
  if (name === 'fps') return fc.integer({ min: fps.min ?? fps.default, max: fps.max ?? fps.default });
  return fc.boolean();
}

function parameterValues(name: string, { video: { fps, maxSeed } }: VideoModel): readonly unknown[] {
  if (words[name]) return words[name];
  if (texts.includes(name)) return [VOICE];
  if (name === 'seed') return [0, maxSeed];
  if (name === 'fps') return [fps.min ?? fps.default, fps.max ?? fps.default];
  return [true, false];
}

/** Bodies that set each parameter of the model to each of its values, alone and with all the others. */
export function parameterBodies(model: VideoModel): Body[] {
  const names = model.video.parameters;
  const all = Object.fromEntries(names.map((name) => [name, parameterValues(name, model)[0]]));
  const settings = names.flatMap((name) => parameterValues(name, model).map((value) => ({ [name]: value })));
  return settings.flatMap((setting) => [
    { ...minimalBody(model), ...setting },
    { ...minimalBody(model), ...all, ...setting },
  ]);
}

function media(model: VideoModel): fc.Arbitrary<Body> {
  const { kind, media: rule } = model.video;
  const pictures = (least: number) =>
    fc
      .integer({ min: Math.max(least, rule.images?.min ?? 0), max: rule.images?.max ?? 0 })
      .map((count) => several(count, picture));
  const clips = (least: number) =>
    fc
      .integer({ min: Math.max(least, rule.videos?.min ?? 0), max: rule.videos?.max ?? 0 })
      .map((count) => several(count, clip));
  switch (kind) {
    case 't2v':
    case 'start-end':
      return fc.constant(requiredMedia(model));
    case 'i2v':
      return fc.constantFrom<Body>(
        { image_url: picture(0) },
        { input_reference: { image_url: picture(0) } },
        { image_list: [picture(0)] },
      );
    case 'r2v': {
      const options: fc.Arbitrary<Body>[] = [];
      if (rule.images) options.push(fc.record({ image_list: pictures(1) }));
      if (rule.videos && rule.eitherRequired)
        options.push(
          fc
            .record({ image_list: pictures(0), video_list: clips(1) })
            .filter(({ image_list: images, video_list: videos }) => takes(model, images.length, videos.length)),
          fc.record({
            reference_videos: clips(1),
            input_seconds: fc.constantFrom(...[3, '7.5', 12].filter((seconds) => takesSeconds(model, Number(seconds)))),
          }),
        );
      if (rule.videos && !rule.images) options.push(fc.record({ video_list: clips(1) }));
      return fc.oneof(...options);
    }
    case 'video-edit':
      return fc.record(
        {
          video_url: fc.constant(clip(0)),
          input_seconds: fc.constantFrom<unknown>(
            ...[1, 2.4, 4, 5, '5', 7.5, '7.5', 10, 60].filter((seconds) => isSourceLength(Number(seconds), model)),
          ),
          image_list: rule.images ? pictures(0) : fc.constant(undefined),
        },
        { requiredKeys: ['video_url', 'input_seconds'] },
      );
  }
}

/** Do all bindings take so many references together? One that does not may be the only one that takes the rest of a body. */
function takes({ bindings }: VideoModel, images: number, videos: number): boolean {
  return bindings.every(
    ({ references: { together = Infinity, imagesBesideVideo = Infinity } = {} }) =>
      images + videos <= together && images <= imagesBesideVideo,
  );
}

/** Do all bindings take reference videos of so many seconds? */
function takesSeconds({ bindings }: VideoModel, seconds: number): boolean {
  return bindings.every(({ price }) =>
    price.rates.every(({ inputSecondsIfUnstated = Infinity }) => seconds <= inputSecondsIfUnstated),
  );
}

/**
 * A body that the model must accept, with any of its sizes, lengths and parameters; sometimes with fields that it
 * ignores.
 */
export function validBody(model: VideoModel): fc.Arbitrary<Body> {
  const facts = model.video;
  const size = fc.option(fc.constantFrom(...supportedSizes(facts)), { nil: undefined });
  const parameters = fc.record(
    Object.fromEntries(facts.parameters.map((name) => [name, parameterValue(name, model)])),
    { requiredKeys: [] },
  );
  const strange = fc.record({ style: fc.jsonValue({ maxDepth: 1 }), 'x.y[z]': fc.boolean() }, { requiredKeys: [] });
  return size.chain((chosen) => {
    const { resolution } = parseVideoSize(facts, { size: chosen }, model.id);
    const length = fc.option(
      fc
        .constantFrom(...allowedSeconds(facts, resolution))
        .chain((seconds) => fc.constantFrom<unknown>(seconds, String(seconds))),
      { nil: undefined },
    );
    const [width, height] = (chosen ?? '').split('x').map(Number);
    const sides =
      chosen === undefined ? [{}] : [{ size: chosen }, { width, height }, { size: chosen, width: String(width) }];
    return fc
      .tuple(
        fc.constantFrom(model.id, ...model.aliases),
        fc.constantFrom('a cat', '  猫 🐈 \n', 'x'.repeat(facts.promptCharacters)),
        length,
        fc.constantFrom<Body>(...sides),
        media(model),
        parameters,
        strange,
      )
      .map(([name, prompt, seconds, pixels, pieces, values, rest]) => ({
        model: name,
        prompt,
        ...(seconds === undefined ? {} : { seconds }),
        ...pixels,
        ...pieces,
        ...values,
        ...rest,
      }));
  });
}

function isSourceLength(seconds: number, { video: { sourceSeconds } }: VideoModel): boolean {
  return !sourceSeconds || (seconds >= sourceSeconds.min && seconds <= sourceSeconds.max);
}

/** The same body as a form sends it: numbers and booleans are text, and null fields are absent. */
export function asForm(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asForm);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, inner]) => inner !== null && inner !== undefined)
        .map(([key, inner]) => [key, asForm(inner)]),
    );
  }
  return typeof value === 'string' ? value : String(value);
}
