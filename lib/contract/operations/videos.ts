import { z } from 'zod';
import * as examples from '../examples/videos';
import { deliveryExample } from '../examples/webhooks';
import { deletedVideoSchema, submittedVideoSchema, videoPageSchema, videoRequestSchema, videoSchema } from '../videos';
import { deliveryPageSchema, deliverySchema } from '../webhooks';
import {
  cancelErrors,
  contentErrors,
  creditErrors,
  json,
  modelErrors,
  notModified,
  operation,
  pageParams,
  requestBody,
  retirementHeaders,
  type Answers,
  type Operation,
} from './operation';

export const videoParam = 'The id of the video.';
export const pollHeaders = ['openai-poll-after-ms', 'retry-after'] as const;

/** The errors of a submission, in addition to the mistakes that every body can have. */
export const submissionErrors = [
  ...modelErrors,
  ...creditErrors,
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'conflicting_parameters',
  'missing_required_media',
  'invalid_media_count',
  'url_not_allowed',
  'media_unreachable',
  'media_invalid',
  'media_too_large',
  'content_policy_violation',
  'no_provider_available',
] as const;

const fileHeaders = ['etag', 'accept-ranges', 'content-disposition'] as const;
export const videoFile: Answers = {
  200: { description: 'The file.', mediaType: 'video/mp4', headers: fileHeaders },
  206: {
    description: 'The part of the file that `Range` names.',
    mediaType: 'video/mp4',
    headers: [...fileHeaders, 'content-range'],
  },
  ...notModified(['etag', 'accept-ranges']),
};

export const videoOperations: readonly Operation[] = [
  operation('POST /v1/videos', 'createVideo', {
    tag: 'Videos',
    summary: 'Submit a video',
    description:
      'Accepts the video at once and makes it in the background. Poll `GET /v1/videos/{id}`, or set `webhook`. The price is fixed and held now; a failed video is not charged. Which values a field may have depends on the model: `GET /internal/models?type=video` lists them. A parameter that the model does not have is ignored and named in `X-Ignored-Params`.',
    headers: ['idempotency-key', 'x-test-scenario'],
    request: requestBody(videoRequestSchema, examples.videoRequests, { form: true }),
    answers: {
      202: json('The queued video.', submittedVideoSchema, examples.submittedVideoExample, {
        headers: ['x-ignored-params', 'idempotent-replayed', ...retirementHeaders],
      }),
    },
    errors: submissionErrors,
  }),
  operation('GET /v1/videos', 'listVideos', {
    tag: 'Videos',
    summary: 'List videos',
    description: 'The videos of the organisation in the mode of the key.',
    query: {
      ...pageParams(20),
      order: z.enum(['asc', 'desc']).default('desc').describe('By the time of submission.'),
    },
    answers: { 200: json('A page of videos.', videoPageSchema, examples.videoPageExample) },
  }),
  operation('GET /v1/videos/:id', 'readVideo', {
    tag: 'Videos',
    summary: 'Read a video',
    description: 'Poll it until `status` is `completed` or `failed`.',
    params: { id: videoParam },
    answers: {
      200: json('The video.', videoSchema, examples.videoExample, {
        headers: [...pollHeaders, 'x-patchbay-provider', 'x-patchbay-attempts'],
      }),
    },
    errors: ['video_not_found'],
  }),
  operation('DELETE /v1/videos/:id', 'deleteVideo', {
    tag: 'Videos',
    summary: 'Delete a finished video',
    params: { id: videoParam },
    answers: { 200: json('The video is deleted.', deletedVideoSchema, examples.deletedVideoExample) },
    errors: ['video_not_found', 'video_not_finished'],
  }),
  operation('POST /v1/videos/:id/cancel', 'cancelVideo', {
    tag: 'Videos',
    summary: 'Cancel a video',
    description:
      'Possible until the provider has begun the video, and with some providers even later. A cancelled video costs nothing.',
    params: { id: videoParam },
    answers: { 200: json('The video, which has failed as `cancelled`.', videoSchema, examples.cancelledVideoExample) },
    errors: cancelErrors,
  }),
  operation('GET /v1/videos/:id/content', 'readVideoContent', {
    tag: 'Videos',
    summary: 'Download the file of a video',
    description:
      'Streams the MP4 through the gateway. The `video_url` of a video may be a signed link to this URL, which needs no key.',
    params: { id: videoParam },
    query: {
      variant: z.enum(['video']).default('video').describe('The kind of file. There are no thumbnails.'),
      expires: z.string().describe('The expiry of a signed link.'),
      signature: z.string().describe('The signature of a signed link.'),
    },
    headers: ['range', 'if-range', 'if-none-match'],
    answers: videoFile,
    errors: contentErrors,
  }),
  operation('GET /v1/videos/:id/webhook_deliveries', 'listVideoDeliveries', {
    tag: 'Webhooks',
    summary: 'List the webhook deliveries of a video',
    params: { id: videoParam },
    answers: {
      200: json('The deliveries of the video, each with its attempts.', deliveryPageSchema, {
        object: 'list',
        data: [deliveryExample],
        first_id: deliveryExample.id,
        last_id: deliveryExample.id,
        has_more: false,
      }),
    },
    errors: ['video_not_found'],
  }),
  operation('POST /v1/webhook_deliveries/:id/resend', 'resendDelivery', {
    tag: 'Webhooks',
    summary: 'Send a webhook again',
    description: 'The webhook keeps its `webhook-id`. The attempt is made in the background.',
    params: { id: 'The id of the delivery.' },
    answers: { 202: json('The delivery, which is due now.', deliverySchema, deliveryExample) },
    errors: ['delivery_not_found'],
  }),
];
