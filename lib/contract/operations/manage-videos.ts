import { z } from 'zod';
import * as messages from '../examples/messages';
import * as requests from '../examples/requests';
import * as examples from '../examples/videos';
import { countTokensRequestSchema, messagesRequestSchema } from '../messages';
import { quoteRequestSchema } from '../quote-request';
import { requestQuoteSchema } from '../quotes';
import {
  messageContentSchema,
  messageDetailsSchema,
  REQUEST_KINDS,
  REQUEST_STATUSES,
  requestPageSchema,
  sessionContentSchema,
  sessionDetailsSchema,
} from '../requests';
import {
  deletedVideoSchema,
  favoriteSchema,
  foundVideoPageSchema,
  submittedVideoSchema,
  videoDetailsSchema,
  videoRequestSchema,
  videoSchema,
} from '../videos';
import { messageAnswer, messageErrors, tokenCountAnswer } from './messages';
import {
  cancelErrors,
  contentErrors,
  createdParams,
  json,
  keyParam,
  modelErrors,
  modeOfNamedParam,
  modeParam,
  operation,
  pageParams,
  requestBody,
  retirementHeaders,
  type Operation,
} from './operation';
import { submissionErrors, videoFile, videoParam } from './videos';

const tag = 'Manage videos';

export const managedVideoOperations: readonly Operation[] = [
  operation('GET /console/api/videos', 'searchVideos', {
    tag,
    summary: 'Search videos',
    query: {
      ...modeOfNamedParam,
      status: videoSchema.shape.status.describe('Only videos of this status.'),
      model: z.string().describe('Only videos of this model.'),
      ...keyParam,
      ...createdParams,
      request_id: z.string().describe('The id of the request that submitted it.'),
      search: z.string().describe('The beginning of the id of a video, or a whole request id.'),
      favorite: z.enum(['true']).describe('Only favourites.'),
      ...pageParams(20),
    },
    answers: { 200: json('A page of videos, newest first.', foundVideoPageSchema, examples.foundVideoPageExample) },
  }),
  operation('POST /console/api/videos', 'submitConsoleVideo', {
    tag,
    summary: 'Submit a video as a signed-in person',
    description: 'For people in the console. A script calls `POST /v1/videos` with a key.',
    query: { ...modeParam, price: z.string().describe('The agreed price in dollars. Another price is refused.') },
    headers: ['idempotency-key'],
    request: requestBody(videoRequestSchema, examples.videoRequests, { form: true }),
    answers: { 202: json('The queued video.', submittedVideoSchema, examples.submittedVideoExample) },
    errors: [...submissionErrors, 'price_changed', 'endpoint_not_allowed'],
  }),
  operation('GET /console/api/videos/:id', 'readVideoDetails', {
    tag,
    summary: 'Read a video with its history',
    params: { id: videoParam },
    answers: { 200: json('The video.', videoDetailsSchema, examples.videoDetailsExample) },
    errors: ['video_not_found'],
  }),
  operation('DELETE /console/api/videos/:id', 'deleteManagedVideo', {
    tag,
    summary: 'Delete a finished video',
    params: { id: videoParam },
    answers: { 200: json('The video is deleted.', deletedVideoSchema, examples.deletedVideoExample) },
    errors: ['video_not_found', 'video_not_finished'],
  }),
  operation('POST /console/api/videos/:id/favorite', 'markFavorite', {
    tag,
    summary: 'Mark a video as a favourite',
    description: 'A favourite of the person, or of the person who made the key.',
    params: { id: videoParam },
    answers: { 200: json('The video is marked.', favoriteSchema, examples.favoriteExample) },
    errors: ['video_not_found'],
  }),
  operation('DELETE /console/api/videos/:id/favorite', 'unmarkFavorite', {
    tag,
    summary: 'Remove the mark of a favourite',
    params: { id: videoParam },
    answers: {
      200: json('The video is no longer marked.', favoriteSchema, { ...examples.favoriteExample, favorite: false }),
    },
    errors: ['video_not_found'],
  }),
  operation('POST /console/api/videos/:id/cancel', 'cancelManagedVideo', {
    tag,
    summary: 'Cancel a video',
    params: { id: videoParam },
    answers: { 200: json('The video, which has failed as `cancelled`.', videoSchema, examples.cancelledVideoExample) },
    errors: cancelErrors,
  }),
  operation('GET /console/api/videos/:id/request', 'readVideoRequest', {
    tag,
    summary: 'Read the request of a video',
    description: 'As a body that requests the same video again.',
    params: { id: videoParam },
    query: modeParam,
    answers: { 200: json('The request.', videoRequestSchema, examples.storedVideoRequestExample) },
    errors: ['video_not_found', 'video_expired'],
  }),
  operation('GET /console/api/videos/:id/content', 'readConsoleContent', {
    tag,
    summary: 'Download the file of a video as a signed-in person',
    description: 'For people in the console. A script calls `GET /v1/videos/{id}/content` with a key.',
    params: { id: videoParam },
    query: { ...modeParam, variant: z.enum(['video']).default('video').describe('Which file.') },
    headers: ['range', 'if-range', 'if-none-match'],
    answers: videoFile,
    errors: [...contentErrors, 'endpoint_not_allowed'],
  }),
  operation('POST /console/api/quotes', 'createQuote', {
    tag,
    summary: 'Quote the price of a request',
    description:
      'Of a video: the body of its request. Of a text model: the body of its request, whose price is the maximum that it may cost, or `input_tokens`, `cache_read_tokens`, `cache_write_tokens` and `output_tokens`. Of speech: `audio_seconds`, `input` or `characters`. It changes nothing.',
    query: modeParam,
    request: requestBody(quoteRequestSchema, examples.quoteRequests),
    answers: {
      200: json('The price, with its parts.', requestQuoteSchema, examples.quoteExample, {
        headers: retirementHeaders,
      }),
    },
    errors: [
      ...modelErrors,
      'conflicting_parameters',
      'missing_required_media',
      'invalid_media_count',
      'no_provider_available',
      'url_not_allowed',
      'media_invalid',
      'media_too_large',
    ],
  }),
];

