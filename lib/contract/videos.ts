import { z } from 'zod';
import {
  exactUnixSeconds,
  jsonValue,
  modeSchema,
  pageWithIdsOf,
  pixelSize,
  unixSeconds,
  usd,
  type JsonOf,
} from './fields';
import { quoteSchema } from './quotes';
import { deliverySchema } from './webhooks';

// Videos, as the API, the webhooks and the console show them.

const mediaUrl = z.string().describe('An https URL or a data URL.');
const imageUrls = z.array(z.union([mediaUrl, z.object({ image_url: mediaUrl.nullish(), url: mediaUrl.nullish() })]));
const videoUrls = z.array(z.union([mediaUrl, z.object({ video_url: mediaUrl.nullish(), url: mediaUrl.nullish() })]));
const wholeNumber = z.union([z.int(), z.string().regex(/^-?\d{1,16}$/)]);
const choice = (meaning: string) => z.boolean().nullish().describe(meaning);

/**
 * The request for a video, which may also be a form. Which values a field may have depends on the model, and a model
 * ignores the fields that it does not use, so `RequestFields` (lib/videos/request-fields.ts) reads them one by one.
 * This schema names the fields and their types; the reader accepts no others.
 */
export type VideoRequestJson = JsonOf<typeof videoRequestSchema>;
export type VideoField = keyof z.infer<typeof videoRequestSchema>;
export const videoRequestSchema = z.object({
  model: z.string().max(200).describe('An id or alias of the catalog, or `<provider>/<model>`.'),
  prompt: z.string().max(32_000).describe('A description of the video.'),
  seconds: wholeNumber.nullish().describe("If left out: the model's default."),
  size: z.string().nullish().describe('WIDTHxHEIGHT.'),
  width: wholeNumber.nullish().describe('In pixels. Sent together with height, instead of size.'),
  height: wholeNumber.nullish().describe('In pixels. Sent together with width, instead of size.'),
  fps: wholeNumber.nullish().describe('Frames per second.'),
  seed: wholeNumber.nullish().describe('The same seed makes similar videos.'),
  image_url: mediaUrl.nullish().describe('The first frame, as an https URL or a data URL.'),
  input_reference: z.object({ image_url: mediaUrl }).nullish().describe('Another form of `image_url`.'),
  image_list: imageUrls.nullish().describe('Reference images, or the first and the last frame.'),
  video_url: mediaUrl.nullish().describe('The video to edit.'),
  video_list: videoUrls.nullish().describe('Reference videos.'),
  reference_videos: videoUrls.nullish().describe('Another name of `video_list`.'),
  input_seconds: z
    .union([z.number(), z.string()])
    .nullish()
    .describe(
      'Seconds of input: the length of the video to edit, for which it is required, or the total length of the reference videos. If it is left out for reference videos whose seconds are billed, the maximum that the model takes is billed.',
    ),
  webhook: z.string().max(2_048).nullish().describe('A URL that receives the finished video with a POST.'),
  quality: z.enum(['basic', 'high']).nullish().describe('The quality tier.'),
  options: z.enum(['dop-lite', 'dop-turbo', 'dop-preview']).nullish().describe('The variant of the model.'),
  thinking_type: z.enum(['auto', 'enabled', 'disabled']).nullish().describe('Whether the model plans first.'),
  generate_audio: choice('Adds an audio track.'),
  sound: choice('Adds sound.'),
  keep_original_sound: choice('Keeps the sound of the source video.'),
  audio: choice('Adds an audio track.'),
  generate_audio_switch: choice('Adds an audio track.'),
  go_fast: choice('Prefers speed to quality.'),
  remove_watermark: choice('Leaves out the watermark of the provider.'),
  multi_clip: choice('Makes several clips.'),
  generate_multi_clip_switch: choice('Makes several clips, for transition models.'),
  bgm: choice('Adds background music.'),
  watermark: choice('Adds the watermark of the provider.'),
  prompt_extend: choice('Lets the provider extend the prompt.'),
  negative_prompt: z.string().max(5_000).nullish().describe('What the video should not show.'),
  reference_voice: z.string().max(2_048).nullish().describe('The URL of a recording, or the name of a voice.'),
});

