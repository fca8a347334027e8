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

// Every operation of the API with the schemas of its bodies. A test compares the list with the routes, and the tests of
// HTTP check every response against it.

export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As in the route table: `:name` for one segment, `*name` for all remaining ones. */
  readonly pattern: string;
  /** By status. All other statuses have the body `error`. */
  readonly answers: Readonly<Record<number, Body>>;
  readonly error: z.ZodType;
}

/** The body of a response: JSON, another media type, either of them, or nothing at all. */
export interface Body {
  readonly json?: z.ZodType;
  readonly mediaType?: string;
}

export const operations: readonly Operation[] = [
  { method: 'GET', pattern: '/v1/credits', answers: { 200: { json: creditsSchema } }, error: errorSchema },
  {
    method: 'GET',
    pattern: '/v1/models',
    answers: { 200: { json: modelPageSchema }, 304: {} },
    error: errorSchema,
  },
  {
    method: 'GET',
    pattern: '/v1/models/*model',
    answers: { 200: { json: modelSchema }, 304: {} },
    error: errorSchema,
  },
  {
    method: 'GET',
    pattern: '/v1/models_compat',
    answers: { 200: { json: compatModelPageSchema }, 304: {} },
    error: messagesErrorSchema,
  },
  {
    method: 'GET',
    pattern: '/internal/models',
    answers: { 200: { json: internalModelListSchema }, 304: {} },
    error: errorSchema,
  },
  {
    method: 'GET',
    pattern: '/internal/operator/transfers',
    answers: { 200: { json: transferPageSchema } },
    error: errorSchema,
  },
  {
    method: 'POST',
    pattern: '/internal/operator/transfers',
    answers: { 201: { json: transferSchema } },
    error: errorSchema,
  },
  { method: 'GET', pattern: '/console/api/credits', answers: { 200: { json: creditsSchema } }, error: errorSchema },
  {
    method: 'GET',
    pattern: '/console/api/credits/transfers',
    answers: { 200: { json: transferPageSchema } },
    error: errorSchema,
  },
  {
    method: 'POST',
    pattern: '/console/api/credits/refill',
    answers: { 200: { json: creditsSchema } },
    error: errorSchema,
  },
  {
    method: 'GET',
    pattern: '/console/api/models',
    answers: { 200: { json: catalogEntryListSchema } },
    error: errorSchema,
  },
];