const requestsTag = 'Manage requests';
const requestParam = 'The id of the request.';
const sessionParam = 'A `context_id`, or the id of a session, which shows its latest work.';

export const requestOperations: readonly Operation[] = [
  operation('GET /console/api/requests', 'listRequests', {
    tag: requestsTag,
    summary: 'List requests',
    description: 'One log of videos, messages, transcriptions and spoken texts. It has no content.',
    query: {
      ...modeOfNamedParam,
      kind: z.enum(REQUEST_KINDS).describe('Only this kind of work.'),
      status: z.enum(REQUEST_STATUSES).describe('Only requests of this status.'),
      model: z.string().describe('Only requests of this model.'),
      provider: z.string().describe('Only requests that this provider served.'),
      ...keyParam,
      code: z.string().describe('Only requests that ended with this error code.'),
      ...createdParams,
      search: z.string().describe('An id, or the beginning of the id of a video or a spoken text.'),
      ...pageParams(20),
    },
    answers: { 200: json('A page, newest first.', requestPageSchema, requests.requestPageExample) },
  }),
  operation('GET /console/api/messages/:id', 'readMessageDetails', {
    tag: requestsTag,
    summary: 'Read the history of a message',
    params: { id: requestParam },
    answers: { 200: json('What is stored about it.', messageDetailsSchema, requests.messageDetailsExample) },
    errors: ['message_not_found'],
  }),
  operation('GET /console/api/messages/:id/content', 'readMessageContent', {
    tag: requestsTag,
    summary: 'Read the conversation of a message',
    description:
      'Only of an organisation that keeps conversations (`keep_messages_days` of its settings), until their time is over.',
    params: { id: requestParam },
    answers: { 200: json('The request and the answer.', messageContentSchema, requests.messageContentExample) },
    errors: ['message_not_found'],
  }),
  operation('GET /console/api/sessions/:id', 'readSessionDetails', {
    tag: requestsTag,
    summary: 'Read the history of a transcription or a spoken text',
    params: { id: sessionParam },
    answers: { 200: json('What is stored about it.', sessionDetailsSchema, requests.sessionDetailsExample) },
    errors: ['session_not_found'],
  }),
  operation('GET /console/api/sessions/:id/content', 'readSessionContent', {
    tag: requestsTag,
    summary: 'Read the text of a transcription or a spoken text',
    description:
      'Only of an organisation that keeps the texts of speech (`keep_speech_days` of its settings), until their time is over.',
    params: { id: sessionParam },
    answers: { 200: json('The text.', sessionContentSchema, requests.sessionContentExample) },
    errors: ['session_not_found'],
  }),
  operation('POST /console/api/messages', 'createConsoleMessage', {
    tag: requestsTag,
    summary: 'Answer a conversation as a signed-in person',
    description: 'For people in the console. A script calls `POST /v1/messages` with a key.',
    query: modeParam,
    headers: ['anthropic-version', 'anthropic-beta'],
    request: requestBody(messagesRequestSchema, messages.messagesRequests),
    answers: messageAnswer,
    errors: [...messageErrors, 'endpoint_not_allowed'],
  }),
  operation('POST /console/api/messages/count_tokens', 'countConsoleTokens', {
    tag: requestsTag,
    summary: 'Count input tokens as a signed-in person',
    query: modeParam,
    headers: ['anthropic-version', 'anthropic-beta'],
    request: requestBody(countTokensRequestSchema, messages.countTokensRequests),
    answers: tokenCountAnswer,
    errors: [...messageErrors, 'endpoint_not_allowed'],
  }),
];