/** A video; a field with an unknown value is absent, never null. */
export type VideoJson = JsonOf<typeof videoSchema>;
export const videoSchema = z.strictObject({
  id: z.string(),
  object: z.literal('video'),
  status: z.enum(['queued', 'in_progress', 'completed', 'failed']).describe('`completed` and `failed` are final.'),
  progress: z.literal([0, 100]).describe('100 when completed.'),
  model: z.string().describe('The id of the catalog, without alias or pin.'),
  seconds: z.string().describe('The requested duration.'),
  size: pixelSize.describe('The requested resolution, WIDTHxHEIGHT.'),
  usage: z.strictObject({ duration_seconds: z.number() }),
  provider_job_id: z.string().exactOptional().describe('The id at the provider, once it is known.'),
  video_url: z.string().exactOptional().describe('The URL of the file; only when completed.'),
  format: z.literal('mp4'),
  duration_seconds: z.number().exactOptional().describe('The duration of the output; only when completed.'),
  width: z.int().exactOptional().describe('The width of the output in pixels.'),
  height: z.int().exactOptional().describe('The height of the output in pixels.'),
  fps: z.int().exactOptional().describe('Frames per second of the output.'),
  cost: z.number().describe('US dollars: the held amount while the video runs, 0 if it failed.'),
  mode: modeSchema,
  created_at: unixSeconds,
  completed_at: unixSeconds.exactOptional(),
  expires_at: unixSeconds.exactOptional().describe('When the file is deleted.'),
  error: z.strictObject({ message: z.string(), code: z.string() }).exactOptional().describe('Only when failed.'),
});
export type VideoPageJson = JsonOf<typeof videoPageSchema>;
export const videoPageSchema = pageWithIdsOf(videoSchema);

/** The response to a submission: the fields of the specification, the estimated cost and the mode. */
export type SubmittedVideoJson = JsonOf<typeof submittedVideoSchema>;
export const submittedVideoSchema = videoSchema
  .pick({ id: true, object: true, model: true, seconds: true, size: true, usage: true, created_at: true })
  .extend({ status: z.literal('queued'), progress: z.literal(0), cost: videoSchema.shape.cost, mode: modeSchema });

export type DeletedVideoJson = JsonOf<typeof deletedVideoSchema>;
export const deletedVideoSchema = z.strictObject({
  id: z.string(),
  object: z.literal('video.deleted'),
  deleted: z.literal(true),
});

export const keyOfWork = z
  .strictObject({ id: z.string(), name: z.string().exactOptional() })
  .describe('Without a name when the key was deleted, or when the console made the request; its id is then "console".');

/** A video with the extra fields of the console's list. */
export type FoundVideoJson = JsonOf<typeof foundVideoSchema>;
export const foundVideoSchema = videoSchema.extend({
  prompt: z.string().exactOptional().describe('The first 200 characters.'),
  request_id: z.string(),
  key: keyOfWork,
  provider: z.string().exactOptional(),
  duration_ms: z.int().exactOptional().describe('From the request to the end; absent while it runs.'),
  favorite: z
    .boolean()
    .describe('Whether the caller has marked it; with a key, whether the person who made the key has.'),
});

export type FavoriteJson = JsonOf<typeof favoriteSchema>;
export const favoriteSchema = z.strictObject({
  id: z.string(),
  object: z.literal('video.favorite'),
  favorite: z.boolean(),
});
export type FoundVideoPageJson = JsonOf<typeof foundVideoPageSchema>;
export const foundVideoPageSchema = pageWithIdsOf(foundVideoSchema);

