import { z } from 'zod';
import type { JsonOf } from '../contract/fields';
import { parsePrice } from '../domain/money';
import type { Modality, VideoModel } from '../domain/model';
import type { MediaRule, VideoBinding, VideoPrice } from '../domain/video';
import { unionOfFacts } from './binding-facts';
import { bindingFields, bindingStability, dollars, identityFields, priceSourceFields } from './entry-fields';
import { mediaFormsOf } from './media-forms';
import { MAX_NEGATIVE_PROMPT_CHARACTERS, MAX_PROMPT_CHARACTERS, MAX_SEED } from './request-limits';
import { parameterNames } from './validate-catalog';

// How a family's file declares a video model: the shared facts once, and a provider's differences in its binding.

const references = z
  .strictObject({
    together: z.int().positive().exactOptional().describe('Images and videos.'),
    imagesBesideVideo: z.int().nonnegative().exactOptional().describe('Images in a request with a video.'),
  })
  .describe('Limits on the references of a request, in addition to the maximum of each kind.');
const pricePer = z.enum(['output_second', 'input_plus_output_second', 'clip']);
const count = z.strictObject({ min: z.int().nonnegative(), max: z.int().positive() });
const secondsRange = z
  .strictObject({ min: z.number().nonnegative(), max: z.number().positive() })
  .describe('Seconds, both ends included; may be fractions.');
const wholeSecondsList = z.array(z.int().positive()).min(1).describe('Whole seconds, ascending.');
const tiers = z.array(z.string()).describe('Such as "720p", "1080p", "4k".');
const ratios = z.array(z.string()).describe('Such as "16:9"; "adaptive" follows the media.');
const characters = z.int().positive();
// Their names are validated with the rest of the model; the schema lists them for editors.
const parameters = z.array(z.string().meta({ enum: [...parameterNames] })).describe('Parameters of the API.');
const audio = z
  .enum(['always', 'toggle', 'none', 'source', 'bgm'])
  .describe(
    'In this order: always with sound; the request chooses; never with sound; the sound of the source; with or without music, as the request chooses.',
  );
const mediaForms = z.array(z.enum(['https', 'data', 'base64', 'bytes'])).min(1);

export const videoPriceSchema = z
  .strictObject({
    per: pricePer.describe('What the rates are for; a clip costs the same at every length.'),
    rates: z
      .array(
        z.strictObject({
          resolution: z.string().exactOptional(),
          audio: z.boolean().exactOptional(),
          seconds: z.int().positive().exactOptional(),
          option: z.string().exactOptional().describe('The value of the parameter "options".'),
          aspectRatios: ratios.exactOptional().describe('For orders of one of these ratios.'),
          withVideoInput: z.boolean().exactOptional().describe('For orders with reference videos, or without.'),
          withVoice: z.literal(true).exactOptional().describe('For orders with a reference voice.'),
          inputSecondsIfUnstated: z
            .int()
            .positive()
            .exactOptional()
            .describe('The seconds that are billed for reference videos whose length the caller does not state.'),
          inputSecondsOfEachIfUnstated: z
            .int()
            .positive()
            .exactOptional()
            .describe('The same, for each reference video.'),
          inputSecondsAtMost: z
            .int()
            .positive()
            .exactOptional()
            .describe('The maximum of billed seconds of the input.'),
          inputAtLeastOutput: z
            .literal(true)
            .exactOptional()
            .describe('The input is billed as at least as long as the output.'),
          per: pricePer.exactOptional().describe("Overrides the price's own."),
          unverified: z
            .literal(true)
            .exactOptional()
            .describe(
              'The rate is not confirmed at the source: live requests are served at it only after CONFIRMED_PRICES names the model.',
            ),
          usd: dollars,
        }),
      )
      .min(1)
      .describe('The first rate whose stated conditions all hold applies; one without conditions always applies.'),
    extras: z
      .array(z.strictObject({ per: z.literal('picture'), free: z.int().nonnegative(), usd: dollars }))
      .exactOptional()
      .describe('Charged for each image of the request beyond the number of "free" images.'),
    ...priceSourceFields,
  })
  .describe('The price of a video.');

const rules = z
  .array(z.strictObject({ resolutions: tiers, seconds: wholeSecondsList }))
  .describe('Restricted combinations: these resolutions only with these durations.');

/**
 * The schema of a binding. Facts that it leaves out are those of the model, and forms of media those of the provider
 * (`media-forms.ts`).
 */
