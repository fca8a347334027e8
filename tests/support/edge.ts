import { createConnection, type Socket } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { Accounts, SignedIn } from '../../lib/accounts/accounts';
import { createCatalog } from '../../lib/catalog/catalog';
import { createCatalogResponses } from '../../lib/catalog/catalog-responses';
import { readConfig, type Config } from '../../lib/config/config';
import { createGuides } from '../../lib/docs/guides';
import type { VideoJson } from '../../lib/contract/videos';
import { consoleKeyId, type Account, type Caller } from '../../lib/domain/caller';
import { systemClock } from '../../lib/domain/clock';
import { GatewayError } from '../../lib/domain/errors';
import { newId, type VideoId } from '../../lib/domain/ids';
import { noTelemetry } from '../../lib/domain/telemetry';
import type { MessageEvent } from '../../lib/domain/messages';
import type { Content, ContentPart } from '../../lib/domain/files';
import type { Gateway, Phase } from '../../lib/gateway';
import { presentChunk } from '../../lib/messages/answer/present-answer';
import type { Messages } from '../../lib/messages/messages';
import type { Operator } from '../../lib/operator/operator';
import type { ChoosePart, Submission, VideoContent, Videos } from '../../lib/videos/videos';
import type { Webhooks } from '../../lib/webhooks/webhooks';
import { createHttpServer, type HttpServerDeps } from '../../server/http';
import { makeLimits } from './limits';
import { recordLog, type RecordedLog } from './log';
import { projectRoot } from './project';

// The HTTP layer with scripted use cases: their calls are recorded, and the test decides their results. Everything that
// HTTP itself decides is the product's own code.

export const LIVE_KEY = 'live-key';
export const TEST_KEY = 'test-key';
export const OPERATOR_TOKEN = 'operator-token';
export const QUEUED = 'video_00000000000000000000000000000001';
export const DONE = 'video_00000000000000000000000000000002';
export const FOREIGN = 'video_00000000000000000000000000000003';
export const ETAG = '"file-1"';
export const FILE = Buffer.from(Array.from({ length: 1_000 }, (_unused, at) => at % 251));

export interface Edge {
  readonly gateway: Gateway;
  readonly log: RecordedLog;
  readonly submissions: Submission[];
  readonly ends: { id: VideoId; how: string }[];
  readonly addresses: string[];
  /** Replaces the results of the next calls of the use cases. */
  fail: ((name: string) => void) | undefined;
  /** The bytes of `/content`. */
  openBody: (part: ContentPart, signal: AbortSignal) => VideoContent;
  phase: Phase;
  /** What the health check finds. */
  databaseConnected: boolean;
  /** The checks that each health check was asked to skip. */
  readonly skips: string[][];
  policy: Partial<Caller['policy']>;
  isOverloaded: boolean;
  /** The person of every request's cookie. */
  person: SignedIn | undefined;
}

export function makeEdge(config: Partial<Config> = {}): Edge {
  const log = recordLog();
  const clock = systemClock;
  const merged = { ...readConfig({ DATA_DIR: '.data', LOG_LEVEL: 'silent' }, []), ...config };
  const catalog = createCatalog({ offeredProviders: new Set(['sandbox']), confirmedPrices: new Set(), clock });
  const edge: Edge = {
    log,
    submissions: [],
    ends: [],
    addresses: [],
    fail: undefined,
    phase: 'ready',
    databaseConnected: true,
    skips: [],
    policy: {},
    isOverloaded: false,
    person: undefined,
    openBody: (part) => fileContent(FILE, part),
    // Safe: the HTTP layer uses only these parts of a gateway; any other would be a TypeError in the tests.
    gateway: {
      config: merged,
      version: '0.1.0',
      guides: createGuides({ directory: path.join(projectRoot, 'docs'), baseUrl: 'http://127.0.0.1:3000' }),
      limits: makeLimits({ clock, configured: merged.limits, isOverloaded: () => edge.isOverloaded }),
      baseUrl: 'http://127.0.0.1:3000',
      clock,
      log,
      telemetry: noTelemetry,
      catalog: () => catalog,
      catalogOf: async () => catalog,
      catalogResponses: createCatalogResponses(() => catalog),
      accounts: makeAccounts(() => edge),
      videos: makeVideos(() => edge),
      messages: makeMessages(() => edge),
      signInCookie: { findPerson: async () => edge.person, findMember: async () => edge.person },
      webhooks: makeWebhooks(() => edge),
      operator: makeOperator(),
      health: {
        check: async (skip: ReadonlySet<string>) => {
          edge.fail?.('health');
          edge.skips.push([...skip]);
          return {
            message: 'OK',
            version: '0',
            health: {
              status: 'ok',
              redis: { connected: true, error: '' },
              database: { connected: edge.databaseConnected, error: '' },
            },
          };
        },
      },
      phase: () => edge.phase,
    } as unknown as Gateway,
  };
  return edge;
}

