import { z } from 'zod';
import { creditsSchema } from '../credits';
import { documentSchema } from '../documents';
import * as examples from '../examples/service';
import { healthSchema, helloSchema, livenessSchema, readinessSchema } from '../health';
import { ticketParam } from './audio-params';
import { mcpMessageSchema } from '../mcp';
import { json, notModified, operation, requestBody, type Operation } from './operation';

const documentHeaders = ['etag'] as const;

export const serviceOperations: readonly Operation[] = [
  operation('GET /v1/credits', 'readCredits', {
    tag: 'Credits',
    summary: 'Read the credits',
    description: "The credits of the key's organisation in the mode of the key.",
    answers: { 200: json('The credits.', creditsSchema, examples.creditsExample) },
  }),
  operation('POST /mcp', 'callMcp', {
    tag: 'Tools',
    summary: 'Send a message of the Model Context Protocol',
    description:
      'One message of JSON-RPC 2.0, over streamable HTTP without sessions. The tools are listed by the message `tools/list`, and described in the guide _Tools for agents_.',
    headers: ['mcp-protocol-version'],
    request: requestBody(mcpMessageSchema, examples.mcpMessages),
    answers: {
      200: json('The answer of JSON-RPC, also to a tool that failed.', mcpMessageSchema, examples.mcpAnswer),
      202: { description: 'A notification was received.' },
      400: json('The message is not one of the protocol.', mcpMessageSchema, examples.mcpError),
      406: json(
        'The header `Accept` does not name `application/json` and `text/event-stream`.',
        mcpMessageSchema,
        examples.mcpError,
        { headers: ['x-should-retry'] },
      ),
      415: json('The body is not JSON.', mcpMessageSchema, examples.mcpError),
    },
  }),
  operation('GET /v1/audio/transcriptions/ws', 'openTranscription', {
    tag: 'Audio',
    summary: 'Open a speech-to-text socket',
    description: 'A WebSocket: the messages are in `/asyncapi.json`.',
    query: ticketParam,
    answers: { 101: { description: 'The WebSocket is open.' } },
    errors: ['upgrade_required'],
  }),
  operation('GET /v1/audio/speech/ws', 'openSpeech', {
    tag: 'Audio',
    summary: 'Open a text-to-speech socket',
    description: 'A WebSocket: the messages are in `/asyncapi.json`.',
    query: ticketParam,
    answers: { 101: { description: 'The WebSocket is open.' } },
    errors: ['upgrade_required'],
  }),
  operation('GET /', 'readHealth', {
    tag: 'Service',
    summary: 'Read the health of the service',
    description: 'Checks the database and Redis. A browser is redirected to the console.',
    query: { skip: z.string().describe('Checks to leave out, separated by commas: `redis`, `database`.') },
    answers: {
      200: json('Every configured component works.', healthSchema, examples.healthExample),
      302: { description: 'To the console, for a browser.', headers: ['location'] },
      503: json('A component does not work.', healthSchema, examples.unhealthyExample),
    },
  }),
  operation('GET /livez', 'readLiveness', {
    tag: 'Service',
    summary: 'Check that the process runs',
    answers: { 200: json('The process runs.', livenessSchema, { status: 'alive' }) },
  }),
  operation('GET /readyz', 'readReadiness', {
    tag: 'Service',
    summary: 'Check that the process takes requests',
    answers: {
      200: json('It does.', readinessSchema, { status: 'ready' }),
      503: json('The process takes no requests, or does not take them yet.', readinessSchema, { status: 'draining' }),
    },
  }),
  operation('GET /api/hello', 'hello', {
    tag: 'Service',
    summary: 'Check that the service is reachable',
    description: 'It checks nothing else.',
    answers: { 200: json('The service is reachable.', helloSchema, { message: 'OK' }) },
  }),
  operation('GET /openapi.json', 'readOpenApi', {
    tag: 'Service',
    summary: 'Read this document',
    headers: ['if-none-match'],
    answers: {
      200: json('The description of the API in OpenAPI 3.1.', documentSchema, examples.openApiExample, {
        headers: documentHeaders,
      }),
      ...notModified(documentHeaders),
    },
  }),
  operation('GET /asyncapi.json', 'readAsyncApi', {
    tag: 'Service',
    summary: 'Read the description of the sockets',
    headers: ['if-none-match'],
    answers: {
      200: json('The description of the sockets in AsyncAPI 3.', documentSchema, examples.asyncApiExample, {
        headers: documentHeaders,
      }),
      ...notModified(documentHeaders),
    },
  }),
  operation('GET /llms.txt', 'readLlms', {
    tag: 'Service',
    summary: 'List the pages of the documentation',
    description: 'For language models, as in https://llmstxt.org.',
    headers: ['if-none-match'],
    answers: {
      200: { description: 'The list, as Markdown.', mediaType: 'text/plain', headers: documentHeaders },
      ...notModified(documentHeaders),
    },
  }),
  operation('GET /llms-full.txt', 'readLlmsFull', {
    tag: 'Service',
    summary: 'Read all pages of the documentation',
    headers: ['if-none-match'],
    answers: {
      200: { description: 'The pages, as Markdown.', mediaType: 'text/plain', headers: documentHeaders },
      ...notModified(documentHeaders),
    },
  }),
  operation('GET /docs/markdown/*page', 'readDocsPage', {
    tag: 'Service',
    summary: 'Read a page of the documentation as Markdown',
    description: 'The same as `/docs/{page}.md`.',
    params: { page: 'The page, such as `videos` or `reference/videos`.' },
    headers: ['if-none-match'],
    answers: {
      200: { description: 'The page.', mediaType: 'text/markdown', headers: documentHeaders },
      ...notModified(documentHeaders),
    },
    errors: ['route_not_found'],
  }),
  operation('GET /.well-known/security.txt', 'readSecurityContact', {
    tag: 'Service',
    summary: 'Read where to report a vulnerability',
    answers: { 200: { description: 'A file as in RFC 9116.', mediaType: 'text/plain' } },
    errors: ['route_not_found'],
  }),
];