export const videoBindingSchema = z.strictObject({
  ...bindingFields,
  stability: bindingStability,
  price: videoPriceSchema.exactOptional(),
  parameters: parameters.exactOptional(),
  resolutions: tiers
    .exactOptional()
    .describe("Stated if they are fewer than the model's. The price covers these only."),
  seconds: wholeSecondsList.exactOptional(),
  aspectRatios: ratios.exactOptional().describe('Empty: the ratio follows the media and cannot be chosen.'),
  audio: audio.exactOptional(),
  rules: rules.exactOptional(),
  media: z
    .strictObject({ images: count.exactOptional(), videos: count.exactOptional() })
    .exactOptional()
    .describe('How many of each kind the provider takes. It takes none of a kind that is absent.'),
  references: references.exactOptional(),
  voiceNames: z
    .literal(true)
    .exactOptional()
    .describe('"reference_voice" may be the name of a voice; otherwise it is the URL of a recording.'),
  mediaForms: z
    .strictObject({ images: mediaForms.exactOptional(), videos: mediaForms.exactOptional() })
    .exactOptional()
    .describe("The forms in which the provider takes media. Absent: the provider's own."),
  promptCharacters: characters.exactOptional(),
  negativePromptCharacters: characters.exactOptional(),
  promptBytes: characters
    .exactOptional()
    .describe('The longest prompt and the longest negative prompt in bytes of UTF-8, if the provider counts bytes.'),
  maxSeed: z.int().positive().exactOptional(),
  sourceSeconds: secondsRange.exactOptional(),
  deadlineSeconds: z.int().positive().exactOptional(),
  outputFollowsSource: z.literal(true).exactOptional().describe('Edits: the output is as long as the source.'),
  cutsSource: z
    .literal(true)
    .exactOptional()
    .describe(
      'Edits: if the request has fewer seconds than the source, the source is cut; otherwise the output is as long as the source.',
    ),
  unmoderated: z.literal(true).exactOptional().describe('The provider does not look at the content.'),
  sameRequestAs: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      "The upstream name of a model that takes the same requests, if the provider's adapter does not know this one.",
    ),
});

export const videoEntrySchema = z.strictObject({
  ...identityFields,
  kind: z.enum(['t2v', 'i2v', 'r2v', 'video-edit', 'start-end']),
  seconds: wholeSecondsList.describe('The allowed durations of the output, in whole seconds, ascending.'),
  defaultSeconds: z.int().positive().exactOptional().describe('Required for every kind but edits.'),
  resolutions: tiers.min(1),
  defaultResolution: z.string(),
  aspectRatios: ratios.exactOptional().describe('Absent: the ratio follows the media.'),
  fps: z
    .strictObject({
      default: z.number().positive(),
      min: z.number().positive().exactOptional(),
      max: z.number().positive().exactOptional(),
    })
    .describe('With a range, the parameter "fps" must be among the parameters.'),
  audio,
  silentResolutions: tiers
    .exactOptional()
    .describe('For "toggle": resolutions at which there is never sound, whatever the request says.'),
  silentWithVideo: z
    .literal(true)
    .exactOptional()
    .describe('For "toggle": there is never sound in a video from a reference video, whatever the request says.'),
  media: z
    .strictObject({
      images: count.exactOptional(),
      videos: count.exactOptional(),
      eitherRequired: z.boolean().exactOptional().describe('Images or videos, at least one in total.'),
      sourceVideo: z.boolean().exactOptional(),
    })
    .exactOptional()
    .describe('How many items of media the model takes. A minimum above 0 makes them required.'),
  references: references.exactOptional().describe('Those of every binding that does not list its own.'),
  parameters: parameters.describe('Those of every binding that does not list its own.'),
  rules: rules.exactOptional(),
  promptCharacters: characters.exactOptional().describe('The longest prompt. Absent: 32000.'),
  negativePromptCharacters: characters.exactOptional().describe('Absent: 5000.'),
  maxSeed: z.int().positive().exactOptional().describe('Absent: 4294967295.'),
  sourceSeconds: secondsRange.exactOptional().describe('Edits: the allowed lengths of the source, in seconds.'),
  deadlineSeconds: z
    .int()
    .positive()
    .exactOptional()
    .describe('Seconds after which a video counts as failed. Absent: 900.'),
  price: videoPriceSchema.describe('The price of every binding that does not state its own.'),
  bindings: z.array(videoBindingSchema).min(1).describe('In the order of preference.'),
});

export type VideoModelEntry = JsonOf<typeof videoEntrySchema>;
export type BindingEntry = VideoModelEntry['bindings'][number];
export type VideoPriceEntry = VideoModelEntry['price'];