/** Opens the whole file or the requested part of it, as a provider does. */
/** An unchanged file is not opened, as in the real use case. */
function openPart(edge: Edge, part: ReturnType<ChoosePart>, signal: AbortSignal): VideoContent {
  if (part !== 'unchanged') return edge.openBody(part, signal);
  return { status: 304, start: 0, body: Readable.from([]), etag: ETAG, fileName: 'video.mp4' };
}

export function fileContent(file: Buffer, part: ContentPart): VideoContent & Content {
  const range = part === 'head' ? undefined : part;
  const base = { etag: ETAG, fileName: `${DONE}.mp4`, total: file.length };
  if (!range) return { ...base, status: 200, start: 0, length: file.length, body: Readable.from([file]) };
  const start = range.start < 0 ? Math.max(0, file.length + range.start) : range.start;
  const end = Math.min(range.end ?? file.length - 1, file.length - 1);
  if (start >= file.length) return { ...base, status: 416, start: 0, body: Readable.from([]) };
  return { ...base, status: 206, start, length: end - start + 1, body: Readable.from([file.subarray(start, end + 1)]) };
}

function makeAccounts(edge: () => Edge): Accounts {
  const orgId = newId('org');
  return {
    async authenticate(credential: Parameters<Accounts['authenticate']>[0], address: string) {
      edge().addresses.push(address);
      edge().fail?.('authenticate');
      const key = credential.apiKey || credential.authorization?.replace(/^bearer /i, '');
      if (!key) throw new GatewayError('missing_api_key', 'Send a key.');
      if (key !== LIVE_KEY && key !== TEST_KEY) throw new GatewayError('invalid_api_key', 'This key is not valid.');
      const mode = key === LIVE_KEY ? 'live' : 'test';
      return { orgId, keyId: newId('key'), mode, policy: { scopes: ['inference'], ...edge().policy } };
    },
    actorOfKey: async () => {
      throw new GatewayError('scope_required', 'This key may not manage.');
    },
    callerOfPeople: async (account: Account): Promise<Caller> => ({
      ...account,
      keyId: consoleKeyId,
      policy: { scopes: ['inference'], ...edge().policy },
    }),
    credits: async ({ mode }: { mode: 'live' | 'test' }) => ({
      object: 'credits',
      mode,
      currency: 'USD',
      available: '1',
      held: '0',
      spent: '0',
    }),
  } as unknown as Accounts; // Safe: see makeEdge.
}

function makeMessages(edge: () => Edge): Messages {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'sandbox-text',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  } as const;
  return {
    async answer(_caller, { values, automaticRetry }) {
      edge().fail?.('messages');
      const answered = {
        model: message.model,
        provider: 'sandbox',
        attempts: automaticRetry ? 2 : 1,
        ignoredParams: Object.keys(values).filter((name) => name.startsWith('odd')),
      };
      if (values.stream !== true) return { kind: 'message', json: JSON.stringify(message), ...answered };
      const events: readonly MessageEvent[] = [{ type: 'message_start', message }, { type: 'message_stop' }];
      return { kind: 'stream', events: Readable.from([presentChunk({ events }, message.model)]), ...answered };
    },
    async count(_caller, { version, betas }) {
      edge().fail?.('messages');
      return { model: message.model, inputTokens: version.length + betas.length, source: 'estimate' };
    },
    estimate: () => {
      throw new Error('Quotes have tests of their own.');
    },
    unwritten: () => [],
    ended: async () => {},
    settled: async () => {},
    content: async (_orgId, id) => ({
      id,
      object: 'message_content',
      request: { model: 'sandbox-text' },
      answer: message,
      expires_at: 1_796_084_800,
    }),
    close: async () => {},
  };
}

