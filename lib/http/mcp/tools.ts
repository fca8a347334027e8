import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { resolveModelOf } from '../../catalog/resolve';
import type { ErrorJson } from '../../contract/errors';
import type { InternalModelJson } from '../../contract/models';
import { videoRequestSchema, type VideoJson } from '../../contract/videos';
import { isId } from '../../domain/ids';
import { fieldsOf } from '../../domain/json';
import { videoNotFound } from '../../videos/not-found';
import { asGatewayError } from '../../domain/database-failure';
import { isStream, type KeyContext, type GatewayRequest, type GatewayResponse } from '../handler';
import { speakText, transcribeFile } from './speech-tools';

// The tools of the Model Context Protocol. A tool for which the API has an endpoint sends a request to it within this
// process, with the key of the client, so that policies, limits, prices and errors are those of the API.

/** The instructions for the model that uses the tools. */
export const MCP_INSTRUCTIONS = [
  'Patchbay makes videos, speaks and transcribes. Find a model first with find_models: it says which durations, sizes and media each model takes.',
  'Ask quote_video for the price before an expensive video. A video takes from seconds to minutes: create_video returns at once, get_video with wait_seconds waits for it.',
  'Amounts are US dollars. With a test key everything is free and made by a sandbox.',
].join('\n');

/** Below the time limits of common clients. */
const MAX_WAIT_SECONDS = 50;
const POLL_INTERVAL_MS = 1_000;
const MAX_MODELS = 40;

const READING: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
const SPENDING: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };

// Unknown fields are passed on: the response names the fields that have no effect.
const createFields = z.looseObject(videoRequestSchema.shape);
/** The fields of a quote: all but the webhook, which does not affect the price. */
const { webhook: _webhook, ...quotedFields } = videoRequestSchema.shape;
const quoteFields = z.looseObject({ ...quotedFields, prompt: quotedFields.prompt.optional() });
const id = z.string().describe('The id of the video.');

interface Call {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export function registerTools(server: McpServer, context: KeyContext): void {
  const { gateway, caller, request } = context;

  server.registerTool(
    'find_models',
    {
      title: 'Find models',
      description: `Lists models with what they accept and cost. At most ${MAX_MODELS}; narrow the search if there are more.`,
      inputSchema: {
        type: z.enum(['video', 'messages', 'stt', 'tts']).describe('stt is speech to text, tts text to speech.'),
        search: z.string().max(100).optional().describe('Words that the id, name or kind contains, such as "veo i2v".'),
        id: z.string().max(200).optional().describe('Exactly this model, with every detail.'),
      },
      annotations: READING,
    },
    async ({ type, search, id: wanted }) =>
      reply(async () => {
        const { data } = await ask<{ data: readonly InternalModelJson[] }>({
          path: '/internal/models',
          query: { type },
        });
        const words = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
        const found = data.filter((model) => {
          const text = `${model.id} ${model.name} ${model.kind}`.toLowerCase();
          return (wanted === undefined || model.id === wanted) && words.every((word) => text.includes(word));
        });
        return {
          models: found.slice(0, MAX_MODELS),
          ...(found.length > MAX_MODELS && { more: found.length - MAX_MODELS }),
        };
      }),
  );

  server.registerTool(
    'quote_video',
    {
      title: 'Quote a video',
      description:
        'The exact price of a video before it is made, and the provider that would make it. Costs nothing. ignored_params names the fields that would have no effect.',
      inputSchema: quoteFields,
      annotations: READING,
    },
    async (body) =>
      reply(async () => {
        // Refuses models of other kinds: their quotes would require fields that this tool does not have.
        resolveModelOf(gateway.catalog(), body.model, 'video', caller.policy);
        return gateway.usage.quote(await gateway.providers.servedBy(caller), withoutAbsent(body));
      }),
  );

  server.registerTool(
    'create_video',
    {
      title: 'Make a video',
      description:
        'Submits a video and returns its id. The price is held now, and charged when the video is completed; a failed video costs nothing. Follow it with get_video. ignored_params names the fields that had no effect.',
      inputSchema: createFields,
      annotations: SPENDING,
    },
    async (body) =>
      reply(async () => {
        const { answer, headers } = await send({ method: 'POST', path: '/v1/videos', body: withoutAbsent(body) });
        const ignored = headers['x-ignored-params']?.split(', ');
        return { ...fieldsOf(answer), ...(ignored && { ignored_params: ignored }) };
      }),
  );

  server.registerTool(
    'get_video',
    {
      title: 'Read a video',
      description:
        'The state of a video. When it is completed, video_url is the URL of the file. wait_seconds waits for its end.',
      inputSchema: {
        id,
        wait_seconds: z.int().min(0).max(MAX_WAIT_SECONDS).optional().describe('0 unless given.'),
      },
      annotations: READING,
    },
    async ({ id: videoId, wait_seconds: seconds = 0 }, { signal }) =>
      reply(async () => {
        const until = gateway.clock.nowMs() + seconds * 1_000;
        for (;;) {
          const video = await ask<VideoJson>({ path: videoPath(videoId) });
          const hasEnded = video.status === 'completed' || video.status === 'failed';
          if (hasEnded || gateway.clock.nowMs() >= until || signal.aborted) return video;
          await gateway.clock.sleep(POLL_INTERVAL_MS);
        }
      }),
  );