/** 2026-11-21, when the first entries were added; a later entry has its own date. */
export const firstEdition = 1_795_219_200;
/** 2026-11-23. */
export const secondEdition = 1_795_392_000;
/** 2026-11-25. */
export const thirdEdition = 1_795_564_800;
/** 2026-11-27. */
export const fourthEdition = 1_795_737_600;
/** 2026-11-29. */
export const fifthEdition = 1_795_910_400;

/** Fifteen minutes: five times as long as the slowest usual video. */
const DEADLINE_SECONDS = 900;

/**
 * Creates a video model of the catalog. Its facts are the union over its bindings. An unverified price makes its
 * binding experimental. If all prices are unverified, the model is experimental too.
 */
export function videoModel(entry: VideoModelEntry): VideoModel {
  const price = videoPriceOf(entry.price);
  const bindings = entry.bindings.map((binding) => bindingOf(binding, entry, price));
  const stability = bindings.some(({ price }) => price.verified) ? (entry.stability ?? 'stable') : 'experimental';
  const media = entry.media ?? {};
  return {
    id: entry.id,
    name: entry.name,
    aliases: entry.aliases ?? [],
    created: entry.created,
    description: entry.description,
    family: entry.family,
    capability: 'video',
    inputModalities: inputModalities(media),
    outputModalities: ['video'],
    stability,
    free: false,
    ...(entry.deprecatedAt !== undefined && { deprecatedAt: entry.deprecatedAt }),
    ...(entry.deactivatedAt !== undefined && { deactivatedAt: entry.deactivatedAt }),
    ...(entry.replacements && { replacements: entry.replacements }),
    video: unionOfFacts(
      {
        kind: entry.kind,
        seconds: entry.seconds,
        ...(entry.defaultSeconds !== undefined && { defaultSeconds: entry.defaultSeconds }),
        resolutions: entry.resolutions,
        defaultResolution: entry.defaultResolution,
        aspectRatios: entry.aspectRatios ?? [],
        fps: entry.fps,
        audio: entry.audio,
        ...(entry.silentResolutions && { silentResolutions: entry.silentResolutions }),
        ...(entry.silentWithVideo && { silentWithVideo: true }),
        media,
        parameters: [...new Set([entry.parameters, ...bindings.map((binding) => binding.parameters)].flat())],
        rules: entry.rules ?? [],
        deadlineSeconds: entry.deadlineSeconds ?? DEADLINE_SECONDS,
        promptCharacters: entry.promptCharacters ?? MAX_PROMPT_CHARACTERS,
        negativePromptCharacters: entry.negativePromptCharacters ?? MAX_NEGATIVE_PROMPT_CHARACTERS,
        maxSeed: entry.maxSeed ?? MAX_SEED,
        ...(entry.sourceSeconds && { sourceSeconds: entry.sourceSeconds }),
      },
      bindings,
    ),
    bindings,
  };
}

function bindingOf(binding: BindingEntry, entry: VideoModelEntry, priceOfModel: VideoPrice): VideoBinding {
  const price = binding.price ? videoPriceOf(binding.price) : priceOfModel;
  const media = entry.media ?? {};
  const mediaForms = mediaFormsOf(binding.providerId, { images: takesImages(media), videos: takesVideos(media) });
  return {
    ...(mediaForms && { mediaForms }),
    ...(entry.references && { references: entry.references }),
    ...binding,
    stability: price.verified ? (binding.stability ?? entry.stability ?? 'stable') : 'experimental',
    price,
    parameters: binding.parameters ?? entry.parameters,
    // If any binding has rules of its own, the model's rules are the union over all bindings.
    ...(entry.bindings.some((each) => each.rules) && { rules: binding.rules ?? entry.rules ?? [] }),
  };
}

/** Converts the price to exact numbers. Throws if a text is not a plain decimal. */
export function videoPriceOf({ rates, extras, ...price }: VideoPriceEntry): VideoPrice {
  return {
    ...price,
    rates: rates.map((rate) => ({ ...rate, usd: parsePrice(rate.usd) })),
    ...(extras && { extras: extras.map((extra) => ({ ...extra, usd: parsePrice(extra.usd) })) }),
  };
}

function inputModalities(media: MediaRule): Modality[] {
  return [
    'text',
    ...(takesImages(media) ? (['image'] as const) : []),
    ...(takesVideos(media) ? (['video'] as const) : []),
  ];
}

const takesImages = ({ images }: MediaRule) => images !== undefined;
const takesVideos = ({ videos, sourceVideo }: MediaRule) => videos !== undefined || sourceVideo === true;