/** One event of the history of a video. */
export type TimelineEvent = JsonOf<typeof timelineEventSchema>;
const timelineEventSchema = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('accepted'), at: exactUnixSeconds, request_id: z.string() }),
  z.strictObject({
    event: z.literal('submitted'),
    at: exactUnixSeconds,
    attempt: z.int(),
    provider: z.string(),
    upstream_model: z.string(),
  }),
  z
    .strictObject({
      event: z.literal('refused'),
      at: exactUnixSeconds,
      attempt: z.int(),
      provider: z.string(),
      code: z.string().exactOptional(),
    })
    .describe('The provider refused, or its answer could not be understood ("unknown").'),
  z.strictObject({
    event: z.literal('started'),
    at: exactUnixSeconds,
    provider: z.string(),
    provider_job_id: z.string().exactOptional(),
  }),
  z.strictObject({ event: z.literal('in_progress'), at: exactUnixSeconds }),
  z
    .strictObject({ event: z.literal('checked'), at: exactUnixSeconds, count: z.int() })
    .describe('The last check of the provider, and how many there were.'),
  z.strictObject({ event: z.literal('completed'), at: exactUnixSeconds }),
  z.strictObject({ event: z.literal('failed'), at: exactUnixSeconds, code: z.string(), message: z.string() }),
  z.strictObject({
    event: z.literal('webhook'),
    at: exactUnixSeconds,
    delivery_id: z.string(),
    attempt: z.int(),
    delivered: z.boolean(),
    status: z.int().exactOptional(),
    error: z.string().exactOptional(),
  }),
]);

export type VideoAttemptJson = JsonOf<typeof videoAttemptSchema>;
const videoAttemptSchema = z.strictObject({
  attempt: z.int(),
  provider: z.string(),
  upstream_model: z.string(),
  outcome: z.enum(['preparing', 'unknown', 'accepted', 'refused', 'failed']),
  code: z.string().exactOptional(),
  started_at: exactUnixSeconds,
  duration_ms: z.int().exactOptional().describe('Milliseconds until the provider answered.'),
  sent: jsonValue.exactOptional().describe('The request to the provider, without credentials, with media shortened.'),
});

export type LedgerLineJson = JsonOf<typeof ledgerLineSchema>;
export const ledgerLineSchema = z
  .strictObject({
    id: z.string(),
    kind: z.enum(['grant', 'adjust', 'refund', 'hold', 'capture', 'release']),
    at: exactUnixSeconds,
    available: usd,
    held: usd,
    charged: usd,
  })
  .describe('One transfer: the signed changes of the three balance accounts.');

export const heldSchema = z.strictObject({ amount: usd, state: z.enum(['open', 'captured', 'released']) });

/** The quote, the hold and the charge. */
const chargedPriceSchema = z.strictObject({
  quoted: quoteSchema,
  held: heldSchema,
  charged: usd.exactOptional().describe('Absent until it is settled; "0" for a failed video.'),
  ledger: z.array(ledgerLineSchema),
});

export type IgnoredField = JsonOf<typeof ignoredFieldSchema>;
const ignoredFieldSchema = z.strictObject({ name: z.string(), reason: z.string() });

/** All stored data of one video, for the console: the fields of `GET /v1/videos/{id}` and the history. */
export type VideoDetails = JsonOf<typeof videoDetailsSchema>;
export const videoDetailsSchema = videoSchema.extend({
  request_id: z.string(),
  key: keyOfWork,
  candidates: z.array(z.string()).describe('The providers that may serve it, in the order in which they are tried.'),
  cancellable: z.boolean().describe('Whether it can be cancelled now.'),
  timeline: z.array(timelineEventSchema),
  attempts: z.array(videoAttemptSchema),
  request: jsonValue
    .exactOptional()
    .describe('Absent when it has been deleted: 30 days after a video completed, one day after it failed.'),
  ignored: z.array(ignoredFieldSchema).describe('The fields of the request that had no effect.'),
  price: chargedPriceSchema,
  webhook_deliveries: z.array(deliverySchema),
});

/** The response to a provider call that expects one: MiniMax gets its challenge back. */
export const callbackAnswerSchema = z.strictObject({ challenge: z.string() });