function makeVideos(edge: () => Edge): Videos {
  const find = (id: string) => {
    edge().fail?.('videos');
    if (id === QUEUED) return makeVideo(id, 'queued');
    if (id === DONE) return makeVideo(id, 'completed');
    throw new GatewayError('video_not_found', 'There is no such video.');
  };
  return {
    async submit(_caller, submission) {
      edge().submissions.push(submission);
      edge().fail?.('submit');
      const id = newId('video');
      return {
        id,
        video: { ...makeVideo(id, 'queued'), status: 'queued', progress: 0 },
        replayed: submission.automaticRetry,
        ignoredParams: Object.keys(submission.body).filter((name) => name.startsWith('odd')),
      };
    },
    receiveCallback: async (id) => void find(id),
    get: async (_caller, id) => ({ video: find(id), accepted: { provider: 'sandbox', attempts: 2 } }),
    list: async (_caller, page) =>
      ({ object: 'list', data: [], first_id: null, last_id: null, has_more: false, page }) as never,
    search: async () => ({ object: 'list', data: [], first_id: null, last_id: null, has_more: false }),
    accountOf: async (orgId, id) => {
      find(id);
      return { orgId, mode: 'test' };
    },
    favoriteOwner: async ({ userId, keyId }) => userId ?? keyId ?? newId('user'),
    setFavorite: async (_actor, id, favorite) => ({ id: find(id).id, object: 'video.favorite', favorite }),
    details: async (_account, id) => find(id) as never,
    request: async (_account, id) => ({ model: 'sandbox-t2v', prompt: find(id).id }),
    async remove(_caller, id) {
      if (find(id).status !== 'completed') throw new GatewayError('video_not_finished', 'Not finished.');
    },
    cancel: async (_caller, id) => {
      if (find(id).status === 'completed') throw new GatewayError('video_finished', 'Finished.');
      return makeVideo(id, 'failed');
    },
    async open(_caller, id, choose, signal) {
      if (find(id).status !== 'completed')
        throw new GatewayError('video_not_ready', 'Not ready.', { retryAfterSeconds: 5 });
      return openPart(edge(), choose(ETAG), signal);
    },
    async openSigned(id, link, choose, signal) {
      if (link.signature !== 'good') throw new GatewayError('invalid_signature', 'This link is not valid.');
      find(id);
      return openPart(edge(), choose(ETAG), signal);
    },
    async openMedia(id, _file, { signature }, part) {
      if (signature !== 'good') throw new GatewayError('invalid_signature', 'This link is not valid.');
      find(id);
      return { ...fileContent(FILE, part), contentType: 'image/png' };
    },
    publishesMedia: false,
    recordAnswer: ({ id }, how) => void edge().ends.push({ id, how }),
  };
}

function makeVideo(id: string, status: VideoJson['status']) {
  return {
    id,
    object: 'video',
    status,
    progress: status === 'completed' ? 100 : 0,
    model: 'sandbox-t2v',
    seconds: '5',
    size: '1280x720',
    usage: { duration_seconds: 5 },
    format: 'mp4',
    cost: 0.05,
    mode: 'test',
    created_at: 0,
  } as const;
}