  server.registerTool(
    'list_videos',
    {
      title: 'List videos',
      description: 'The newest videos of the organisation.',
      inputSchema: { limit: z.int().min(1).max(100).optional().describe('20 unless given.') },
      annotations: READING,
    },
    async ({ limit = 20 }) => reply(() => ask({ path: '/v1/videos', query: { limit: String(limit) } })),
  );

  server.registerTool(
    'cancel_video',
    {
      title: 'Cancel a video',
      description: 'Stops a video that has not ended. It is not charged if the provider cancels it.',
      inputSchema: { id },
      annotations: { ...SPENDING, destructiveHint: true, idempotentHint: true },
    },
    async ({ id: videoId }) => reply(() => ask({ method: 'POST', path: `${videoPath(videoId)}/cancel` })),
  );

  server.registerTool(
    'speak',
    {
      title: 'Speak a text',
      description: 'Text to speech. Returns a WAV file. Voices are listed by find_models with type tts.',
      inputSchema: {
        model: z.string().max(200),
        input: z.string().min(1).max(5_000).describe('The text.'),
        voice: z.string().max(200),
        language: z.string().max(20).optional(),
        speed: z.number().optional(),
      },
      annotations: SPENDING,
    },
    async (body, { signal }) => {
      try {
        const file = await speakText(context, body, signal);
        return { content: [{ type: 'audio', data: Buffer.from(file).toString('base64'), mimeType: 'audio/wav' }] };
      } catch (error) {
        return failed(error);
      }
    },
  );

  server.registerTool(
    'transcribe',
    {
      title: 'Transcribe a recording',
      description: 'Speech to text of a WAV file with 16-bit mono samples.',
      inputSchema: {
        model: z.string().max(200),
        audio: z.string().describe('The WAV file as base64.'),
        language: z.string().max(20).optional().describe('ISO 639-1, such as "en".'),
      },
      annotations: SPENDING,
    },
    async (body, { signal }) => reply(() => transcribeFile(context, body, signal)),
  );

  server.registerTool(
    'read_credits',
    {
      title: 'Read the credits',
      description: 'The balance of the organisation, in dollars as decimal strings.',
      annotations: READING,
    },
    async () => reply(() => ask({ path: '/v1/credits' })),
  );

  async function ask<Answer = unknown>(call: Call): Promise<Answer> {
    return (await send(call)).answer as Answer; // Safe: the caller names the type of the endpoint's answer.
  }

  /** Sends a request to our own API and returns the JSON and the headers of the response. Throws ApiRefusal. */
  async function send(call: Call): Promise<{ readonly answer: unknown; readonly headers: GatewayResponse['headers'] }> {
    const { status, headers, body, onEnd } = await context.answer(ownRequest(request, call));
    onEnd?.('finished');
    if (body === undefined || isStream(body)) throw new Error(`${call.path} has no body that can be read here.`);
    const answer: unknown = JSON.parse(String(body));
    if (status >= 400) throw new ApiRefusal((answer as ErrorJson).error); // Safe: our error format.
    return { answer, headers };
  }
}

/** An error response of the API. */
class ApiRefusal extends Error {
  constructor(readonly facts: ErrorJson['error']) {
    super(facts.message);
  }
}

async function reply(work: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    const value = await work();
    return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: { ...fieldsOf(value) } };
  } catch (error) {
    return failed(error);
  }
}

/** Returns the error for the model: its message and code. The details of an internal error are withheld. */
function failed(error: unknown): CallToolResult {
  const { message, code } = error instanceof ApiRefusal ? error.facts : asGatewayError(error);
  return { content: [{ type: 'text', text: `${message} (${code})` }], isError: true };
}

/** Makes a request of the same client to another path. */
function ownRequest(outer: GatewayRequest, { method = 'GET', path, query = {}, body }: Call): GatewayRequest {
  const { authorization, 'x-test-scenario': scenario, traceparent } = outer.headers;
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body));
  return {
    method,
    path,
    query: new URLSearchParams(query),
    headers: {
      authorization,
      traceparent,
      'x-test-scenario': scenario,
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
    },
    remoteAddress: outer.remoteAddress,
    signal: outer.signal,
    abort: (reason) => outer.abort(reason),
    // The bytes belong to the outer request and are counted there.
    countBody: () => {},
    readBody: async () => bytes,
  };
}

/**
 * Throws `video_not_found` for a malformed id: as a path it could be refused with an error that does not help a model.
 */
function videoPath(videoId: string): string {
  if (!isId('video', videoId)) throw videoNotFound();
  return `/v1/videos/${videoId}`;
}

/** Removes fields with an empty text: models often send every field, and leave those empty that they do not use. */
function withoutAbsent(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}
