import type { z } from 'zod';
import { creditsSchema, transferPageSchema, transferSchema } from './credits';
import { errorSchema, messagesErrorSchema } from './errors';
import {
  catalogEntryListSchema,
  compatModelPageSchema,
  internalModelListSchema,
  modelPageSchema,
  modelSchema,
} from './models';
import { requestQuoteSchema } from './quotes';
import {
  deletedVideoSchema,
  foundVideoPageSchema,
  submittedVideoSchema,
  videoDetailsSchema,
  videoPageSchema,
  videoSchema,
} from './videos';
import { consoleDeliveryListSchema, deliveryListSchema, deliverySchema, webhookSecretSchema } from './webhooks';

// Every operation of the API with the schemas of its bodies. A test compares the list with the routes, and the tests of
// HTTP check every response against it.

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As in the route table: `:name` for one segment, `*name` for all remaining ones. */
  readonly pattern: string;
  /** The bodies of the answers by status. Every other status has the body `error`. */
  readonly answers: Readonly<Record<number, Body>>;
  readonly error: z.ZodType;
}

/** The body of a response: JSON, another media type, either of them, or nothing at all. */
export interface Body {
  readonly json?: z.ZodType;
  readonly mediaType?: string;
}

type Answers = Operation['answers'];

const get = (pattern: string, answers: Answers) => operation('GET', pattern, answers);
const post = (pattern: string, answers: Answers) => operation('POST', pattern, answers);
const remove = (pattern: string, answers: Answers) => operation('DELETE', pattern, answers);

function operation(method: Operation['method'], pattern: string, answers: Answers): Operation {
  return { method, pattern, answers, error: errorSchema };
}

/** The body of one status. */
const json = (status: number, schema: z.ZodType): Answers => ({ [status]: { json: schema } });
const notModified: Answers = { 304: {} };
const film: Answers = { 200: { mediaType: 'video/mp4' }, 206: { mediaType: 'video/mp4' }, ...notModified };

export const operations: readonly Operation[] = [
  post('/v1/videos', json(202, submittedVideoSchema)),
  get('/v1/videos', json(200, videoPageSchema)),
  get('/v1/videos/:id', json(200, videoSchema)),
  remove('/v1/videos/:id', json(200, deletedVideoSchema)),
  post('/v1/videos/:id/cancel', json(200, videoSchema)),
  get('/v1/videos/:id/content', film),
  get('/v1/videos/:id/webhook_deliveries', json(200, deliveryListSchema)),
  post('/v1/webhook_deliveries/:id/resend', json(202, deliverySchema)),
  get('/v1/credits', json(200, creditsSchema)),
  get('/v1/models', { ...json(200, modelPageSchema), ...notModified }),
  get('/v1/models/*model', { ...json(200, modelSchema), ...notModified }),
  { ...get('/v1/models_compat', { ...json(200, compatModelPageSchema), ...notModified }), error: messagesErrorSchema },

  get('/internal/models', { ...json(200, internalModelListSchema), ...notModified }),
  get('/internal/operator/transfers', json(200, transferPageSchema)),
  post('/internal/operator/transfers', json(201, transferSchema)),

  get('/console/api/videos', json(200, foundVideoPageSchema)),
  post('/console/api/videos', json(202, submittedVideoSchema)),
  get('/console/api/videos/:id', json(200, videoDetailsSchema)),
  remove('/console/api/videos/:id', json(200, deletedVideoSchema)),
  post('/console/api/videos/:id/cancel', json(200, videoSchema)),
  get('/console/api/videos/:id/content', film),
  post('/console/api/quotes', json(200, requestQuoteSchema)),
  get('/console/api/webhook-secret', json(200, webhookSecretSchema)),
  post('/console/api/webhook-secret/rotate', json(201, webhookSecretSchema)),
  get('/console/api/webhook-deliveries', json(200, consoleDeliveryListSchema)),
  post('/console/api/webhook-deliveries/:id/resend', json(202, deliverySchema)),
  get('/console/api/credits', json(200, creditsSchema)),
  get('/console/api/credits/transfers', json(200, transferPageSchema)),
  post('/console/api/credits/refill', json(200, creditsSchema)),
  get('/console/api/models', json(200, catalogEntryListSchema)),
];