function makeOperator(): Operator {
  return {
    check: async (authorization) => {
      if (authorization !== `Bearer ${OPERATOR_TOKEN}`)
        throw new GatewayError('invalid_operator_token', 'This is not the token.');
    },
    listOrganizations: async (page) => ({ object: 'list', data: [], has_more: false, page }) as never,
    listTransfers: async (query) => ({ object: 'list', data: [], has_more: false, query }) as never,
    readOrganization: async (id) => ({ id }) as never,
    createOrganization: async (body) => ({ id: 'org_1', body }) as never,
    inviteOwner: async (id, body) => ({ id, body }) as never,
    suspend: async (id, body) => ({ id, body }) as never,
    resume: async (id, body) => ({ id, body }) as never,
    readSupportView: async (id, mode) => ({ id, mode }) as never,
    status: async () => ({ object: 'installation_status' }) as never,
    operators: {
      list: async () => ({ object: 'list', data: [] }),
      add: async (body) => ({ id: 'user_1', body }) as never,
      remove: async () => undefined,
    },
    listEntries: async (page) => ({ object: 'list', data: [], page }) as never,
    transfer: async (body) => ({ transfer: { id: 'tr_1', body }, replayed: 'again' in (body as object) }) as never,
    createKey: async (body) => ({ id: 'key_1', body }) as never,
    readLimits: async (organization) => ({ object: 'organization_limits', organization }) as never,
    changeLimits: async (body) => ({ object: 'organization_limits', body }) as never,
    providers: {
      list: () => ({ object: 'list', data: [] }),
      verify: async (provider) => ({ object: 'list', data: [], provider }) as never,
    },
  };
}

function makeWebhooks(edge: () => Edge): Webhooks {
  const delivery = {
    id: 'msg_00000000000000000000000000000001',
    object: 'webhook_delivery',
    video_id: DONE,
    event: 'video.completed',
    url: 'https://example.com/',
    state: 'delivered',
    created_at: 0,
    attempts: [],
  };
  return {
    listOfVideo: async () => [delivery],
    search: async () => ({
      object: 'list',
      data: [delivery],
      first_id: delivery.id,
      last_id: delivery.id,
      has_more: false,
    }),
    resendAll: async () => ({ object: 'webhook_deliveries.resent', resent: 0, has_more: false }),
    receivers: async () => ({ object: 'list', data: [] }),
    endpoints: async () => ({ object: 'list', data: [] }),
    removeEndpoint: async () => undefined,
    endpointSecret: async () => ({ secret: 'whsec_x' }),
    rotateEndpointSecret: async () => ({ secret: 'whsec_x' }),
    testEndpoint: async () => ({ object: 'webhook_test', delivered: true, latency_ms: 1 }),
    async resend(_account: unknown, id: string) {
      edge().fail?.('resend');
      if (id !== delivery.id) throw new GatewayError('delivery_not_found', 'There is no such delivery.');
      return delivery;
    },
  } as unknown as Webhooks; // Safe: see makeEdge.
}

export interface RunningEdge extends Edge {
  readonly port: number;
  readonly url: string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** The key of the fake accounts, as a header. */
  readonly authorized: Readonly<Record<string, string>>;
  /**
   * Writes bytes on a bare connection and resolves with everything received until the other side closes or is silent
   * for a while.
   */
  raw(text: string | readonly string[], quietMs?: number): Promise<string>;
  connect(): Promise<Socket>;
  close(): Promise<void>;
}

export async function startEdge(
  deps: Partial<HttpServerDeps> = {},
  config: Partial<Config> = {},
): Promise<RunningEdge> {
  const edge = makeEdge(config);
  const server = createHttpServer({
    gateway: edge.gateway,
    nextHandler: (_req, res) => void res.writeHead(404, { 'x-by': 'next' }).end('a page'),
    ...deps,
  });
  const port = await server.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${port}`;
  const connect = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = createConnection(port, '127.0.0.1', () => resolve(socket)).once('error', reject);
    });
  return Object.assign(edge, {
    port,
    url,
    authorized: { authorization: `Bearer ${LIVE_KEY}` },
    fetch: (path: string, init?: RequestInit) => fetch(`${url}${path}`, { redirect: 'manual', ...init }),
    connect,
    async raw(text: string | readonly string[], quietMs = 300) {
      const socket = await connect();
      const chunks: Buffer[] = [];
      return new Promise<string>((resolve) => {
        const done = () => {
          socket.destroy();
          resolve(Buffer.concat(chunks).toString('latin1'));
        };
        let quiet = setTimeout(done, quietMs * 5);
        socket.on('data', (chunk) => {
          chunks.push(chunk);
          clearTimeout(quiet);
          quiet = setTimeout(done, quietMs);
        });
        socket.once('error', done).once('close', done);
        for (const part of typeof text === 'string' ? [text] : text) socket.write(part, 'latin1');
      });
    },
    close: () => server.close(),
  });
}
