import { z } from 'zod';
import { messagesErrorSchema } from '../errors';
import * as examples from '../examples/models';
import { compatModelPageSchema, internalModelListSchema, modelPageSchema, modelSchema } from '../models';
import {
  betaParam,
  json,
  notModified,
  operation,
  retirementHeaders,
  type Operation,
  type QueryParams,
} from './operation';

const catalogHeaders = ['etag', 'x-catalog-age'] as const;
const modelHeaders = [...catalogHeaders, ...retirementHeaders] as const;
const conditional = ['if-none-match'] as const;

const flag = z.enum(['true', 'false']).default('false');
const includeDeactivated = { include_deactivated: flag.describe('`true` includes retired models.') };
const cursorParams: QueryParams = {
  limit: z
    .int()
    .min(1)
    .max(1000)
    .describe('The maximum number of models on the page. Without it and without a cursor: all.'),
  after_id: z.string().describe('The id of the last model of the previous page.'),
  before_id: z.string().describe('The id of the first model of the next page.'),
};

export const modelOperations: readonly Operation[] = [
  operation('GET /v1/models', 'listModels', {
    tag: 'Models',
    summary: 'List models',
    description: 'With a key: those that the key may use.',
    query: {
      ...includeDeactivated,
      exclude_deprecated: flag.describe('`true` removes models that are marked as deprecated.'),
      ...cursorParams,
      ...betaParam,
    },
    headers: conditional,
    answers: {
      200: json('The models.', modelPageSchema, examples.modelPageExample, { headers: catalogHeaders }),
      ...notModified(catalogHeaders),
    },
  }),
  operation('GET /v1/models/*model', 'readModel', {
    tag: 'Models',
    summary: 'Read a model',
    params: { model: 'An id, an alias, or `<provider>/<model>`.' },
    query: { ...includeDeactivated, ...betaParam },
    headers: conditional,
    answers: {
      200: json('The model.', modelSchema, examples.modelExample, { headers: modelHeaders }),
      ...notModified(modelHeaders),
    },
    errors: ['model_not_found', 'model_deactivated', 'provider_not_found', 'provider_model_not_found'],
  }),
  operation('GET /v1/models_compat', 'listCompatModels', {
    tag: 'Models',
    summary: 'List models for clients of the message-style API',
    query: { ...cursorParams, ...betaParam },
    headers: conditional,
    answers: {
      200: json('The models, newest first.', compatModelPageSchema, examples.compatModelPageExample, {
        headers: catalogHeaders,
      }),
      ...notModified(catalogHeaders),
    },
    error: messagesErrorSchema,
  }),
  operation('GET /internal/models', 'listModelDetails', {
    tag: 'Models',
    summary: 'List what each model accepts',
    description: 'Durations, resolutions, aspect ratios, media, voices, languages and limits.',
    query: { type: z.enum(['video', 'messages', 'stt', 'tts']).describe('Only models of this type.') },
    headers: conditional,
    answers: {
      200: json('The active models.', internalModelListSchema, examples.internalModelListExample, {
        headers: catalogHeaders,
      }),
      ...notModified(catalogHeaders),
    },
  }),
];
